import type { StalledStream } from '../../shared/flow';
import type { CallRecord } from '../../shared/records';
import { formatDuration, formatSize } from '../../shared/units';
import { visibleText } from '../detail/visible';
import { causeWords, heldWords, percentText } from './words';

export interface StreamTableProps {
  calls: readonly CallRecord[];
  drawn: readonly number[];
  stalled: ReadonlyMap<number, StalledStream>;
  /** Windows are not known where the connection was joined in the middle, and so stalls are not. */
  known: boolean;
  onToggle(stream: number): void;
}

/** A connection's calls: what they sent, and how much of their time they stood still, and for what. */
export function StreamTable({ calls, drawn, stalled, known, onToggle }: StreamTableProps) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th className="right">Stream</th>
          <th>Call</th>
          <th className="right">Duration</th>
          <th className="right">To server</th>
          <th className="right">To client</th>
          <th colSpan={2}>Stalled</th>
          <th>Cause</th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ stream, method, start, end, requestBytes, responseBytes }) => {
          const of = stalled.get(stream);
          return (
            <tr key={stream} aria-selected={drawn.includes(stream)} onClick={() => onToggle(stream)}>
              <td className="right wire">
                <input
                  type="checkbox"
                  aria-label={`Draw stream ${stream}`}
                  checked={drawn.includes(stream)}
                  onClick={(event) => event.stopPropagation()}
                  onChange={() => onToggle(stream)}
                />{' '}
                {stream}
              </td>
              <td className="wire">{method === null ? '?' : visibleText(method)}</td>
              <td className="right wire">{end === null ? 'open' : formatDuration(end - start)}</td>
              <td className="right wire">{formatSize(requestBytes)}</td>
              <td className="right wire">{formatSize(responseBytes)}</td>
              <td className="stalled-bar-cell">
                <span className="stalled-bar" aria-hidden>
                  <span style={{ width: `${(of?.share ?? 0) * 100}%` }} />
                </span>
              </td>
              <td className="right wire">{known ? percentText(of?.share ?? 0) : '?'}</td>
              <td className="muted">
                {of === undefined
                  ? known
                    ? 'no stall'
                    : 'not known'
                  : `${causeWords(of.cause)}${heldWords(of.heldBy, stream)}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
