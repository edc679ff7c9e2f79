import { describeFragment } from './block';
import type { PayloadDescriber } from './types';

/** RFC 9113 §6.10. */
export const describeContinuation: PayloadDescriber = (payload, header) => describeFragment(payload, header);
