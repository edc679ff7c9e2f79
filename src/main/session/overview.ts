import type { Capture } from '../../core/capture/capture';
import { RowBit } from '../../core/capture/frames';
import type { Overview } from '../../shared/series';

const MAX_BUCKETS = 4096;

/**
 * Rows and octets of the capture over its whole time, in `buckets` equal intervals.
 * @param keep rows that count; all when not given
 */
export function overview(capture: Capture, buckets: number, keep?: (row: number) => boolean): Overview {
  const count = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(buckets)));
  const { frames, chunks, connections } = capture;
  const span = Math.max(capture.lastTime, 1);
  const width = span / count;
  const result = {
    framesToServer: new Array<number>(count).fill(0),
    framesToClient: new Array<number>(count).fill(0),
    bytesToServer: new Array<number>(count).fill(0),
    bytesToClient: new Array<number>(count).fill(0),
  };
  const clients = Uint8Array.from(connections, (connection) => connection.clientSide);
  for (let row = 0; row < frames.count; row++) {
    if (keep !== undefined && !keep(row)) continue;
    const time = chunks.time.get(frames.lastChunk.get(row));
    const bucket = Math.max(0, Math.min(count - 1, Math.floor(time / width)));
    const toServer = (frames.bits.get(row) & RowBit.SIDE) === clients[frames.conn.get(row) - 1];
    const octets = frames.extent(row);
    if (toServer) {
      result.framesToServer[bucket]!++;
      result.bytesToServer[bucket]! += octets;
    } else {
      result.framesToClient[bucket]!++;
      result.bytesToClient[bucket]! += octets;
    }
  }
  return { from: 0, width: width / 1e9, ...result };
}
