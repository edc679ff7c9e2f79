import { describe, expect, test } from 'vitest';
import { moved } from '../../../src/core/step/moves';
import type { StepBy } from '../../../src/shared/step';
import { everything, middle } from './captures';
import { at, sessionOf, stepperOf } from './steps';

const session = sessionOf(everything());

describe('a step in words', () => {
  test('DATA spends both windows, padding included', () => {
    // 5,000 octets, 10 of padding and the octet that tells so: 65,535 - 5,011; stream 1 began with the server's 30,000.
    expect(at(session, 6).words).toEqual([
      "Spends 5,011 octets of what the client may send: 60,524 of the connection's window left, 24,989 of stream 1's.",
    ]);
  });

  test('credit is granted at one step and there at another', () => {
    expect(at(session, 9).words).toEqual([
      "Grants 5,011 octets on the connection's window to the client, which has it at 0.024000 s.",
    ]);
    expect(at(session, 10).windows.toServer.window).toBe(60_524);
    const later = at(session, 11);
    expect(later.meanwhile).toContain(
      "The client gets 5,011 octets of credit from frame 9: the connection's window 60,524 → 65,535.",
    );
    expect(later.windows.toServer.window).toBe(65_535);
  });

  test('SETTINGS shift the windows of open streams below 0, at their delivery', () => {
    // 20,000 granted, 20,000 and 50 spent; lowered to 100: -50 - 19,900; 70,000 of credit: 50,050.
    expect(at(session, 34).meanwhile).toEqual([
      '3 frames (41 octets) have reached the server.',
      '3 frames (39 octets) have reached the client.',
      'The server learns of an initial window of 100 octets: −19,900 on all 2 open streams.',
      "The server gets 70,000 octets of credit from frame 29: stream 1's window −19,950 → 50,050.",
      "The server gets 1,000 octets of credit from frame 30: the connection's window 45,385 → 46,385.",
    ]);
  });

  test('streams open, half-close and close (RFC 9113 §5.1)', () => {
    const change = (n: number) => at(session, n).stream;
    expect(change(3)).toEqual({ stream: 1, before: 'idle', after: 'open' });
    expect(change(10)).toEqual({ stream: 3, before: 'idle', after: 'half-closed (client)' });
    // END_STREAM of a header block counts when the block is whole.
    expect(change(15)).toEqual({ stream: 5, before: 'idle', after: 'open' });
    expect(change(20)).toEqual({ stream: 5, before: 'open', after: 'half-closed (client)' });
    expect(at(session, 21).streams.find(({ stream }) => stream === 2)?.state).toBe('reserved');
    expect(change(23)).toEqual({ stream: 2, before: 'reserved', after: 'half-closed (client)' });
    expect(change(25)).toEqual({ stream: 2, before: 'half-closed (client)', after: 'closed' });
    expect(change(35)).toEqual({ stream: 9, before: 'idle', after: 'idle' });
    expect(change(37)).toEqual({ stream: 1, before: 'half-closed (client)', after: 'closed' });
    expect(at(session, 38).closed.map(({ stream, closed }) => [stream, closed])).toEqual([
      [5, 'ended'],
      [1, 'ended'],
      [3, 'reset'],
      [2, 'reset'],
    ]);
  });

  test('DATA on a stream that its receiver has reset is still spent', () => {
    // The server did not know of the reset yet; the connection's window is gone all the same (RFC 9113 §6.9).
    expect(at(session, 26).words[0]).toContain('Spends 100 octets');
    expect(at(session, 26).windows.toClient.window).toBe(45_435);
  });

  test('settings wait until they are acknowledged', () => {
    const pending = at(session, 4).settings.server;
    expect(pending.pending).toEqual([
      {
        n: 4,
        delivered: false,
        settings: [
          { id: 3, name: 'MAX_CONCURRENT_STREAMS', value: 2, initial: false },
          { id: 4, name: 'INITIAL_WINDOW_SIZE', value: 30_000, initial: false },
          { id: 1, name: 'HEADER_TABLE_SIZE', value: 100, initial: false },
        ],
      },
    ]);
    expect(pending.inForce.every(({ initial }) => initial)).toBe(true);
    const after = at(session, 5).settings.server;
    expect(after.pending).toEqual([]);
    expect(after.inForce.map(({ id, value, initial }) => [id, value, initial])).toEqual([
      [1, 100, false],
      [2, 1, true],
      [3, 2, false],
      [4, 30_000, false],
      [5, 16_384, true],
      [6, null, true],
    ]);
  });

  test('header tables: what a block added and what it evicted', () => {
    expect(at(session, 3).tables.toServer.entries).toEqual([
      { index: 62, name: 'x-call', value: 'one', size: 41, added: true },
      { index: 63, name: ':path', value: '/one', size: 41, added: true },
    ]);
    expect(at(session, 4).tables.toServer.entries.map(({ added }) => added)).toEqual([false, false]);
    // 100 octets hold two entries of 41: each new one evicts an old one.
    const { entries, evicted, size, maxSize } = at(session, 10).tables.toServer;
    expect({ size, maxSize }).toEqual({ size: 82, maxSize: 100 });
    expect(entries.map(({ value }) => value)).toEqual(['two', '/two']);
    expect(evicted.map(({ value }) => value)).toEqual(['/one', 'one']);
  });

  test('pings are open until they are answered', () => {
    expect(at(session, 10).pings).toEqual([
      { n: 7, by: 'client', payload: '0707070707070707', age: expect.closeTo(0.007, 9) },
    ]);
    expect(at(session, 11).pings).toEqual([]);
    expect(at(session, 11).words).toEqual(['Answers the ping of frame 7, sent 12 ms before.']);
  });

  test('octets are in flight until they are delivered', () => {
    // Frames 5 to 7: 9 + (9 + 5,011) + 17.
    expect(at(session, 8).inFlight).toEqual({
      toServer: { frames: 3, octets: 5046, data: 5011 },
      toClient: { frames: 1, octets: 9, data: 0 },
    });
  });
});

