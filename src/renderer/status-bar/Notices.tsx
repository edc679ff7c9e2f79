import { X } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { Notice } from '../../shared/app';
import { isUpstreamTrouble, sentence } from '../capture-bar/way-out';
import { hasSession, services, useApp } from '../state/app-store';
import { dismiss, useRefusal } from '../state/refusals';
import { foremost } from './status';

/** As notices are numbered from 1, this one is nobody's: it stands for the refusal. */
const REFUSAL = 0;

/** What the program has to tell, and what it refused that is about no field; until it is dismissed. */
export function Notices() {
  const notices = useShown();
  const first = foremost(notices);
  if (first === null) return null;
  return (
    <span className={`status-notice ${first.severity}`} role="alert">
      <span className="status-notice-text" title={sentence(first.message)}>
        {sentence(first.message)}
      </span>
      {notices.length > 1 ? <More notices={notices} /> : null}
      <Dismiss notice={first} />
    </span>
  );
}

/** Where something else shows it, at the place it is about, it is not shown twice. */
function useShown(): Notice[] {
  const notices = useApp((app) => app.state.notices);
  const capturing = useApp((app) => app.state.session.kind === 'capturing');
  const session = useApp((app) => hasSession(app.state));
  const refusal = useRefusal((state) => state.refusal);
  const shown = notices.filter((notice) => !(capturing && isUpstreamTrouble(notice)));
  if (session && refusal !== null && refusal.field === null) {
    shown.push({ id: REFUSAL, severity: 'error', message: refusal.message });
  }
  return shown;
}

function Dismiss({ notice }: { notice: Notice }) {
  return (
    <button
      type="button"
      className="status-button"
      aria-label={`Dismiss: ${notice.message}`}
      onClick={() => (notice.id === REFUSAL ? dismiss() : void services().api.dismissNotice(notice.id))}
    >
      <X size={12} aria-hidden />
    </button>
  );
}

function More({ notices }: { notices: readonly Notice[] }) {
  return (
    <Popover.Root>
      <Popover.Trigger className="status-button">{notices.length} notices</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu status-popover"
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Notices"
        >
          <ul className="status-list">
            {notices.map((notice) => (
              <li key={notice.id} className={notice.severity}>
                <span>{sentence(notice.message)}</span>
                <Dismiss notice={notice} />
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
