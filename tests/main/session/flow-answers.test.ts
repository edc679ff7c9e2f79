import { describe, expect, test } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { accountsView } from '../../../src/main/session/accounts-view';
import { concurrencyRecord, concurrencyView } from '../../../src/main/session/concurrency-view';
import { MAX_ACCOUNTS } from '../../../src/shared/accounts';
import { Setting } from '../../../src/shared/names';
import { captureFile, conversation } from '../../support/conversation';
import { grpcRequest, grpcTrailers, headersFrame, PREFACE, settings, settingsAck } from '../../support/encode';
import { twoConnections } from '../headless/fixture';

function read(file: Uint8Array): Capture {
  const capture = new Capture();
  capture.push(file);
  capture.end();
  return capture;
}

describe('accounts', () => {
  const capture = read(twoConnections());
  const query = { from: null, to: null, first: 0, count: 10 };

  test('are of the whole and of the connections asked for', () => {
    const { whole, connections, total } = accountsView(capture, query);
    expect([whole.conn, whole.calls, total]).toEqual([null, 2, 2]);
    expect(connections.map(({ conn }) => conn)).toEqual([1, 2]);
    expect(accountsView(capture, { ...query, first: 1, count: 1 }).connections.map(({ conn }) => conn)).toEqual([2]);
    expect(accountsView(capture, { ...query, to: 0.05 }).whole.connections).toBe(1);
  });

  test('are bounded, whatever is asked', () => {
    const many = read(
      captureFile(
        Array.from({ length: MAX_ACCOUNTS + 1 }, (_, i) =>
          conversation({ client: `127.0.0.1:${10_000 + i}`, handshake: i / 1e4 }),
        ),
      ),
    );
    expect(accountsView(many, { ...query, count: 1e9 })).toMatchObject({ total: MAX_ACCOUNTS + 1 });
    expect(accountsView(many, { ...query, count: 1e9 }).connections).toHaveLength(MAX_ACCOUNTS);
    for (const bad of [Number.NaN, -5]) {
      expect(accountsView(many, { ...query, first: bad, count: bad }).connections).toEqual([]);
    }
  });
});

describe('concurrency', () => {
  /** 1,000 calls one after the other, two open for a moment each time: frames 6 and up, 1 ms a call. */
  function busy(): Capture {
    const talk = conversation()
      .toServer(0.001, PREFACE, settings())
      .toClient(0.002, settings([[Setting.MAX_CONCURRENT_STREAMS, 2]]), settingsAck())
      .toServer(0.003, settingsAck());
    for (let i = 0; i < 1000; i++) {
      const request = headersFrame(2 * i + 1, grpcRequest('/a.B/C'), { endStream: true });
      talk.toServer(0.01 + i / 1000, request);
      if (i > 0) talk.toClient(0.0105 + i / 1000, headersFrame(2 * i - 1, grpcTrailers(0), { endStream: true }));
    }
    return read(talk.file());
  }

  test('is told in seconds and by the numbers of frames', () => {
    const capture = busy();
    const { record, deliveries, limits, t, open, n, total } = concurrencyView(capture, {
      conn: 1,
      from: 0.0095,
      to: 0.0112,
      buckets: 100,
    });
    expect(deliveries).toBe(true);
    expect(limits).toEqual([{ t: 0.003, value: 2, n: 3 }]);
    expect(record).toEqual(concurrencyRecord(capture, 1));
    expect(record).toMatchObject({ streams: 1000, peak: 2, peakFrame: 7, limit: 2, limitFrame: 3, beyond: 0 });
    // At the limit for half of each millisecond but the first.
    expect(record.atLimit).toBeCloseTo(999 * 0.0005, 6);
    // The steps in the time, and the first behind it.
    expect([t, open, n, total]).toEqual([[0.01, 0.011, 0.0115], [1, 2, 1], [6, 7, 8], 3]);
  });

  test('keeps what is highest and lowest where there are more steps than pixels', () => {
    const { t, open, total } = concurrencyView(busy(), { conn: 1, from: 0, to: 1.1, buckets: 10 });
    expect(total).toBe(1999);
    expect(t.length).toBeLessThanOrEqual(4 * 11);
    expect(Math.max(...open)).toBe(2);
    expect(open.filter((count) => count === 2).length).toBeGreaterThanOrEqual(10);
    expect(t).toEqual([...t].sort((a, b) => a - b));
  });

  test('of a connection that is not there is a request that makes no sense', () => {
    expect(() => concurrencyView(busy(), { conn: 2, from: 0, to: 1, buckets: 1 })).toThrow('there is no connection 2');
  });
});
