import { Flag } from '../../../shared/names';
import { describeFragment } from './block';
import { padded } from './padding';
import { describePriorityFields } from './priority';
import type { PayloadDescriber } from './types';

/** RFC 9113 §6.2. */
export const describeHeaders: PayloadDescriber = (payload, header) => {
  padded(payload, header, 'RFC 9113 §6.2', () => {
    if ((header.flags & Flag.PRIORITY) !== 0) describePriorityFields(payload, 'RFC 9113 §6.2');
    describeFragment(payload, header);
  });
};
