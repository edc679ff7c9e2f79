import './windows.css';
import { useEffect, useMemo, useState } from 'react';
import type { ConnectionRecord, Direction } from '../../shared/records';
import { formatDuration, formatSize } from '../../shared/units';
import { visibleText } from '../detail/visible';
import { usePages } from '../rows/use-pages';
import { services, sessionKey, useApp } from '../state/app-store';
import { select, useView } from '../state/view-store';
import { useWindows } from './use-windows';
import { seriesStyle, WindowGraph } from './WindowGraph';

/** Streams drawn at one time; more lines than that tell nothing. */
const MAX_STREAMS = 12;
/** Connections and calls that can be chosen from here. */
const MAX_LISTED = 500;

type WindowView = 'sender' | 'receiver';

/** Flow-control windows of a connection and of chosen streams over time. */
export function WindowsView() {
  const key = useApp((app) => sessionKey(app.state));
  const connections = usePages<ConnectionRecord>(`connections ${key}`, (from, count) =>
    services().api.connections({ from, count }),
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const call = useView((state) => state.call);
  const conn = chosen ?? call?.conn ?? firstHttp2(connections) ?? 1;
  const [dir, setDir] = useState<Direction>('toClient');
  const [view, setView] = useState<WindowView>('sender');
  const [zoom, setZoom] = useState<{ from: number; to: number } | null>(null);
  const [streams, setStreams] = useState<number[] | null>(null);
  const lastTime = useApp((app) => app.progress?.lastTime ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another connection has other streams
  useEffect(() => {
    setStreams(null);
    setZoom(null);
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
  const drawn = streams ?? (call?.conn === conn ? [call.stream] : listed.slice(0, 1).map(({ stream }) => stream));

  const from = zoom?.from ?? 0;
  const to = zoom?.to ?? Math.max(lastTime, 1e-6);
  const answer = useWindows(
    connections.total === 0 ? null : { conn, dir, view, streams: [0, ...drawn], from, to, buckets: 1000 },
  );
  const toggle = (stream: number) =>
    setStreams(
      drawn.includes(stream) ? drawn.filter((each) => each !== stream) : [...drawn, stream].slice(-MAX_STREAMS),
    );

  if (connections.total === 0) {
    return <div className="rows-empty">Windows appear here with the first HTTP/2 connection.</div>;
  }
  return (
    <div className="windows">
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
        <span className="spacer" />
        <span className="legend">
          {[0, ...drawn].map((stream, i) => (
            <span key={stream}>
              <span className="legend-line" style={{ borderColor: `var(${seriesStyle(i).colour})` }} />
              {stream === 0 ? 'connection' : `stream ${stream}`}
            </span>
          ))}
        </span>
      </div>
      <WindowGraph
        series={answer?.series ?? []}
        from={from}
        to={to}
        onZoom={setZoom}
        onPick={(n) => {
          select(n);
          useView.setState({ view: 'timeline', follow: false });
        }}
      />
      <div className="windows-note">
        {answer?.relative === true ? 'Joined in the middle: windows count from where the capture begins. ' : ''}
        {answer?.deliveries === false ? "The file tells no deliveries: this is the capture point's view. " : ''}
        Drag to zoom, double-click for all, click for the frame of a step.
      </div>
      <div className="windows-streams">
        <table className="plain-table">
          <thead>
            <tr>
              <th className="right">Stream</th>
              <th>Call</th>
              <th className="right">Duration</th>
              <th className="right">To server</th>
              <th className="right">To client</th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ stream, method, start, end, requestBytes, responseBytes }) => (
              <tr key={stream} aria-selected={drawn.includes(stream)} onClick={() => toggle(stream)}>
                <td className="right wire">
                  <input
                    type="checkbox"
                    aria-label={`Draw stream ${stream}`}
                    checked={drawn.includes(stream)}
                    onClick={(event) => event.stopPropagation()}
                    onChange={() => toggle(stream)}
                  />{' '}
                  {stream}
                </td>
                <td className="wire">{method === null ? '?' : visibleText(method)}</td>
                <td className="right wire">{end === null ? 'open' : formatDuration(end - start)}</td>
                <td className="right wire">{formatSize(requestBytes)}</td>
                <td className="right wire">{formatSize(responseBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
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
