import type { ConcurrencyRecord } from '../../shared/concurrency';
import { formatDuration } from '../../shared/units';
import { grouped } from '../timeline/format';

/** What the limit did, in one sentence. */
export function limitSentence(record: ConcurrencyRecord): string {
  const { streams, peak, limit, atLimit, start, end, partial } = record;
  if (streams === 0) return 'The client opened no stream on this connection';
  const most = `${grouped(peak)} ${peak === 1 ? 'stream' : 'streams'} open at one time at most`;
  if (limit === null) return `${most}; ${partial ? 'the server’s limit was not seen' : 'the server set no limit'}`;
  if (atLimit === 0) return `${most}, of ${grouped(limit)} that the server allows`;
  return `At the limit of ${grouped(limit)} ${limit === 1 ? 'stream' : 'streams'} for ${formatDuration(atLimit)} of ${formatDuration(end - start)}`;
}

/** What that rests on; what the wire does not show is not claimed. */
export function limitDetail(record: ConcurrencyRecord): string {
  const { streams, mean, prompt, waves, beyond, refused, pendingLimit } = record;
  if (streams === 0) return 'Choose another connection below.';
  const parts = [
    `${grouped(streams)} ${streams === 1 ? 'stream' : 'streams'} in all, ${mean.toFixed(2)} open in the mean.`,
  ];
  if (prompt > 0) {
    parts.push(
      `${grouped(prompt)} took another's place within 10 ms, in ${grouped(waves)} waves: they may have waited for it. Calls that wait are not on the wire.`,
    );
  }
  if (beyond > 0) parts.push(`${grouped(beyond)} opened beyond the limit.`);
  if (refused > 0) parts.push(`${grouped(refused)} refused (REFUSED_STREAM).`);
  if (pendingLimit !== null) parts.push(`A limit of ${grouped(pendingLimit)} was sent, but not acknowledged.`);
  return parts.join(' ');
}
