import { expect, test } from 'vitest';
import { conversation } from '../../support/conversation';
import { concat, headersFrame, incremental, indexed, PREFACE, settings } from '../../support/encode';
import { sessionOf } from './helpers';

/** The first entry of the dynamic table (RFC 7541 §2.3.3). */
const NEWEST = 62;

test('a header block that stands for more than a record can hold is cut, and says by how much', () => {
  // One field of some 4,000 octets in the table, then 15,000 references of one octet each to it: 60 MB of fields.
  const block = concat(
    incremental('x-long', 'v'.repeat(3900)),
    ...Array.from({ length: 15_000 }, () => indexed(NEWEST)),
  );
  const { frame, frameCount } = (() => {
    const session = sessionOf(
      conversation()
        .toServer(0.001, PREFACE, settings(), headersFrame(1, block, { endStream: true }))
        .file(),
    );
    return { frame: session.frame(session.frameCount), frameCount: session.frameCount };
  })();
  expect(frameCount).toBe(3);
  expect(frame.headers!.length).toBeGreaterThan(1000);
  expect(frame.headers!.length).toBeLessThan(1100);
  expect(frame.headersLeftOut).toBe(15_001 - frame.headers!.length);
});
