import type { StallCause } from '../../shared/flow';
import { withCommas } from './words';

type Receiver = 'server' | 'client';

interface Knobs {
  stream: Record<Receiver, string>;
  connection: Record<Receiver, string>;
  /** The two cannot be set apart, or something else is to be known. */
  note?: string;
}

/** Names of the settings by which receivers choose their windows; implementations are named as in core/grpc/implementations. */
const KNOBS: ReadonlyMap<string, Knobs> = new Map([
  [
    // grpc/grpc-go server.go, dialoptions.go
    'grpc-go',
    {
      stream: { server: 'StaticStreamWindowSize', client: 'WithStaticStreamWindowSize' },
      connection: { server: 'StaticConnWindowSize', client: 'WithStaticConnWindowSize' },
      note: 'or leave both alone: its estimator then widens them',
    },
  ],
  [
    // grpc/grpc-java netty NettyServerBuilder, NettyChannelBuilder: one value for both windows
    'grpc-java',
    {
      stream: { server: 'flowControlWindow', client: 'flowControlWindow' },
      connection: { server: 'flowControlWindow', client: 'flowControlWindow' },
      note: 'or initialFlowControlWindow, which its estimator widens from',
    },
  ],
  [
    // grpc/grpc-node packages/grpc-js/src/transport.ts
    'grpc-node-js',
    {
      stream: { server: 'grpc-node.flow_control_window', client: 'grpc-node.flow_control_window' },
      connection: { server: 'grpc-node.flow_control_window', client: 'grpc-node.flow_control_window' },
    },
  ],
  [
    // grpc/grpc include/grpc/impl/channel_arg_names.h
    'grpc-core',
    {
      stream: { server: 'grpc.http2.lookahead_bytes', client: 'grpc.http2.lookahead_bytes' },
      connection: { server: 'grpc.http2.lookahead_bytes', client: 'grpc.http2.lookahead_bytes' },
      note: 'and grpc.http2.bdp_probe 1 (the default), by which it widens them',
    },
  ],
  [
    // Envoy config.core.v3.Http2ProtocolOptions
    'envoy',
    {
      stream: { server: 'initial_stream_window_size', client: 'initial_stream_window_size of the cluster' },
      connection: {
        server: 'initial_connection_window_size',
        client: 'initial_connection_window_size of the cluster',
      },
    },
  ],
]);

const OTHERS =
  'grpc-go StaticStreamWindowSize and StaticConnWindowSize (a client: WithStatic…), or its estimator with both left alone; grpc-java flowControlWindow or initialFlowControlWindow; C-core grpc.http2.lookahead_bytes and grpc.http2.bdp_probe; grpc-js grpc-node.flow_control_window; Node.js settings.initialWindowSize and session.setLocalWindowSize; nginx http2_body_preread_size; Envoy initial_stream_window_size and initial_connection_window_size.';

/** What to set at the receiver: its own knobs where it is known which software it is, else those of all. */
export function windowKnobs(
  cause: StallCause,
  receiver: Receiver,
  proposed: number | undefined,
  implementation: string | undefined,
): string {
  const knobs = implementation === undefined ? undefined : KNOBS.get(implementation);
  if (knobs === undefined) return OTHERS;
  const names = new Set([
    ...(cause === 'connection-window' ? [] : [knobs.stream[receiver]]),
    ...(cause === 'stream-window' ? [] : [knobs.connection[receiver]]),
  ]);
  const size = proposed === undefined ? '' : ` of ${withCommas(proposed)} octets`;
  const note = knobs.note === undefined ? '' : `, ${knobs.note}`;
  return `it looks like ${implementation}, whose setting is ${[...names].join(' and ')}${size}${note}.`;
}
