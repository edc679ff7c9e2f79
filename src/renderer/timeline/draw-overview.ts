import type { Overview } from '../../shared/series';

/** Heights of a bucket's two bars, 0 to 1: octets on a root scale, so that a lone PING is still seen beside a download. */
export function overviewHeights({ bytesToClient, bytesToServer }: Overview): { up: number[]; down: number[] } {
  const most = Math.max(1, ...bytesToClient, ...bytesToServer);
  const height = (octets: number) => (octets === 0 ? 0 : Math.max(0.06, (octets / most) ** 0.4));
  return { up: bytesToClient.map(height), down: bytesToServer.map(height) };
}

export function drawOverview(canvas: HTMLCanvasElement, overview: Overview): void {
  const scale = devicePixelRatio;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const { up, down } = overviewHeights(overview);
  const middle = height * 0.58;
  const bar = width / up.length;
  const above = middle - 4;
  const below = height - middle - 4;
  context.fillStyle = style.getPropertyValue('--data');
  context.globalAlpha = 0.8;
  for (const [i, value] of up.entries()) context.fillRect(i * bar, middle - value * above, bar, value * above);
  context.fillStyle = style.getPropertyValue('--headers');
  for (const [i, value] of down.entries()) context.fillRect(i * bar, middle + 1, bar, value * below);
  context.globalAlpha = 1;
  context.fillStyle = style.getPropertyValue('--line-strong');
  context.fillRect(0, middle, width, 1);
}
