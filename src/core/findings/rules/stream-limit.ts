import type { FindingRecord } from '../../../shared/records';
import { formatDuration } from '../../../shared/units';
import { concurrencyOf } from '../../flow/concurrency';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { counted, percent } from '../words';

/** Part of the time at the limit: less is a moment's peak. */
const SHARE = 0.1;
const MAX_CONNECTIONS = 1000;

/**
 * As many streams open as SETTINGS_MAX_CONCURRENT_STREAMS allows, for long, and signs that more were wanted: streams that
 * open as soon as another has closed, refused ones, or ones beyond the limit.
 */
export const streamLimit: Rule = ({ capture }) => ({
  *done(): Iterable<FindingRecord> {
    let looked = 0;
    for (const { id, streamLimits, clientSide } of capture.connections) {
      if (streamLimits[clientSide ^ 1]!.length === 0) continue;
      if (looked++ >= MAX_CONNECTIONS) return;
      const seen = concurrencyOf(capture, id);
      const { time, atLimit, prompt, beyond, refused, peak, waves, waveCount, limits } = seen;
      if (prompt + beyond + refused === 0 || time.length === 0) continue;
      const whole = time.get(time.length - 1) - time.get(0);
      if (whole <= 0 || atLimit < SHARE * whole) continue;
      const marks = new Marks();
      for (const { row } of limits) marks.add(row);
      for (const { row } of waves) marks.add(row);
      const limit = limits[limits.length - 1]!.value;
      const share = Math.min(1, atLimit / whole);
      yield {
        id: 'stream-limit',
        severity: 'warning',
        conn: id,
        title: `The connection was at its limit of ${counted(limit, 'stream')} for ${percent(share)} of the time`,
        detail: `${formatDuration(atLimit / 1e9)} in all. ${counted(prompt, 'stream')} opened within 10 ms of another’s end, in ${counted(waveCount, 'wave')}: their calls may have waited for a place. A call that waits in the client is not on the wire; how long it did, its application knows. Beyond the limit: ${beyond}; refused: ${refused}.`,
        advice:
          'Raise the server’s limit: grpc-go MaxConcurrentStreams, grpc-java maxConcurrentCallsPerConnection, C-core and grpc-js grpc.max_concurrent_streams, nginx http2_max_concurrent_streams (128), Envoy max_concurrent_streams; or spread the calls: several channels (with different arguments, or a pool), since one channel uses one connection to an address.',
        source: 'RFC 9113 §5.1.2, §6.5.2; grpc.io guides, Performance Best Practices; nginx ngx_http_v2_module',
        evidence: marks.numbers(capture),
        numbers: { limit, peak, atLimit: atLimit / 1e9, share, prompt, waves: waveCount, beyond, refused },
      };
    }
  },
});
