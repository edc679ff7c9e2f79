import 'uplot/dist/uPlot.min.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { WindowSeries } from '../../shared/series';
import { grouped, secondsText } from '../timeline/format';
import { axisOctets, plotData, stepAt } from './plot-data';

export interface WindowGraphProps {
  series: readonly WindowSeries[];
  /** Seconds: what is shown, and what there is. */
  from: number;
  to: number;
  onZoom(range: { from: number; to: number } | null): void;
  onPick(n: number): void;
}

/** The connection's window has the colour of WINDOW_UPDATE; streams take those of other types, and dashes. */
const STREAM_COLOURS = ['--data', '--headers', '--ping', '--goaway', '--settings'];
const DASHES: (number[] | undefined)[] = [undefined, [6, 3], [2, 2]];

export function seriesStyle(index: number): { colour: string; dash: number[] | undefined } {
  if (index === 0) return { colour: '--window-update', dash: undefined };
  const at = index - 1;
  return {
    colour: STREAM_COLOURS[at % STREAM_COLOURS.length]!,
    dash: DASHES[Math.floor(at / STREAM_COLOURS.length) % DASHES.length],
  };
}

/** Windows over time as step lines. Drag to zoom, double-click for all, click for the frame that made a step. */
export function WindowGraph({ series, from, to, onZoom, onPick }: WindowGraphProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [cursor, setCursor] = useState<{ time: number; left: number; top: number } | null>(null);
  const latest = useRef({ series, onZoom, onPick });
  latest.current = { series, onZoom, onPick };

  useLayoutEffect(() => {
    const element = host.current!;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const change = () => setDark(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);

  const shape = series.map(({ stream }) => stream).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other series or colours need another plot
  useEffect(() => {
    const element = host.current!;
    if (size.width === 0 || series.length === 0) return;
    const made = new uPlot(options(element, size, latest.current.series, setCursor, latest), [[]], element);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [shape, dark, size.width > 0]);

  useEffect(() => {
    if (size.width > 0) plot.current?.setSize(size);
  }, [size]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot has no data yet
  useEffect(() => {
    const now = plot.current;
    if (now === null) return;
    now.batch(() => {
      now.setData(plotData(series, to) as uPlot.AlignedData, false);
      now.setScale('x', { min: from, max: Math.max(to, from + 1e-9) });
    });
  }, [series, from, to, shape, dark, size.width > 0]);

  return (
    <div className="graph" ref={host} role="img" aria-label="Flow-control windows over time">
      {cursor === null ? null : <Tip cursor={cursor} series={series} width={size.width} />}
    </div>
  );
}

interface Latest {
  current: Pick<WindowGraphProps, 'series' | 'onZoom' | 'onPick'>;
}

function options(
  element: HTMLElement,
  size: { width: number; height: number },
  series: readonly WindowSeries[],
  onCursor: (cursor: { time: number; left: number; top: number } | null) => void,
  latest: Latest,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `11px ${colour('--font-wire')}`;
  const axis = {
    stroke: colour('--muted'),
    font,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    ...size,
    legend: { show: false },
    padding: [12, 16, 0, 0],
    scales: {
      x: { time: false, auto: false },
      // 0 is where a sender stands still: it is always in sight.
      y: { range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(1024, (max ?? 0) * 1.06)] },
    },
    axes: [
      { ...axis, values: (_, splits) => splits.map((value) => String(Math.round(value * 1e6) / 1e6)) },
      { ...axis, size: 64, values: (_, splits) => splits.map(axisOctets), incrs: OCTET_STEPS },
    ],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
    series: [
      {},
      ...series.map((_, i) => {
        const { colour: name, dash } = seriesStyle(i);
        return {
          stroke: colour(name),
          width: i === 0 ? 1.8 : 1.4,
          ...(dash !== undefined && { dash }),
          spanGaps: true,
          points: { show: false },
          paths: uPlot.paths.stepped!({ align: 1 }),
        };
      }),
    ],
    hooks: {
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
          latest.current.onZoom({ from, to });
        },
      ],
      ready: [
        (plot) => {
          plot.over.addEventListener('dblclick', () => latest.current.onZoom(null));
          plot.over.addEventListener('click', () => pick(plot, latest));
        },
      ],
    },
  };
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

/** Steps of an axis in octets: powers of two, so that 64 Ki is a line. */
const OCTET_STEPS = Array.from({ length: 32 }, (_, i) => 2 ** i);

function Tip({
  cursor,
  series,
  width,
}: {
  cursor: { time: number; left: number; top: number };
  series: readonly WindowSeries[];
  width: number;
}) {
  const onLeft = cursor.left > width - 260;
  const lines = series.flatMap((each, i) => {
    const at = stepAt(each, cursor.time);
    return at < 0 ? [] : [{ stream: each.stream, window: each.window[at]!, n: each.n[at]!, i }];
  });
  return (
    <div
      className="graph-tip"
      style={onLeft ? { right: width - cursor.left + 12, top: 16 } : { left: cursor.left + 12, top: 16 }}
    >
      <div className="wire muted">{secondsText(cursor.time)} s</div>
      {lines.slice(0, 8).map(({ stream, window, n, i }) => (
        <div key={stream} style={{ color: `var(${seriesStyle(i).colour})` }}>
          {stream === 0 ? 'connection' : `stream ${stream}`} <span className="wire">{grouped(window)}</span>
          <span className="muted"> · frame {grouped(n)}</span>
        </div>
      ))}
    </div>
  );
}
