/** Captured text longer than this stands shortened in its row, and whole below it when it is expanded. */
export const LONG_VALUE = 160;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Captured text with what cannot be seen, or turns the text around it, written out: `\x0a`, `\u202e`. The page gets it
 * as text only.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** At most `length` UTF-16 units; a cut is shown, and never splits a character. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 2);
  const cut = last >= 0xd800 && last <= 0xdbff ? length - 2 : length - 1;
  return `${text.slice(0, cut)}…`;
}
