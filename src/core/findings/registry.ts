import type { Rule } from './given';
import { bdpChatter } from './rules/bdp-chatter';
import { compressionGrew } from './rules/compression-grew';
import { connectionPerCall } from './rules/connection-per-call';
import { deadlineExceeded } from './rules/deadline';
import { continuationFlood, pingFlood, resetFlood, settingsFlood } from './rules/floods';
import { flowFindings } from './rules/flow';
import { frameSize } from './rules/frame-size';
import { goawayErrors } from './rules/goaway';
import { headerWaste } from './rules/header-waste';
import { creditLeak } from './rules/leak';
import { messageTooLarge } from './rules/message-too-large';
import { missingStatus } from './rules/missing-status';
import { oneMessageStreams } from './rules/one-message-streams';
import { pingStrikes } from './rules/ping-strikes';
import { protocolFaults } from './rules/protocol-faults';
import { resets } from './rules/resets';
import { reversedPrefix } from './rules/reversed-prefix';
import { smallFrames, tinyChunks } from './rules/small-pieces';
import { streamLimit } from './rules/stream-limit';
import { refusedStreams, unprocessedCalls } from './rules/unprocessed';

/** In the order in which findings of one severity are listed: what breaks first, then what slows, then what wastes. */
export const RULES: readonly Rule[] = [
  protocolFaults,
  frameSize,
  reversedPrefix,
  resetFlood,
  settingsFlood,
  pingFlood,
  continuationFlood,
  goawayErrors,
  messageTooLarge,
  missingStatus,
  resets,
  refusedStreams,
  unprocessedCalls,
  deadlineExceeded,
  pingStrikes,
  flowFindings,
  creditLeak,
  streamLimit,
  connectionPerCall,
  bdpChatter,
  smallFrames,
  tinyChunks,
  headerWaste,
  compressionGrew,
  oneMessageStreams,
];
