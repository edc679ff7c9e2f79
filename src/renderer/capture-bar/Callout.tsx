import { X } from 'lucide-react';
import type { ReactNode } from 'react';

/** What is wrong with the thing above it, and the way out. */
export function Callout({ id, children, onDismiss }: { id: string; children: ReactNode; onDismiss(): void }) {
  return (
    <div className="callout" role="alert" id={id}>
      <div>{children}</div>
      <button type="button" className="button quiet bar-icon" aria-label="Dismiss" onClick={onDismiss}>
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
