/** What a hostile capture may cost: no work that grows with the square of its length. */
import { describe, expect, it } from 'vitest';
import { CreditHolders } from '../../../src/core/flow/credit-holders';
import { EmptySpans } from '../../../src/core/flow/empty-spans';
import { conversation } from '../../support/conversation';
import { concat, data, grpcRequest, headersFrame, PREFACE, settings, windowUpdate } from '../../support/encode';
import { stallsIn } from './stalls';

const REQUEST = grpcRequest('/a.B/C');

it('many open streams, and a connection that is empty again and again', () => {
  const talk = conversation({ delay: 0 }).toServer(0.001, PREFACE, settings()).toClient(0.002, settings());
  const streams = 5000;
  // In descending order, too, as no sound peer opens them (RFC 9113 §5.1.1): they are still found one by one.
  const opening = Array.from({ length: streams }, (_, i) => headersFrame(2 * (streams - i) + 1, REQUEST));
  talk.toServer(0.01, concat(...opening));
  talk.toServer(0.02, headersFrame(1, REQUEST), data(1, new Uint8Array(65_535)));
  for (let i = 1; i <= 1000; i++) talk.toClient(i, windowUpdate(0, 1)).toServer(i, data(3, new Uint8Array(1)));
  const stalls = stallsIn(talk.file());
  // Stream 3 is stalled once for each octet; of all others nothing says that they had data.
  expect(stalls.filter(({ stream }) => stream === 3).length).toBeGreaterThan(990);
  expect(stalls.length).toBeLessThan(1010);
});

describe('who holds the credit', () => {
  it('is the one whose own WINDOW_UPDATEs say that nothing was read', () => {
    const holders = new CreditHolders();
    holders.spend(1, 60_000); // never read
    holders.spend(3, 5535);
    // The connection's credit comes first: it is put down to the oldest, stream 1 …
    holders.returned(5535);
    expect([holders.heldBy(1), holders.heldBy(3)]).toEqual([54_465, 5535]);
    // … until stream 3's own says better.
    holders.consumed(3, 5535);
    expect([holders.heldBy(1), holders.heldBy(3)]).toEqual([60_000, 0]);
    expect(holders.named()).toEqual([1]);
  });

  it('is told of the largest, and of nobody with less than a hundredth', () => {
    const holders = new CreditHolders();
    holders.spend(1, 10);
    holders.spend(3, 1000);
    holders.spend(5, 2000);
    expect(holders.named()).toEqual([5, 3]);
    for (let stream = 7; stream < 200_000; stream += 2) holders.spend(stream, 5000);
    expect(holders.named().length).toBeLessThanOrEqual(16);
  });

  it('of more than there is out cannot come back', () => {
    const holders = new CreditHolders();
    holders.spend(1, 10);
    holders.returned(1000);
    expect([holders.total, holders.heldBy(1), holders.named()]).toEqual([0, 0, []]);
  });
});

describe('empty spans', () => {
  const spans = new EmptySpans();
  spans.begin(10, [1]);
  spans.end(19, 100);
  spans.begin(20, [3]);
  spans.end(29, 200);
  spans.begin(100, [5]);

  it('are one where they cover nearly all of the time', () => {
    // 9 + 9 of 19
    expect(spans.between(5, 50, true, 0.8)).toEqual({ from: 10, to: 29, row: 200, holders: [3] });
    expect(spans.between(5, 50, true, 0.99)).toEqual({ from: 20, to: 29, row: 200, holders: [3] });
    expect(spans.between(5, 50, false, 0.8)).toEqual({ from: 20, to: 29, row: 200, holders: [3] });
  });

  it('count from when they are looked at', () => {
    expect(spans.between(15, 25, true, 0.8)).toEqual({ from: 15, to: 25, row: 0xffffffff, holders: [3] });
    expect(spans.between(29, 100, true, 0.8)).toBeUndefined();
    expect(spans.between(50, 120, true, 0.8)).toEqual({ from: 100, to: 120, row: 0xffffffff, holders: [5] });
  });
});
