import type { FlowAnswer, StallSpan } from '../../shared/flow';
import type { WindowSeries } from '../../shared/series';
import { formatDuration } from '../../shared/units';
import { grouped, secondsText } from '../timeline/format';
import { seriesStyle } from './colours';
import { stepAt } from './plot-data';
import { causeWords, heldWords } from './words';

export interface GraphTipProps {
  cursor: { time: number; left: number };
  series: readonly WindowSeries[];
  flow: FlowAnswer | null;
  width: number;
}

const MAX_LINES = 8;

/** What holds at the pointer: each window with the frame that made it so, and the stall that goes on. */
export function GraphTip({ cursor, series, flow, width }: GraphTipProps) {
  const onLeft = cursor.left > width - 280;
  const lines = series.flatMap((each, i) => {
    const at = stepAt(each, cursor.time);
    if (at < 0) return [];
    const change = at === 0 ? 0 : each.window[at]! - each.window[at - 1]!;
    return [{ stream: each.stream, window: each.window[at]!, change, n: each.n[at]!, i }];
  });
  const stalls = (flow?.stalls ?? []).filter(({ from, to }) => from <= cursor.time && cursor.time <= to).slice(0, 2);
  return (
    <div
      className="graph-tip"
      style={onLeft ? { right: width - cursor.left + 12, top: 16 } : { left: cursor.left + 12, top: 16 }}
    >
      <div className="wire muted">{secondsText(cursor.time)} s</div>
      {lines.slice(0, MAX_LINES).map(({ stream, window, change, n, i }) => (
        <div key={stream} style={{ color: `var(${seriesStyle(i).colour})` }}>
          {stream === 0 ? 'connection' : `stream ${stream}`}{' '}
          <span className="wire">
            {change === 0 ? '' : `${change > 0 ? '+' : '−'}${grouped(Math.abs(change))} → `}
            {grouped(window)}
          </span>
          <span className="muted"> · frame {grouped(n)}</span>
        </div>
      ))}
      {stalls.map((stall) => (
        <div key={stall.cause} className="muted">
          {stallWords(stall)}
        </div>
      ))}
    </div>
  );
}

function stallWords(stall: StallSpan): string {
  const { from, to, count, stream, heldBy, cause } = stall;
  const time = formatDuration(to - from);
  if (count > 1) return `${grouped(count)} stalls in ${time}, for ${causeWords(cause)}`;
  const end = stall.releasedBy === null ? ', never released' : `, ended by frame ${grouped(stall.releasedBy)}`;
  return `stream ${stream} stalled ${time} for ${causeWords(cause)}${heldWords(heldBy, stream)}${end}`;
}
