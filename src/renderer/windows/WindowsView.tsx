import './windows.css';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FlowAnswer, LimitRecord } from '../../shared/flow';
import type { ConnectionRecord, Direction } from '../../shared/records';
import type { WindowsAnswer } from '../../shared/series';
import { formatSize } from '../../shared/units';
import { useAnswer } from '../rows/use-answer';
import { usePages } from '../rows/use-pages';
import { services, sessionKey, useApp } from '../state/app-store';
import { showFrame } from '../state/go';
import { select, useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { giveFile, graphPicture, windowsCsv } from './export-graph';
import { Headline } from './Headline';
import { Legend } from './Legend';
import { RateGraph } from './RateGraph';
import { around, type TimeRange } from './range';
import { StreamTable } from './StreamTable';
import { useFrameTime } from './use-frame-time';
import { WindowGraph } from './WindowGraph';

/** Streams drawn at one time; more lines than that tell nothing. */
const MAX_STREAMS = 12;
/** Connections and calls that can be chosen from here. */
const MAX_LISTED = 500;
const BUCKETS = 1000;
/** Intervals of a table that is saved: as many as the program gives. */
const SAVED_BUCKETS = 8192;

type WindowView = 'sender' | 'receiver';

/** Flow-control windows of a connection and of chosen streams over time, and what they did to its throughput. */
export function WindowsView() {
  const key = useApp((app) => sessionKey(app.state));
  const connections = usePages<ConnectionRecord>(`connections ${key}`, (from, count) =>
    services().api.connections({ from, count }),
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const call = useView((state) => state.call);
  const conn = chosen ?? call?.conn ?? firstHttp2(connections) ?? 1;
  const connection = connections.get(conn - 1);
  const [wantedDir, setDir] = useState<Direction | null>(null);
  const dir = wantedDir ?? busierDirection(connection);
  const [view, setView] = useState<WindowView>('sender');
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const [streams, setStreams] = useState<number[] | null>(null);
  const [close, setClose] = useState(false);
  const selected = useView((state) => state.selected);
  const graphs = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another connection has other streams
  useEffect(() => {
    setStreams(null);
    setZoom(null);
    setDir(null);
  }, [conn, key]);

  const calls = usePages(`calls of ${conn} ${key}`, (from, count) =>
    services().api.calls({ from, count, order: 'bytes', descending: true }),
  );
  const listed = useMemo(() => {
    const list = [];
    for (let at = 0; at < Math.min(calls.total, MAX_LISTED); at++) {
      const each = calls.get(at);
      if (each?.conn === conn) list.push(each);
    }
    return list;
  }, [calls, conn]);
  // Without a choice of the user's: the stream that stood still the longest, else the largest.
  const [worst, setWorst] = useState<number | null>(null);
  const first = worst ?? listed[0]?.stream;
  const drawn = streams ?? (call?.conn === conn ? [call.stream] : first === undefined ? [] : [first]);

  const full = useMemo(() => timeOf(connection), [connection]);
  const range = zoom ?? full;
  const ready = connection !== undefined;
  const query = { conn, dir, view, from: range.from, to: range.to, buckets: BUCKETS };
  const subject = `${key} ${conn} ${dir}`;
  const question = ready ? JSON.stringify([key, query, drawn]) : null;
  const answer = useAnswer(question, subject, () => services().api.windows({ ...query, streams: [0, ...drawn] }));
  const flow = useAnswer(question, subject, () =>
    services().api.flow({ ...query, streams: drawn, stream: drawn[0] ?? 0 }),
  );
  useEffect(() => setWorst(flow?.stalledStreams[0]?.stream ?? null), [flow]);
  const limit = flow === null ? null : mainLimit(flow);
  const stalled = useMemo(() => new Map(flow?.stalledStreams.map((each) => [each.stream, each]) ?? []), [flow]);
  const larger = limit?.window != null && largestOf(answer) > 3 * limit.window;
  const selectedTime = useFrameTime(selected, view === 'sender');

  const toggle = (stream: number) =>
    setStreams(
      drawn.includes(stream) ? drawn.filter((each) => each !== stream) : [...drawn, stream].slice(-MAX_STREAMS),
    );
  const showStall = () => {
    const longest = flow?.longest ?? null;
    if (longest === null) return;
    setZoom(around(longest, full));
    if (longest.releasedBy !== null) select(longest.releasedBy);
  };
  const stepThrough = () => {
    select(flow?.longest?.releasedBy ?? null);
    useView.setState({ view: 'step' });
  };
  const name = `windows-${conn}-${dir}-${view}`;
  const savePicture = async () => {
    const blob = await graphPicture(graphs.current!, `Connection ${conn}, ${dir}: ${limit?.sentence ?? ''}`);
    if (blob !== null) giveFile(blob, `${name}.png`);
  };
  const saveTable = async () => {
    const whole = await services().api.windows({ ...query, streams: [0, ...drawn], buckets: SAVED_BUCKETS });
    giveFile(new Blob([windowsCsv(whole.series)], { type: 'text/csv' }), `${name}.csv`);
  };

  if (connections.total === 0) {
    return (
      <div className="rows-empty">
        <p>Here stands what the flow-control windows allowed over time, and when a sender waited for credit.</p>
        <p>It appears with the first connection: point a client at the tap, or open a capture that has one.</p>
      </div>
    );
  }
  return (
    <div className="windows">
      {flow === null ? (
        <div className="headline" />
      ) : (
        <Headline limit={limit}>
          {flow.longest === null ? null : (
            <span className="headline-deeds">
              <button type="button" className="button" onClick={showStall}>
                Show a stall
              </button>
              {flow.longest.releasedBy === null ? null : (
                <button type="button" className="button" onClick={stepThrough}>
                  Step through it
                </button>
              )}
            </span>
          )}
        </Headline>
      )}
      <div className="windows-bar">
        <label>
          <span className="visually-hidden">Connection</span>
          <select className="field" value={conn} onChange={(event) => setChosen(Number(event.target.value))}>
            {Array.from({ length: Math.min(connections.total, MAX_LISTED) }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: connections are numbered by their position
              <option key={i} value={i + 1}>
                Connection {i + 1}
                {connections.get(i) === undefined ? '' : ` · ${connections.get(i)!.client}`}
              </option>
            ))}
          </select>
        </label>
        <Segments<Direction>
          label="Direction"
          value={dir}
          choices={[
            ['toClient', 'to client'],
            ['toServer', 'to server'],
          ]}
          onChange={(value) => setDir(value)}
        />
        <Segments<WindowView>
          label="View"
          value={view}
          choices={[
            ['sender', "Sender's view"],
            ['receiver', "Receiver's view"],
          ]}
          onChange={(value) => setView(value)}
        />
        {zoom === null ? null : (
          <button type="button" className="button" onClick={() => setZoom(null)}>
            Show all
          </button>
        )}
        {larger ? (
          <button
            type="button"
            className="button"
            aria-pressed={close}
            title="Larger windows are cut off at the top"
            onClick={() => setClose(!close)}
          >
            Scale to {formatSize(limit.window!)}
          </button>
        ) : null}
        <button type="button" className="button quiet" title="Save the graphs as a picture" onClick={savePicture}>
          <Download size={14} aria-hidden /> PNG
        </button>
        <button type="button" className="button quiet" title="Save the windows in sight as a table" onClick={saveTable}>
          <Download size={14} aria-hidden /> CSV
        </button>
        <span className="spacer" />
        <Legend drawn={drawn} causes={new Set(flow?.stalls.map(({ cause }) => cause))} />
      </div>
      <div className="windows-graphs" ref={graphs}>
        <WindowGraph
          series={answer?.series ?? []}
          flow={flow}
          range={range}
          full={full}
          selected={selectedTime}
          top={larger && close ? limit.window! : undefined}
          onRange={setZoom}
          onPick={select}
        />
        <div className="windows-title">
          <span>Throughput against the limit</span>
          <span className="spacer" />
          {selected === null ? null : (
            <button type="button" className="frame-link" onClick={() => void showFrame(selected)}>
              Show frame {grouped(selected)} on the timeline
            </button>
          )}
        </div>
        <RateGraph rate={flow?.rate ?? null} limit={limit} range={range} />
      </div>
      <div className="windows-note">
        {answer?.relative === true
          ? 'Joined in the middle: windows count from where the capture begins, and stalls are not known. '
          : ''}
        {answer?.deliveries === false
          ? "The file tells no deliveries: this is the capture point's view; near a receiver, stalls may not show. "
          : ''}
        Drag or wheel to zoom, Shift and drag to move, double-click for all; click selects the frame of a step.
      </div>
      <div className="windows-streams">
        <StreamTable
          calls={listed}
          drawn={drawn}
          stalled={stalled}
          known={answer?.relative !== true}
          onToggle={toggle}
        />
      </div>
    </div>
  );
}

function largestOf(answer: WindowsAnswer | null): number {
  let largest = 0;
  for (const { window } of answer?.series ?? []) for (const each of window) if (each > largest) largest = each;
  return largest;
}

/** The connection's time; never empty. */
function timeOf(connection: ConnectionRecord | undefined): TimeRange {
  const from = connection?.start ?? 0;
  return { from, to: Math.max(connection?.end ?? 0, from + 1e-6) };
}

/** Where most octets went. */
function busierDirection(connection: ConnectionRecord | undefined): Direction {
  return connection !== undefined && connection.bytes.toServer > connection.bytes.toClient ? 'toServer' : 'toClient';
}

/** The connection's, unless nothing but the chosen stream's own window binds. */
function mainLimit({ limit, streamLimit }: FlowAnswer): LimitRecord | null {
  return limit?.emptyWindow === null && streamLimit != null && streamLimit.emptyWindow !== null ? streamLimit : limit;
}

function firstHttp2(connections: {
  total: number;
  get(position: number): ConnectionRecord | undefined;
}): number | null {
  for (let at = 0; at < Math.min(connections.total, MAX_LISTED); at++) {
    const protocol = connections.get(at)?.protocol;
    if (protocol === 'h2' || protocol === 'h2c-upgrade') return at + 1;
  }
  return null;
}

function Segments<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChange(value: T): void;
}) {
  return (
    <span className="segments" role="group" aria-label={props.label}>
      {props.choices.map(([value, words]) => (
        <button key={value} type="button" aria-pressed={props.value === value} onClick={() => props.onChange(value)}>
          {words}
        </button>
      ))}
    </span>
  );
}
