/** Numbers and octets in words, for people. */

/** 16384 → `16,384`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function octetsInWords(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'octet' : 'octets'}`;
}

/** Seconds as milliseconds with two decimals: `20.31 ms`. */
export function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}

/** Control characters, which a captured value may hold, made visible: nothing captured reaches a terminal as it is. */
export function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => {
    const code = c.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
