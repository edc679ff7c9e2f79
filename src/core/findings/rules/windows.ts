import type { LimitRecord } from '../../../shared/flow';
import type { FindingRecord } from '../../../shared/records';
import type { Side } from '../../tcp/types';
import type { FlowSources } from '../given';
import { windowKnobs } from '../window-knobs';

/** One stall shorter than this is what any first windowful costs; seconds. */
const SHORT = 0.1;

const NAMES = {
  'stream-window': 'stream-window-limit',
  'connection-window': 'connection-window-limit',
  both: 'window-limit',
} as const;

/** Transfers of one connection that a window holds back: see core/flow/limit for how that is told from what looks like it. */
export function* windowFindings({ analysis, implementation }: FlowSources, conn: number): Iterable<FindingRecord> {
  for (const side of [0, 1] as const) {
    const limit = analysis.limit(conn, side);
    if (limit === undefined || limit.emptyWindow === null) continue;
    if (limit.stalls < 2 && limit.stalled < SHORT) continue;
    const finding = findingOf(limit, implementation?.(conn, (side ^ 1) as Side));
    if (finding !== undefined) yield finding;
  }
}

function findingOf(limit: LimitRecord, implementation: string | undefined): FindingRecord | undefined {
  const { conn, dir, limitedBy, sentence, detail, evidence } = limit;
  const receiver = dir === 'toServer' ? 'server' : 'client';
  const common = { severity: 'warning', conn, evidence, numbers: numbersOf(limit) } as const;
  switch (limitedBy) {
    case 'stream-window':
    case 'connection-window':
    case 'both': {
      const which = limitedBy === 'both' ? 'the windows' : `the ${limitedBy.replace('-', '’s ')}`;
      return {
        ...common,
        id: NAMES[limitedBy],
        title: `What goes to the ${receiver} is held back by ${which}`,
        detail: `${sentence}. ${detail}`,
        advice: `Let the ${receiver} grant more: ${windowKnobs(limitedBy, receiver, limit.proposal?.window, implementation)}`,
        source:
          'RFC 9113 §6.9; grpc/grpc-go server.go and dialoptions.go; grpc/grpc-java NettyServerBuilder; Envoy config.core.v3.Http2ProtocolOptions; nginx ngx_http_v2_module',
      };
    }
    case 'receiver':
      return {
        ...common,
        id: 'slow-reader',
        title: `The ${receiver} returns credit late`,
        detail: `${sentence}. ${detail}`,
        advice: `Look at what the ${receiver} does with each message: it reads more slowly than its peer could send, and a larger window would only be filled too. Work that takes long belongs behind the reading.`,
        source: 'RFC 9113 §5.2.1, §6.9.1',
      };
    case 'link':
    case 'sender':
    case 'nothing':
    case 'unknown':
      return undefined; // no window's fault
    default:
      return limitedBy satisfies never;
  }
}

function numbersOf(limit: LimitRecord): Record<string, number> {
  const { window, rtt, limit: allowed, measured, stalled, stalledShare, stalls, octets, proposal } = limit;
  return {
    octets,
    stalls,
    stalled,
    stalledShare,
    ...(window !== null && { window }),
    ...(rtt !== null && { rtt }),
    ...(allowed !== null && { limitRate: allowed }),
    ...(measured !== null && { measuredRate: measured }),
    ...(proposal !== null && { proposedWindow: proposal.window, proposedRate: proposal.rate }),
  };
}
