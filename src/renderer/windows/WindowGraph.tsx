import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { FlowAnswer } from '../../shared/flow';
import type { WindowSeries } from '../../shared/series';
import { axisOctets, axisSeconds, OCTET_STEPS } from './axis';
import { axisStyle, colourOf, seriesStyle } from './colours';
import { drawMarks, drawSelected, drawStalls, MARK_LANE } from './draw-flow';
import { GraphTip } from './GraphTip';
import { isDense, plotData, stepAt } from './plot-data';
import { panned, type TimeRange, takeRangeKey, zoomed } from './range';
import { type Size, usePlot } from './use-plot';

/** CSS pixels of the values' column: both graphs have it, so that their times stand under each other. */
export const AXIS_WIDTH = 76;

export interface WindowGraphProps {
  series: readonly WindowSeries[];
  flow: FlowAnswer | null;
  /** What is shown, and what there is. */
  range: TimeRange;
  full: TimeRange;
  /** Seconds at which the selected frame counts. */
  selected: number | null;
  /** Octets at the top of the graph, where larger windows are cut off. */
  top?: number | undefined;
  /** Null shows all. */
  onRange(range: TimeRange | null): void;
  onPick(n: number): void;
}

interface Cursor {
  time: number;
  left: number;
  top: number;
}

/** Windows over time as step lines, with what spends and refills them and the stalls between. */
export function WindowGraph(props: WindowGraphProps) {
  const { series, flow, range, full, selected, onRange } = props;
  const host = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const shape = series.map((each) => `${each.stream}${isDense(each) ? '!' : ''}`).join(' ');
  const { plot, size, made } = usePlot(host, shape, (element, at) => options(element, at, setCursor, latest));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot has no data yet
  useEffect(() => {
    const now = plot.current;
    if (now === null) return;
    now.batch(() => {
      now.setData(plotData(series, range.to) as uPlot.AlignedData, false);
      now.setScale('x', { min: range.from, max: Math.max(range.to, range.from + 1e-9) });
    });
  }, [series, range.from, range.to, props.top, made]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn around the lines has changed
  useEffect(() => plot.current?.redraw(false, false), [flow, selected]);

  return (
    <div
      className="graph"
      id="pane-rows"
      ref={host}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
      tabIndex={0}
      aria-label="Flow-control windows over time; plus and minus zoom, arrows move, Home shows all"
      onKeyDown={(event) => takeRangeKey(event, range, full, onRange)}
    >
      {cursor === null ? null : <GraphTip cursor={cursor} series={series} flow={flow} width={size.width} />}
    </div>
  );
}

interface Latest {
  current: WindowGraphProps;
}

function options(
  element: HTMLElement,
  size: Size,
  onCursor: (cursor: Cursor | null) => void,
  latest: Latest,
): uPlot.Options {
  const colour = colourOf(element);
  const axis = axisStyle(colour);
  return {
    ...size,
    legend: { show: false },
    padding: [16, 16, 0, 0],
    scales: {
      x: { time: false, auto: false },
      // 0 is where a sender stands still: it is always in sight.
      y: {
        range: (_, min, max) => [
          Math.min(0, min ?? 0),
          Math.max(1024, Math.min(max ?? 0, latest.current.top ?? Number.POSITIVE_INFINITY) * 1.06),
        ],
      },
    },
    axes: [
      { ...axis, gap: MARK_LANE + 2, size: MARK_LANE + 24, values: (_, splits) => axisSeconds(splits) },
      { ...axis, size: AXIS_WIDTH, values: (_, splits) => splits.map(axisOctets), incrs: OCTET_STEPS },
    ],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { show: false },
      y: false,
      sync: { key: 'penstock-windows' },
      bind: {
        // Shift and the middle button move instead.
        mousedown: (_plot, _target, handler) => (event) => {
          if (event.button === 0 && !event.shiftKey) handler(event);
          return null;
        },
      },
    },
    series: [{}, ...latest.current.series.map((each, i) => line(each, i, colour))],
    hooks: {
      drawClear: [(plot) => drawStalls(plot, latest.current.flow?.stalls ?? [], colour)],
      draw: [
        (plot) => {
          const { flow, selected } = latest.current;
          if (selected !== null) drawSelected(plot, selected, colour);
          if (flow !== null) drawMarks(plot, flow, colour);
        },
      ],
      setCursor: [
        (plot) => {
          const { left = -1, top = -1 } = plot.cursor;
          onCursor(
            left < 0 ? null : { time: plot.posToVal(left, 'x'), left: left + plot.bbox.left / devicePixelRatio, top },
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

function line(series: WindowSeries, i: number, colour: (name: string) => string): uPlot.Series {
  const { colour: name, dash } = seriesStyle(i);
  const dense = isDense(series);
  return {
    stroke: colour(name),
    // Where steps are closer than pixels, what stands behind the line must stay in sight.
    alpha: dense ? 0.55 : 1,
    width: dense ? 1 : i === 1 ? 2 : 1.6,
    ...(dash !== undefined && { dash }),
    spanGaps: false,
    points: { show: false },
    paths: uPlot.paths.stepped!({ align: 1 }),
  };
}

/** Wheel zooms around the pointer; with Shift, or sideways, it moves, as dragging with Shift or the middle button does. */
function listen(plot: uPlot, latest: Latest): void {
  const { over } = plot;
  over.addEventListener('dblclick', () => latest.current.onRange(null));
  over.addEventListener('click', (event) => {
    if (!event.shiftKey) pick(plot, latest);
  });
  over.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { range, full, onRange } = latest.current;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (sideways || event.shiftKey) {
        const by = sideways ? event.deltaX : event.deltaY;
        onRange(panned(range, full, by / 1000));
        return;
      }
      const centre = plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
      onRange(zoomed(range, full, centre, 2 ** (event.deltaY / 400)));
    },
    { passive: false },
  );
  over.addEventListener('pointerdown', (event) => {
    if (!(event.button === 1 || (event.button === 0 && event.shiftKey))) return;
    event.preventDefault();
    const start = event.clientX;
    const { range, full } = latest.current;
    const move = (moved: PointerEvent) =>
      latest.current.onRange(panned(range, full, (start - moved.clientX) / Math.max(1, over.clientWidth)));
    const end = () => {
      over.removeEventListener('pointermove', move);
      over.removeEventListener('pointerup', end);
      over.removeEventListener('pointercancel', end);
    };
    over.setPointerCapture(event.pointerId);
    over.addEventListener('pointermove', move);
    over.addEventListener('pointerup', end);
    over.addEventListener('pointercancel', end);
  });
}

/** The frame of the step nearest before the cursor, on any of the lines. */
function pick(plot: uPlot, latest: Latest): void {
  const { left = -1 } = plot.cursor;
  if (left < 0 || plot.select.width >= 4) return;
  const time = plot.posToVal(left, 'x');
  let best: { t: number; n: number } | undefined;
  for (const each of latest.current.series) {
    const at = stepAt(each, time);
    if (at >= 0 && (best === undefined || each.t[at]! > best.t)) best = { t: each.t[at]!, n: each.n[at]! };
  }
  if (best !== undefined) latest.current.onPick(best.n);
}
