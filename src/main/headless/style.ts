/** Colours and attributes of the terminal (ECMA-48, SGR codes): few, so that no library is needed. */

export type Paint = (text: string) => string;

export interface Style {
  dim: Paint;
  bold: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  blue: Paint;
  magenta: Paint;
  cyan: Paint;
}

function sgr(on: number, off: number): Paint {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}

const COLOURED: Style = {
  dim: sgr(2, 22),
  bold: sgr(1, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  magenta: sgr(35, 39),
  cyan: sgr(36, 39),
};

const asItIs: Paint = (text) => text;

const PLAIN: Style = {
  dim: asItIs,
  bold: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  blue: asItIs,
  magenta: asItIs,
  cyan: asItIs,
};

/** Colours on a terminal that knows them, unless NO_COLOR (no-color.org) is set to anything. */
export function styleFor(isTerminal: boolean, env: NodeJS.ProcessEnv): Style {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOURED : PLAIN;
}
