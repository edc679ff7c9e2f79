import type { StallCause } from '../../shared/flow';

const CAUSES: Record<StallCause, string> = {
  'stream-window': 'its own window',
  'connection-window': "the connection's window",
  both: 'both windows',
};

/** Which window a stream waited for. */
export function causeWords(cause: StallCause): string {
  return CAUSES[cause];
}

/** `, held by itself`, `, held by streams 3, 5`: who has the connection's credit. Empty without any. */
export function heldWords(heldBy: readonly number[], stream: number): string {
  if (heldBy.length === 0) return '';
  if (heldBy.length === 1 && heldBy[0] === stream) return ', held by itself';
  const others = heldBy.filter((each) => each !== stream);
  const named = others.slice(0, 4).join(', ');
  const itself = heldBy.includes(stream) ? ' and itself' : '';
  return `, held by ${others.length === 1 ? 'stream' : 'streams'} ${named}${others.length > 4 ? ' …' : ''}${itself}`;
}

/** A part of a whole: `91 %`, `0.4 %`, `< 0.1 %`. */
export function percentText(share: number): string {
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value < 0.1) return '< 0.1 %';
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}
