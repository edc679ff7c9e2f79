import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LimitRecord } from '../../shared/flow';

const BOUND = new Set<LimitRecord['limitedBy']>(['stream-window', 'connection-window', 'both', 'receiver']);

/** What held the transfer back, in one sentence, and what that rests on. */
export function Headline({ limit, children }: { limit: LimitRecord | null; children?: ReactNode }) {
  const bound = limit !== null && BOUND.has(limit.limitedBy);
  const Icon = bound ? TriangleAlert : limit === null || limit.limitedBy === 'unknown' ? CircleHelp : CircleCheck;
  return (
    <div className="headline" data-limited-by={limit?.limitedBy}>
      <Icon size={20} aria-hidden className={bound ? 'headline-warning' : 'muted'} />
      <div className="headline-words">
        <h1>{limit === null ? 'No DATA went in this direction' : limit.sentence}</h1>
        <p className="muted">{limit === null ? 'Choose the other direction, or another connection.' : limit.detail}</p>
      </div>
      {children}
    </div>
  );
}
