import type { FindingRecord } from '../../../shared/records';
import { formatDuration } from '../../../shared/units';
import { NO_ROW } from '../../capture/frames';
import { STALL_CAUSES, StallCause } from '../../flow/stall-table';
import type { Side } from '../../tcp/types';
import type { FlowSources } from '../given';
import { Marks } from '../marks';
import { counted } from '../words';

/** Nanoseconds that other streams stood still: longer than a round trip of nearly any path. */
const STARVED = 100e6;
/** Holders told apart of a connection. */
const MAX_HOLDERS = 1024;

interface Holder {
  side: Side;
  stream: number;
  time: number;
  stalls: number;
  victims: Set<number>;
  marks: Marks;
}

/** Streams that hold all of a connection's credit while others have data and window of their own. */
export function* starvationFindings({ capture, analysis }: FlowSources, id: number): Iterable<FindingRecord> {
  const { clientSide } = capture.connections[id - 1]!;
  const stalls = analysis.stalls(id);
  const holders = new Map<string, Holder>();
  for (let i = 0; i < stalls.count; i++) {
    if (STALL_CAUSES[stalls.cause.get(i)] !== STALL_CAUSES[StallCause.CONNECTION]) continue;
    const stream = stalls.stream.get(i);
    // Where several hold it, they share: nobody starves.
    const others = stalls.heldBy[i]!.filter((each) => each !== stream);
    const [holder] = others;
    if (holder === undefined || others.length > 1 || stalls.heldBy[i]![0] !== holder) continue;
    const side = stalls.side.get(i) as Side;
    const key = `${side} ${holder}`;
    let own = holders.get(key);
    if (own === undefined) {
      if (holders.size >= MAX_HOLDERS) continue;
      own = { side, stream: holder, time: 0, stalls: 0, victims: new Set(), marks: new Marks() };
      holders.set(key, own);
    }
    own.time += stalls.to.get(i) - stalls.from.get(i);
    own.stalls++;
    if (own.victims.size < MAX_HOLDERS) own.victims.add(stream);
    const released = stalls.releasedBy.get(i);
    // Without an end, the stream that stood still is shown by its newest frame.
    const call = released === NO_ROW ? capture.callAt(id, stream) : -1;
    own.marks.add(call === -1 ? released : capture.calls.lastRow.get(call));
  }
  for (const { side, stream, time, stalls: count, victims, marks } of holders.values()) {
    if (time < STARVED) continue;
    const receiver = side === clientSide ? 'server' : 'client';
    yield {
      id: 'starvation',
      severity: 'warning',
      conn: id,
      stream,
      title: `Stream ${stream} holds the connection’s credit; ${counted(victims.size, 'other stream')} stood still`,
      detail: `For ${formatDuration(time / 1e9)} in all (${counted(count, 'stall')}) streams had data and window of their own, but the connection’s window was empty: octets of stream ${stream} had used it up and were not credited. Which stream’s octets a receiver has not returned is an inference: credit of a connection names no stream.`,
      advice: `Let the ${receiver} read stream ${stream}, or end it. A receiver that returns the connection’s credit as octets arrive, whatever the application reads, cannot be starved so (grpc-go and grpc-java do); one that does not needs a connection window larger than the sum of the stream windows: Node.js session.setLocalWindowSize, Envoy initial_connection_window_size above initial_stream_window_size.`,
      source:
        'RFC 9113 §5.2.2, §6.9.1; grpc/grpc-go internal/transport/flowcontrol.go; grpc/grpc-java netty NettyServerHandler (autoRefillConnectionWindow)',
      evidence: marks.numbers(capture),
      numbers: { stalled: time / 1e9, stalls: count, streams: victims.size },
    };
  }
}
