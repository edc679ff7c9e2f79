import type { StallCause } from '../../shared/flow';
import { seriesStyle } from './colours';

const STALLS: [StallCause, string][] = [
  ['connection-window', 'stalled on the connection'],
  ['stream-window', 'stalled on a stream'],
  ['both', 'stalled on both'],
];

/** What is drawn: windows, the kinds of stalls that are in sight, and marks. */
export function Legend({ drawn, causes }: { drawn: readonly number[]; causes: ReadonlySet<StallCause> }) {
  return (
    <span className="legend">
      {[0, ...drawn].map((stream, i) => {
        const { colour, dash } = seriesStyle(i);
        const style = {
          borderColor: `var(${colour})`,
          borderTopStyle: dash === undefined ? 'solid' : 'dashed',
        } as const;
        return (
          <span key={stream}>
            <span className="legend-line" style={style} />
            {stream === 0 ? 'connection' : `stream ${stream}`}
          </span>
        );
      })}
      {STALLS.filter(([cause]) => causes.has(cause)).map(([cause, words]) => (
        <span key={cause} className="muted">
          <span className="legend-stall" data-cause={cause} />
          {words}
        </span>
      ))}
      <span className="muted">
        <span className="legend-mark data">▮</span> DATA
      </span>
      <span className="muted">
        <span className="legend-mark window-update">▲</span> WINDOW_UPDATE
      </span>
      <span className="muted">
        <span className="legend-mark ping">◆</span> PING
      </span>
    </span>
  );
}
