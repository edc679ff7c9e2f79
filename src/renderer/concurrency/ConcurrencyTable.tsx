import type { ConcurrencyRecord } from '../../shared/concurrency';
import type { ConnectionRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { visibleText } from '../detail/visible';
import type { Pages } from '../rows/use-pages';
import { showFrame } from '../state/go';
import { grouped } from '../timeline/format';

export interface ConcurrencyTableProps {
  /** The first connections', in their order. */
  records: readonly ConcurrencyRecord[];
  /** Connections that there are. */
  total: number;
  connections: Pages<ConnectionRecord>;
  chosen: number;
  onChoose(conn: number): void;
}

/** Connections with their calls, and what the limit did to them. */
export function ConcurrencyTable({ records, total, connections, chosen, onChoose }: ConcurrencyTableProps) {
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Connection</th>
            <th>Client</th>
            <th className="right">Opened</th>
            <th className="right">Calls</th>
            <th className="right">Most open</th>
            <th className="right">Mean</th>
            <th className="right">Limit</th>
            <th className="right">At the limit</th>
            <th className="right">Took a place</th>
            <th className="right">Waves</th>
            <th className="right">Beyond</th>
            <th className="right">Refused</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const { conn } = record;
            return (
              <tr key={conn} aria-selected={conn === chosen} onClick={() => onChoose(conn)}>
                <td>
                  <button
                    type="button"
                    className="accounts-choice"
                    aria-pressed={conn === chosen}
                    onClick={() => onChoose(conn)}
                  >
                    {conn}
                  </button>
                </td>
                <td className="wire">{visibleText(connections.get(conn - 1)?.client ?? '')}</td>
                <Cells record={record} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {total > records.length ? (
        <p className="accounts-more muted">The first {grouped(records.length)} connections are listed.</p>
      ) : null}
    </>
  );
}

function Cells({ record }: { record: ConcurrencyRecord }) {
  const { start, streams, peak, peakFrame, mean, limit, limitFrame, atLimit, prompt, waves, beyond, refused } = record;
  return (
    <>
      <td className="right wire">{start.toFixed(3)} s</td>
      <td className="right wire">{grouped(streams)}</td>
      <td className="right wire">{peakFrame === null ? '0' : <Link n={peakFrame} text={grouped(peak)} />}</td>
      <td className="right wire">{mean.toFixed(2)}</td>
      <td className="right wire">
        {limit === null || limitFrame === null ? 'none' : <Link n={limitFrame} text={grouped(limit)} />}
      </td>
      <td className="right wire">{atLimit === 0 ? '0' : formatDuration(atLimit)}</td>
      <td className="right wire">{grouped(prompt)}</td>
      <td className="right wire">{grouped(waves)}</td>
      <td className="right wire">{grouped(beyond)}</td>
      <td className="right wire">{grouped(refused)}</td>
    </>
  );
}

/** The frame that a number comes from. */
function Link({ n, text }: { n: number; text: string }) {
  return (
    <button
      type="button"
      className="frame-link"
      aria-label={`${text}, by frame ${grouped(n)}`}
      onClick={(event) => {
        event.stopPropagation();
        void showFrame(n);
      }}
    >
      {text}
    </button>
  );
}
