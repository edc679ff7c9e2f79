import type { AccountRecord } from '../../shared/records';
import { formatSize } from '../../shared/units';
import { grouped } from '../timeline/format';

/** What calls cost, in one sentence: of one account, or of two that stand side by side. */
export function costSentence(accounts: readonly AccountRecord[]): string {
  const [first, second] = accounts;
  if (first === undefined) return '';
  if (second === undefined) {
    if (first.calls === 0)
      return first.connections === 0 ? 'Nothing went in this time' : 'No call had part in this time';
    return `A call took ${perCall(first, 'chunks')} chunks, ${perCall(first, 'controlFrames')} control frames and ${perCall(first, 'pings')} PINGs`;
  }
  const parts = (['chunks', 'controlFrames', 'pings'] as const).map(
    (key, i) => `${perCall(first, key)} against ${perCall(second, key)} ${['chunks', 'control frames', 'PINGs'][i]}`,
  );
  return `A call took ${parts[0]}, ${parts[1]} and ${parts[2]}`;
}

/** What was asked for, and what went over the wire for it. */
export function sumSentence({ calls, toServer, toClient }: AccountRecord): string {
  const messages = toServer.messages + toClient.messages;
  const wanted = formatSize(toServer.messageBytes + toClient.messageBytes);
  const sent = formatSize(toServer.bytes + toClient.bytes);
  const frames = grouped(toServer.frames + toClient.frames);
  const chunks = grouped(toServer.chunks + toClient.chunks);
  return `${count(calls, 'call')} with ${count(messages, 'message')} of ${wanted}; ${sent} in ${frames} frames and ${chunks} chunks.`;
}

function count(number: number, word: string): string {
  return `${grouped(number)} ${number === 1 ? word : `${word}s`}`;
}

/** Of both directions together. */
export function perCall(
  { calls, toServer, toClient }: AccountRecord,
  key: 'chunks' | 'controlFrames' | 'pings' | 'frames',
): string {
  return calls === 0 ? '–' : ((toServer[key] + toClient[key]) / calls).toFixed(2);
}
