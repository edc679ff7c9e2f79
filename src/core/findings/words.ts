import type { Capture } from '../capture/capture';
import type { Side } from '../tcp/types';

/** `1 call`, `1,024 calls`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${withCommas(count)} ${count === 1 ? one : many}`;
}

export function withCommas(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Which peer a side is. */
export function peerOf(capture: Capture, conn: number, side: Side): 'client' | 'server' {
  return capture.connections[conn - 1]!.clientSide === side ? 'client' : 'server';
}

export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/** Text of a peer in a sentence: what cannot be printed becomes a dot, what is long is cut. */
export function quoted(text: string, limit = 120): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '·');
  return `“${plain.length > limit ? `${plain.slice(0, limit)}…` : plain}”`;
}
