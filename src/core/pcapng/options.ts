/** pcapng options (draft-ietf-opsawg-pcapng §3.5): code, length, value, padding to four octets. */

import { latin1, utf8 } from '../bytes/text';

export const OPT_END = 0;
export const OPT_COMMENT = 1;

/**
 * Calls `each` for every option in `view[start, end)` up to `opt_endofopt` or the end.
 * Returns false when an option reaches beyond `end`; those before it were handed on.
 */
export function walkOptions(
  view: DataView,
  start: number,
  end: number,
  little: boolean,
  each: (code: number, start: number, end: number) => void,
): boolean {
  let at = start;
  while (at + 4 <= end) {
    const code = view.getUint16(at, little);
    const length = view.getUint16(at + 2, little);
    if (code === OPT_END) return true;
    const value = at + 4;
    if (value + length > end) return false;
    each(code, value, value + length);
    at = value + ((length + 3) & ~3);
  }
  return at >= end;
}

/** The comments of a block; several are joined by line feeds, as none is more important. */
export function readComment(
  data: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  little: boolean,
): string | undefined {
  let comment: string | undefined;
  walkOptions(view, start, end, little, (code, from, to) => {
    if (code === OPT_COMMENT) comment = addLine(comment, optionText(data, from, to));
  });
  return comment;
}

export function addLine(text: string | undefined, line: string): string {
  return text === undefined ? line : `${text}\n${line}`;
}

/** Option text is UTF-8 without a terminator; some writers add zeros, and what is no UTF-8 is read as Latin-1. */
export function optionText(data: Uint8Array, start: number, end: number): string {
  let last = end;
  while (last > start && data[last - 1] === 0) last--;
  return utf8(data, start, last) ?? latin1(data, start, last);
}