describe('joined in the middle', () => {
  const joined = sessionOf(middle());

  test('windows count from 0, nothing is in force, and deliveries are not known', () => {
    const state = at(joined, 2);
    expect(state.relative).toBe(true);
    expect(state.inFlight).toBeNull();
    expect([state.windows.toServer.window, state.windows.toClient.window]).toEqual([-100, 50]);
    expect(state.settings.client.inForce).toEqual([]);
    expect(state.tables.toServer.unknown).toBe(true);
  });

  test('after octets that are missing, tables are not known and that is said', () => {
    const state = at(joined, 13);
    expect(state.lost).toBe(true);
    expect(state.words).toContain('Octets of the client are missing before this: what they said is not known.');
    expect(state.tables.toServer).toMatchObject({ count: 0, size: 0, unknown: true, evictedCount: 0 });
  });
});

describe('moves', () => {
  const stepper = stepperOf(session);
  /** Numbers of all frames that a move stops at, from one end to the other. */
  const stops = (by: StepBy, direction: 1 | -1): number[] => {
    const found: number[] = [];
    let position: number | undefined = direction === 1 ? -1 : stepper.count;
    for (;;) {
      position = moved(session.capture, stepper, position, by, direction, (row) => row === 21);
      if (position === undefined) return found;
      found.push(session.capture.numberOf(stepper.rowAt(position)));
    }
  };

  test.each<[StepBy, number[]]>([
    ['frame', Array.from({ length: 38 }, (_, i) => i + 1)],
    // The last frame of each chunk.
    ['chunk', [3, 4, 7, 9, 10, 13, 20, 23, 25, 27, 30, 33, 36, 38]],
    ['call', [3, 10, 15, 23]],
  ])('by %s', (by, expected) => {
    expect(stops(by, 1)).toEqual(expected);
    expect(stops(by, -1)).toEqual([...expected].reverse());
  });

  test('by what is of note: faults, RST_STREAM, GOAWAY, a window without credit', () => {
    const found = stops('interesting', 1);
    expect(found).toEqual(expect.arrayContaining([22, 25, 31, 33]));
    expect(found).not.toContain(6);
    expect(stops('interesting', -1)).toEqual([...found].reverse());
  });
});
