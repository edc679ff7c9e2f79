import type { Rule } from './given';
import { deadlineExceeded } from './rules/deadline';
import { continuationFlood, pingFlood, resetFlood, settingsFlood } from './rules/floods';
import { frameSize } from './rules/frame-size';
import { goawayErrors } from './rules/goaway';
import { messageTooLarge } from './rules/message-too-large';
import { missingStatus } from './rules/missing-status';
import { pingStrikes } from './rules/ping-strikes';
import { protocolFaults } from './rules/protocol-faults';
import { resets } from './rules/resets';
import { reversedPrefix } from './rules/reversed-prefix';
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
];
