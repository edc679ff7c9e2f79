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

/** How the axes of all graphs look. */
export function axisStyle(colour: (name: string) => string) {
  return {
    stroke: colour('--muted'),
    font: `11px ${colour('--font-wire')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
}

/** A theme's colours, where a canvas needs them. */
export function colourOf(element: Element): (name: string) => string {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(name).trim();
}
