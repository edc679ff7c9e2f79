import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { ConcurrencyAnswer } from '../../shared/concurrency';
import { grouped, secondsText } from '../timeline/format';
import { axisSeconds } from '../windows/axis';
import { axisStyle, colourOf } from '../windows/colours';
import { type TimeRange, takeRangeKey, zoomed } from '../windows/range';
import { type Size, usePlot } from '../windows/use-plot';
import { highest, stepAt, stepData } from './steps';

/** Waves that are named in the graph; more names than that cover each other. */
const MAX_NAMED_WAVES = 40;
const STREAM_STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

export interface OpenStreamsGraphProps {
  answer: ConcurrencyAnswer | null;
  range: TimeRange;
  full: TimeRange;
  /** Null shows all. */
  onRange(range: TimeRange | null): void;
  onPick(n: number): void;
}

interface Latest {
  current: OpenStreamsGraphProps;
}

interface Cursor {
  time: number;
  left: number;
}

/** Streams open over time as a step line, with the limit. Click for the frame that made a step. */
export function OpenStreamsGraph(props: OpenStreamsGraphProps) {
  const { answer, range, full, onRange } = props;
  const host = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { plot, size, made } = usePlot(host, 'open', (element, at) => options(element, at, setCursor, latest));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot has no data yet
  useEffect(() => {
    const now = plot.current;
    if (now === null || answer === null) return;
    now.batch(() => {
      now.setData(stepData(answer, full.from, range.to) as uPlot.AlignedData, false);
      now.setScale('x', { min: range.from, max: Math.max(range.to, range.from + 1e-9) });
    });
  }, [answer, range.from, range.to, full.from, made]);

  return (
    <div
      className="graph"
      id="pane-rows"
      ref={host}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom and move it
      tabIndex={0}
      aria-label="Open streams over time; plus and minus zoom, arrows move, Home shows all"
      onKeyDown={(event) => takeRangeKey(event, range, full, onRange)}
    >
      {cursor === null || answer === null ? null : <Tip cursor={cursor} answer={answer} width={size.width} />}
    </div>
  );
}

function options(
  element: HTMLElement,
  size: Size,
  onCursor: (cursor: Cursor | null) => void,
  latest: Latest,
): uPlot.Options {
  const colour = colourOf(element);
  const axis = axisStyle(colour);
  const stepped = { spanGaps: false, points: { show: false }, paths: uPlot.paths.stepped!({ align: 1 }) };
  return {
    ...size,
    legend: { show: false },
    padding: [22, 16, 0, 0],
    scales: {
      x: { time: false, auto: false },
      y: { range: () => [0, highestOf(latest) * 1.08] },
    },
    axes: [
      { ...axis, size: 30, values: (_, splits) => axisSeconds(splits) },
      { ...axis, size: 76, incrs: STREAM_STEPS, values: (_, splits) => splits.map(grouped) },
    ],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
    series: [
      {},
      { ...stepped, stroke: colour('--headers'), width: 1.6 },
      { ...stepped, stroke: colour('--settings'), width: 1.4, dash: [6, 3] },
    ],
    hooks: {
      draw: [(plot) => drawWaves(plot, latest.current.answer?.waves ?? [], colour)],
      setCursor: [
        (plot) => {
          const { left = -1 } = plot.cursor;
          onCursor(
            left < 0 ? null : { time: plot.posToVal(left, 'x'), left: left + plot.bbox.left / devicePixelRatio },
          );
        },
      ],
      setSelect: [
        (plot) => {
          if (plot.select.width < 4) return;
          const from = plot.posToVal(plot.select.left, 'x');
          const to = plot.posToVal(plot.select.left + plot.select.width, 'x');
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          latest.current.onRange({ from, to });
        },
      ],
      ready: [(plot) => listen(plot, latest)],
    },
  };
}

function highestOf({ current: { answer } }: Latest): number {
  return answer === null ? 1 : highest(answer.record.peak, answer.limits);
}

function listen(plot: uPlot, latest: Latest): void {
  const { over } = plot;
  over.addEventListener('dblclick', () => latest.current.onRange(null));
  over.addEventListener('click', () => {
    const { answer, onPick } = latest.current;
    const { left = -1 } = plot.cursor;
    if (answer === null || left < 0 || plot.select.width >= 4) return;
    const step = stepAt(answer.t, plot.posToVal(left, 'x'));
    if (step >= 0) onPick(answer.n[step]!);
  });
  over.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { range, full, onRange } = latest.current;
      const centre = plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
      onRange(zoomed(range, full, centre, 2 ** (event.deltaY / 400)));
    },
    { passive: false },
  );
}

/** Where each wave begins, above the lines. */
function drawWaves(plot: uPlot, waves: ConcurrencyAnswer['waves'], colour: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const [min, max] = [plot.scales.x!.min ?? 0, plot.scales.x!.max ?? 0];
  const shown = waves.filter(({ from }) => from >= min && from <= max);
  if (shown.length === 0 || shown.length > MAX_NAMED_WAVES) return;
  ctx.save();
  ctx.fillStyle = colour('--muted');
  ctx.font = `${11 * devicePixelRatio}px ${colour('--font-words')}`;
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'left';
  let free = Number.NEGATIVE_INFINITY;
  for (const wave of shown) {
    const x = plot.valToPos(wave.from, 'x', true);
    const words = `wave ${waves.indexOf(wave) + 1}`;
    ctx.fillRect(x, bbox.top - 14 * devicePixelRatio, devicePixelRatio, 14 * devicePixelRatio);
    if (x < free) continue;
    ctx.fillText(words, x + 4 * devicePixelRatio, bbox.top - 2 * devicePixelRatio);
    free = x + ctx.measureText(words).width + 8 * devicePixelRatio;
  }
  ctx.restore();
}

function Tip({ cursor, answer, width }: { cursor: Cursor; answer: ConcurrencyAnswer; width: number }) {
  const step = stepAt(answer.t, cursor.time);
  const limit = answer.limits.filter(({ t }) => t !== null && t <= cursor.time).at(-1);
  const place =
    cursor.left > width - 240 ? { right: width - cursor.left + 12, top: 30 } : { left: cursor.left + 12, top: 30 };
  return (
    <div className="graph-tip" style={place}>
      <div className="wire muted">{secondsText(cursor.time)} s</div>
      <div className="type-HEADERS">
        <span className="wire">{grouped(step < 0 ? 0 : answer.open[step]!)}</span> open
        {step < 0 ? null : <span className="muted"> · frame {grouped(answer.n[step]!)}</span>}
      </div>
      <div className="muted">
        {limit === undefined ? 'no limit in force' : `limit ${grouped(limit.value)} · frame ${grouped(limit.n)}`}
      </div>
    </div>
  );
}
