import type { FindingRecord } from '../../../shared/records';
import { formatSize } from '../../../shared/units';
import { CallKind } from '../../capture/calls';
import { endedBy, pathOf, statusMessage, wireStatus } from '../call-facts';
import type { Rule } from '../given';
import { Marks } from '../marks';
import { NamedCounts } from '../named-counts';
import { counted, quoted } from '../words';

const RESOURCE_EXHAUSTED = 8;
/** tonic's. */
const OUT_OF_RANGE = 11;

/**
 * What implementations say when a message is beyond a limit. With two numbers, the first is the message's length, but
 * for grpc-java, which names the limit first.
 */
const WORDINGS: readonly { pattern: RegExp; implementation: string; source: string; limitFirst?: true }[] = [
  {
    pattern: /^grpc: received message larger than max(?: length allowed on current machine)? \((\d+) vs\. (\d+)\)/,
    implementation: 'grpc-go',
    source: 'grpc/grpc-go rpc_util.go',
  },
  {
    pattern: /^grpc: (?:received )?message after decompression larger than max \(?(\d+)(?: vs\. (\d+)\))?/,
    implementation: 'grpc-go, after decompression',
    source: 'grpc/grpc-go rpc_util.go',
  },
  {
    pattern: /trying to send message larger than max \((\d+) vs\. (\d+)\)/,
    implementation: 'grpc-go, when sending',
    source: 'grpc/grpc-go stream.go',
  },
  {
    pattern: /gRPC message exceeds maximum size (\d+): (\d+)/,
    implementation: 'grpc-java',
    source: 'grpc/grpc-java core/src/main/java/io/grpc/internal/MessageDeframer.java',
    limitFirst: true,
  },
  {
    pattern: /Received message larger than max \((\d+) vs\.? (\d+)\)/,
    implementation: 'C-core or grpc-js',
    source:
      'grpc/grpc src/core/ext/filters/message_size/message_size_filter.cc; grpc/grpc-node packages/grpc-js/src/stream-decoder.ts',
  },
  {
    pattern: /Received message exceeds the maximum configured message size/,
    implementation: 'grpc-dotnet',
    source: 'grpc/grpc-dotnet src/Shared',
  },
  {
    pattern: /decoded message length too large: found (\d+) bytes, the limit is: (\d+) bytes/,
    implementation: 'tonic',
    source: 'hyperium/tonic tonic/src/codec/decode.rs',
  },
];

interface TooLarge {
  marks: Marks;
  methods: NamedCounts;
  text: string;
  implementation: string;
  source: string;
  length: number | undefined;
  limit: number | undefined;
  streams: Set<number>;
}

/** Calls that failed because a message was beyond a limit of its receiver (or sender), as the status message says. */
export const messageTooLarge: Rule = ({ capture }) => {
  const byConnection = new Map<number, TooLarge>();
  const { calls } = capture;
  return {
    call(call) {
      if (calls.kind.get(call) !== CallKind.GRPC || endedBy(capture, call) === undefined) return;
      const status = wireStatus(capture, call);
      if (status !== RESOURCE_EXHAUSTED && status !== OUT_OF_RANGE) return;
      const text = statusMessage(capture, call);
      for (const { pattern, implementation, source, limitFirst } of WORDINGS) {
        const match = pattern.exec(text);
        if (match === null) continue;
        const conn = calls.conn.get(call);
        let own = byConnection.get(conn);
        if (own === undefined) {
          const [first, second] = [numberOf(match[1]), numberOf(match[2])];
          own = {
            marks: new Marks(),
            methods: new NamedCounts(),
            text,
            implementation,
            source,
            length: limitFirst ? second : second === undefined ? undefined : first,
            limit: limitFirst ? first : (second ?? first),
            streams: new Set(),
          };
          byConnection.set(conn, own);
        }
        own.marks.add(calls.endRow.get(call));
        own.methods.add(pathOf(capture, call) ?? 'unknown');
        if (own.streams.size < 2) own.streams.add(calls.stream.get(call));
        return;
      }
    },
    *done(): Iterable<FindingRecord> {
      for (const [conn, own] of byConnection) {
        const { marks, methods, text, implementation, source, length, limit, streams } = own;
        const sizes =
          length === undefined || limit === undefined
            ? ''
            : ` The first: ${formatSize(length)}, and at most ${formatSize(limit)} is allowed.`;
        yield {
          id: 'message-too-large',
          severity: 'error',
          conn,
          ...(streams.size === 1 && { stream: [...streams][0]! }),
          title: `${counted(marks.count, 'call')} failed: a message was larger than its peer takes`,
          detail: `The status message is ${quoted(text)}, the words of ${implementation}.${sizes} Methods: ${methods.words()}.`,
          advice:
            'Send less at a time (pages, or a stream of smaller messages), or raise the receiver’s limit, 4 MiB by default: grpc-go MaxRecvMsgSize at a server, MaxCallRecvMsgSize at a client; grpc-java maxInboundMessageSize; C-core and grpc-js grpc.max_receive_message_length; .NET MaxReceiveMessageSize; tonic max_decoding_message_size.',
          source,
          evidence: marks.numbers(capture),
          numbers: {
            calls: marks.count,
            ...(length !== undefined && { length }),
            ...(limit !== undefined && { limit }),
          },
        };
      }
    },
  };
};

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
