import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import type { LimitRecord, OctetSeries } from '../../shared/flow';
import { formatDuration, formatRate, formatSize } from '../../shared/units';
import { axisRate, OCTET_STEPS } from './axis';
import { axisStyle, colourOf } from './colours';
import type { TimeRange } from './range';
import { type Size, usePlot } from './use-plot';
import { AXIS_WIDTH } from './WindowGraph';
import { percentText } from './words';

export interface RateGraphProps {
  rate: OctetSeries | null;
  limit: LimitRecord | null;
  range: TimeRange;
}

/** The measured rate, and the limit of the window that binds: a band from what the refill lets through at least. */
export function RateGraph(props: RateGraphProps) {
  const { rate, limit, range } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { plot, made } = usePlot(host, 'rate', (element, size) => options(element, size, latest));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot has no data yet
  useEffect(() => {
    const now = plot.current;
    if (now === null) return;
    now.batch(() => {
      now.setData(ratePoints(rate), false);
      now.setScale('x', { min: range.from, max: Math.max(range.to, range.from + 1e-9) });
    });
    now.redraw(false, true);
  }, [rate, limit, range.from, range.to, made]);
  return <div className="graph rate-graph" ref={host} role="img" aria-label="Throughput over time, with its limit" />;
}

/** One point for each interval, in its middle, octets a second. */
export function ratePoints(rate: OctetSeries | null): [number[], number[]] {
  if (rate === null) return [[], []];
  return [
    rate.octets.map((_, i) => rate.from + (i + 0.5) * rate.width),
    rate.octets.map((octets) => octets / rate.width),
  ];
}

/** A limit far above what was measured would flatten the rate: it is drawn when it is near. */
function shownLimit({ limit, rate }: RateGraphProps): number | null {
  if (limit?.limit == null || limit.emptyWindow === null) return null;
  const most = Math.max(0, ...ratePoints(rate)[1]);
  return limit.limit > most * 8 && most > 0 ? null : limit.limit;
}

function options(element: HTMLElement, size: Size, latest: { current: RateGraphProps }): uPlot.Options {
  const colour = colourOf(element);
  const axis = axisStyle(colour);
  const { font } = axis;
  return {
    ...size,
    legend: { show: false },
    padding: [10, 16, 8, 0],
    scales: {
      x: { time: false, auto: false },
      y: { range: (_, _min, max) => [0, Math.max(1024, 1.3 * Math.max(max ?? 0, shownLimit(latest.current) ?? 0))] },
    },
    axes: [
      { ...axis, show: false },
      { ...axis, size: AXIS_WIDTH, values: (_, splits) => splits.map(axisRate), incrs: OCTET_STEPS, space: 36 },
    ],
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false, sync: { key: 'penstock-windows' } },
    series: [{}, { stroke: colour('--headers'), width: 1.8, points: { show: false } }],
    hooks: { drawClear: [(plot) => drawLimit(plot, latest.current, colour, font)] },
  };
}

function drawLimit(plot: uPlot, props: RateGraphProps, colour: (name: string) => string, font: string): void {
  const limit = shownLimit(props);
  if (limit === null) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const y = plot.valToPos(limit, 'y', true);
  const low = plot.valToPos(props.limit!.lowerLimit ?? limit, 'y', true);
  ctx.save();
  ctx.fillStyle = colour('--window-update');
  ctx.strokeStyle = colour('--window-update');
  ctx.globalAlpha = 0.13;
  ctx.fillRect(bbox.left, y, bbox.width, Math.min(low, bbox.top + bbox.height) - y);
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1.2 * ratio;
  ctx.setLineDash([6 * ratio, 4 * ratio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = font.replace('11px', `${11 * ratio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  ctx.fillText(limitWords(props.limit!), bbox.left + bbox.width - 4 * ratio, y - 3 * ratio);
  ctx.restore();
}

function limitWords({ window, grown, rtt, limit, refill, lowerLimit, rttLowerBound }: LimitRecord): string {
  if (window === null || rtt === null || limit === null) return '';
  const from =
    refill === null || lowerLimit === null ? '' : ` (refill at ${percentText(refill)}: from ${formatRate(lowerLimit)})`;
  return `${grown === null ? 'limit' : 'midway'}: ${rttLowerBound ? 'at most ' : ''}${formatSize(window)} / ${formatDuration(rtt)} = ${formatRate(limit)}${from}`;
}
