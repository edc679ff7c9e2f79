import { type DragEvent, type ReactNode, useState } from 'react';
import { services } from '../state/app-store';
import { outcome } from '../state/commands';

/** The whole window takes capture files that are dropped on it. */
export function DropTarget({ children }: { children: ReactNode }) {
  const [over, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be opened by keyboard too (the open command)
    <div
      style={{ height: '100%' }}
      data-dropping={over || undefined}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined) outcome(services().platform.openFile(file));
      }}
    >
      {children}
    </div>
  );
}
