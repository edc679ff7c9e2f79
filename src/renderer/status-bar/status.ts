import type { Notice, SessionState } from '../../shared/app';
import type { EngineStatus } from '../../shared/contract';
import { formatSize } from '../../shared/units';
import { grouped } from '../timeline/format';

/** Octets behind a capture from which on that is said: below, it is the beat of the batches. */
const TELLING_LAG = 1 << 20;

/** How much there is of the session's file: `118 MiB of 2 GiB` while it grows; empty without a file. */
export function sizeText(session: SessionState, engine: EngineStatus | null): string {
  switch (session.kind) {
    case 'none':
    case 'opening':
    case 'stopping':
      return '';
    case 'capturing':
      return `${formatSize(engine?.committed ?? 0)} of ${formatSize(session.maxSize)}`;
    case 'open':
      return session.file === '-' ? '' : formatSize(session.size);
    default:
      return session satisfies never;
  }
}

/** Something that the status bar says in a few words; `warning` when the user may want to act. */
export interface Remark {
  text: string;
  severity: 'info' | 'warning' | 'error';
}

/** What the reading of the session is at, or what has become of it. */
export function readingRemark(
  session: SessionState,
  engine: EngineStatus | null,
  shown: { follow: boolean; paused: boolean },
): Remark | null {
  switch (session.kind) {
    case 'none':
    case 'opening':
      return null;
    case 'stopping':
      return { text: 'stopping', severity: 'info' };
    case 'capturing':
      if (!session.writing) return { text: 'no longer capturing; forwarding goes on', severity: 'warning' };
      if (shown.paused) return { text: 'display paused', severity: 'warning' };
      if (engine !== null && engine.lag > TELLING_LAG) {
        return { text: `${formatSize(engine.lag)} behind`, severity: 'info' };
      }
      return { text: shown.follow ? 'following' : 'not following', severity: 'info' };
    case 'open':
      return engine === null ? null : openRemark(engine);
    default:
      return session satisfies never;
  }
}

function openRemark({ state, failure, read, committed }: EngineStatus): Remark | null {
  if (state === 'failed') return { text: failure ?? 'reading ended early', severity: 'error' };
  if (state !== 'reading' && state !== 'following') return null;
  const share = committed === null || committed === 0 ? '' : ` ${Math.floor((100 * read) / committed)} %`;
  return { text: `reading${share}`, severity: 'info' };
}

export function faultsText(count: number): string {
  return `${grouped(count)} fault${count === 1 ? '' : 's'}`;
}

/** What could not be understood of the file itself, apart from what peers did wrong. */
export function troublesText(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'trouble' : 'troubles'} in the file`;
}

/** The notice that is shown in full: the gravest, of those the newest. */
export function foremost(notices: readonly Notice[]): Notice | null {
  const weight = { info: 0, warning: 1, error: 2 };
  return notices.reduce<Notice | null>(
    (best, notice) => (best === null || weight[notice.severity] >= weight[best.severity] ? notice : best),
    null,
  );
}
