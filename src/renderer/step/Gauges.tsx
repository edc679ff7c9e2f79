import type { Direction } from '../../shared/records';
import type { StepState } from '../../shared/step';
import { grouped } from '../timeline/format';
import { windowText } from './window-text';

const DIRECTIONS: readonly { dir: Direction; sender: string }[] = [
  { dir: 'toServer', sender: 'The client may send' },
  { dir: 'toClient', sender: 'The server may send' },
];

/** What each side may send: on the connection, and on the frame's stream; and what is on its way. */
export function Gauges({ state }: { state: StepState }) {
  const stream = state.stream === null ? undefined : all(state).find((each) => each.stream === state.stream!.stream);
  return (
    <div className="step-gauges">
      {DIRECTIONS.map(({ dir, sender }) => {
        const { window, largest, initial } = state.windows[dir];
        const ofStream = stream?.windows[dir] ?? null;
        const flight = state.inFlight?.[dir];
        return (
          <div key={dir}>
            <h3>{sender}</h3>
            <Gauge label="connection" window={window} full={largest} kind="connection" />
            {ofStream === null || stream === undefined ? null : (
              <Gauge
                label={`stream ${stream.stream}`}
                window={ofStream}
                full={Math.max(initial ?? 0, ofStream)}
                kind="stream"
              />
            )}
            <p className="muted">
              {initial === null
                ? 'Initial window of its streams: not seen'
                : `Initial window of its streams: ${grouped(initial)}`}
              {flight === undefined
                ? ''
                : flight.frames === 0
                  ? ' · nothing in flight'
                  : ` · in flight: ${grouped(flight.octets)} octets in ${grouped(flight.frames)} ${flight.frames === 1 ? 'frame' : 'frames'}${flight.data === 0 ? '' : `, ${grouped(flight.data)} of them DATA`}`}
            </p>
          </div>
        );
      })}
      {state.inFlight === null ? (
        <p className="muted">
          The file tells no deliveries: credit counts when it passes the capture point, and what is in flight is not
          known.
        </p>
      ) : null}
    </div>
  );
}

function all({ streams, closed }: StepState) {
  return [...streams, ...closed];
}

function Gauge(props: { label: string; window: number; full: number; kind: 'connection' | 'stream' }) {
  const { label, window, full, kind } = props;
  const share = full <= 0 ? 0 : Math.max(0, Math.min(1, window / full));
  return (
    <div
      className={`gauge ${kind}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, full)}
      aria-valuenow={Math.max(0, Math.min(full, window))}
      aria-valuetext={`${windowText(window)} of ${grouped(full)} octets`}
    >
      <span>{label}</span>
      <span className="gauge-bar">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className={`wire right${window <= 0 ? ' step-empty' : ''}`}>{windowText(window)}</span>
      <span className="wire muted right">of {grouped(Math.max(0, full))}</span>
    </div>
  );
}
