import './concurrency.css';
import { useEffect, useState } from 'react';
import type { ConcurrencyRecord } from '../../shared/concurrency';
import type { ConnectionRecord } from '../../shared/records';
import { useAnswer } from '../rows/use-answer';
import { usePages } from '../rows/use-pages';
import { services, sessionKey, useApp } from '../state/app-store';
import { showFrame } from '../state/go';
import { useView } from '../state/view-store';
import type { TimeRange } from '../windows/range';
import { ConcurrencyTable } from './ConcurrencyTable';
import { OpenStreamsGraph } from './OpenStreamsGraph';
import { highest } from './steps';
import { limitDetail, limitSentence } from './words';

const BUCKETS = 1000;
/** Connections in the list. */
const MAX_LISTED = 500;

/** Streams open over time against the server's limit, and connections with their calls. */
export function ConcurrencyView() {
  const key = useApp((app) => sessionKey(app.state));
  const connections = usePages<ConnectionRecord>(`connections ${key}`, (from, count) =>
    services().api.connections({ from, count }),
  );
  const listed = useAnswer(key, key, () => services().api.concurrencies({ from: 0, count: MAX_LISTED }));
  const records = listed?.items ?? [];
  const call = useView((state) => state.call);
  const [chosen, setChosen] = useState<number | null>(null);
  const conn = chosen ?? call?.conn ?? busiest(records);
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another connection has another time
  useEffect(() => setZoom(null), [conn, key]);
  const connection = connections.get(conn - 1);
  const full = { from: connection?.start ?? 0, to: Math.max(connection?.end ?? 0, (connection?.start ?? 0) + 1e-6) };
  const range = zoom ?? full;
  const query = { conn, ...range, buckets: BUCKETS };
  const answer = useAnswer(connection === undefined ? null : JSON.stringify([key, query]), `${key} ${conn}`, () =>
    services().api.concurrency(query),
  );

  if (connections.total === 0) {
    return (
      <div className="rows-empty">
        <p>Here stands how many streams a client has open at a time, against what its server allows.</p>
        <p>It appears with the first connection: point a client at the tap, or open a capture that has one.</p>
      </div>
    );
  }
  const record = answer?.record;
  return (
    <div className="concurrency" data-ready={answer !== null || undefined}>
      <div className="headline">
        <div className="headline-words">
          <h1>{record === undefined ? '' : limitSentence(record)}</h1>
          <p className="muted">{record === undefined ? '' : limitDetail(record)}</p>
        </div>
      </div>
      <div className="windows-bar">
        <span>Connection {conn}</span>
        {zoom === null ? null : (
          <button type="button" className="button" onClick={() => setZoom(null)}>
            Show all
          </button>
        )}
        <span className="spacer" />
        <span className="legend">
          <span>
            <span className="legend-line" style={{ borderColor: 'var(--headers)' }} />
            streams open
          </span>
          {record === undefined || record.limit === null ? null : (
            <span>
              <span className="legend-line" style={{ borderColor: 'var(--settings)', borderTopStyle: 'dashed' }} />
              MAX_CONCURRENT_STREAMS
            </span>
          )}
        </span>
      </div>
      <OpenStreamsGraph answer={answer} range={range} full={full} onRange={setZoom} onPick={(n) => void showFrame(n)} />
      <div className="windows-note">
        {record === undefined || answer === null
          ? ''
          : notes(record, answer.deliveries, highest(record.peak, answer.limits))}
        Drag or scroll to zoom, double-click for all, click for the frame of a step.
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keyboard */}
      <section className="windows-streams" tabIndex={0} aria-label="Connections">
        <ConcurrencyTable
          records={records}
          total={listed?.total ?? 0}
          connections={connections}
          chosen={conn}
          onChoose={setChosen}
        />
      </section>
    </div>
  );
}

function notes({ partial, limit }: ConcurrencyRecord, deliveries: boolean, top: number): string {
  const words = [];
  if (partial) words.push('Joined in the middle: streams open before, and a limit said before, are not known.');
  if (!deliveries) words.push("The file tells no deliveries: this is the capture point's view.");
  if (limit !== null && limit > top) words.push('The limit is far above the graph.');
  return words.map((each) => `${each} `).join('');
}

/** The connection that had the most streams open; the first of several. */
function busiest(records: readonly ConcurrencyRecord[]): number {
  let best = 1;
  for (const { conn, peak } of records) if (peak > records[best - 1]!.peak) best = conn;
  return best;
}
