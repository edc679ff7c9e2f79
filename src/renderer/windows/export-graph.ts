import type { WindowSeries } from '../../shared/series';

/** CSS pixels around the words of a picture. */
const MARGIN = 14;

/**
 * The graphs in `element` as one picture, as large as on the screen, with a heading above them.
 * @returns null where the browser makes none
 */
export function graphPicture(element: HTMLElement, heading: string): Promise<Blob | null> {
  const canvases = [...element.querySelectorAll('canvas')];
  const ratio = devicePixelRatio;
  const style = getComputedStyle(element);
  const top = 40 * ratio;
  const picture = document.createElement('canvas');
  picture.width = Math.max(1, ...canvases.map(({ width }) => width));
  picture.height = top + canvases.reduce((sum, { height }) => sum + height, 0);
  const ctx = picture.getContext('2d');
  if (ctx === null) return Promise.resolve(null);
  ctx.fillStyle = style.getPropertyValue('--background').trim();
  ctx.fillRect(0, 0, picture.width, picture.height);
  ctx.fillStyle = style.getPropertyValue('--text').trim();
  ctx.font = `600 ${13 * ratio}px ${style.getPropertyValue('--font-words').trim()}`;
  ctx.textBaseline = 'middle';
  ctx.fillText(heading, MARGIN * ratio, top / 2, picture.width - 2 * MARGIN * ratio);
  let y = top;
  for (const canvas of canvases) {
    ctx.drawImage(canvas, 0, y);
    y += canvas.height;
  }
  return new Promise((resolve) => picture.toBlob(resolve, 'image/png'));
}

/** Steps of windows as lines of a table: `stream,time,window,frame`, seconds and octets; stream 0 is the connection. */
export function windowsCsv(series: readonly WindowSeries[]): string {
  const lines = ['stream,time,window,frame'];
  for (const { stream, t, window, n } of series) {
    for (const [i, time] of t.entries()) lines.push(`${stream},${time.toFixed(9)},${window[i]},${n[i]}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** Hands a file to the user, as a download. */
export function giveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
