import type uPlot from 'uplot';
import type { FlowAnswer, StallCause } from '../../shared/flow';

/** CSS pixels: DATA bars above the line of 0, marks in lanes of their own below it and above the plot. */
const BAR_HEIGHT = 16;
const LANE = 16;
const MARK = 5;
/** Between hatching lines. */
const HATCH = 7;

type Colour = (name: string) => string;

/** Stretches in which the sender stood still, below everything: plain for the connection's window, hatched for a stream's. */
export function drawStalls(plot: uPlot, stalls: FlowAnswer['stalls'], colour: Colour): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = colour('--window-update');
  ctx.strokeStyle = colour('--window-update');
  for (const { from, to, cause } of stalls) {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true));
    const width = Math.max(1, right - left);
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.globalAlpha = fillOf(cause);
    ctx.fillRect(left, bbox.top, width, bbox.height);
    if (cause !== 'connection-window') hatch(ctx, left, bbox.top, width, bbox.height, HATCH * ratio);
  }
  ctx.restore();
}

function fillOf(cause: StallCause): number {
  return cause === 'stream-window' ? 0.05 : 0.13;
}

/** Diagonals on one grid for the whole canvas, so that neighbours fit together. */
function hatch(
  ctx: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  step: number,
): void {
  ctx.save();
  ctx.globalAlpha = 0.28;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = Math.floor((left - height) / step) * step; x < left + width; x += step) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** DATA bars on the line of 0, WINDOW_UPDATEs (triangles) in the lane under it, PINGs (diamonds) along the top. */
export function drawMarks(plot: uPlot, flow: FlowAnswer, colour: Colour): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - MARK * ratio, 0, bbox.width + 2 * MARK * ratio, bbox.top + bbox.height + LANE * ratio);
  ctx.clip();
  const zero = plot.valToPos(0, 'y', true);
  drawBars(plot, flow.data, zero, colour('--data'));
  const middle = bbox.top + bbox.height + (LANE / 2) * ratio;
  ctx.fillStyle = colour('--window-update');
  const size = MARK * ratio;
  let drawn = Number.NEGATIVE_INFINITY;
  for (const { t } of flow.updates) {
    const x = plot.valToPos(t, 'x', true);
    if (x - drawn < ratio) continue; // the same pixel
    drawn = x;
    shape(ctx, [x, middle - size], [x + size, middle + size * 0.7], [x - size, middle + size * 0.7]);
  }
  ctx.fillStyle = colour('--ping');
  const top = bbox.top - (MARK + 1) * ratio;
  for (const { t } of flow.pings) {
    const x = plot.valToPos(t, 'x', true);
    shape(ctx, [x, top - size], [x + size * 0.8, top], [x, top + size], [x - size * 0.8, top]);
  }
  ctx.restore();
}

function drawBars(plot: uPlot, data: FlowAnswer['data'], zero: number, colour: string): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const most = data.octets.reduce((max, octets) => Math.max(max, octets), 0);
  if (most === 0) return;
  ctx.fillStyle = colour;
  for (const [i, octets] of data.octets.entries()) {
    if (octets === 0) continue;
    const left = plot.valToPos(data.from + i * data.width, 'x', true);
    const right = plot.valToPos(data.from + (i + 1) * data.width, 'x', true);
    // A little must still be seen beside much.
    const height = (4 + (BAR_HEIGHT - 4) * (octets / most)) * ratio;
    ctx.fillRect(left, zero - height, Math.max(1.5 * ratio, right - left), height);
  }
}

function shape(ctx: CanvasRenderingContext2D, ...points: [number, number][]): void {
  ctx.beginPath();
  for (const [i, [x, y]] of points.entries()) i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y);
  ctx.closePath();
  ctx.fill();
}

/** Where the selected frame stands. */
export function drawSelected(plot: uPlot, time: number, colour: Colour): void {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(time, 'x', true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.fillStyle = colour('--accent');
  ctx.fillRect(x - 1, bbox.top, 2, bbox.height);
  ctx.restore();
}

/** The lane's height, for the axis below it. */
export const MARK_LANE = LANE;
