import { appendFileSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FileSource } from '../../../src/main/session/byte-source';
import { Follower } from '../../../src/main/session/follower';
import { Session } from '../../../src/main/session/session';
import { afterThisTest, everything, sessionOf, temporaryFile, unaryCalls } from './helpers';

interface Followed {
  session: Session;
  follower: Follower;
  failures: (string | undefined)[];
  /** Resolves at the next report. */
  next(): Promise<void>;
}

function follow(path: string): Followed {
  const source = new FileSource(path);
  const session = new Session(source);
  const failures: (string | undefined)[] = [];
  let wake = () => {};
  const follower = new Follower(path, source, session.capture, {
    advanced: () => wake(),
    ended: (failure) => {
      failures.push(failure);
      wake();
    },
  });
  afterThisTest(() => {
    follower.close();
    session.close();
  });
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return { session, follower, failures, next };
}

const whole = unaryCalls(6, { delay: 0.0002 }).file();

describe('a file that grows', () => {
  test('octet by octet gives the same records as the whole file', async () => {
    const path = temporaryFile(new Uint8Array(0));
    const { session, follower, next } = follow(path);
    for (let length = 1; length <= whole.length; length++) {
      appendFileSync(path, whole.subarray(length - 1, length));
      const advanced = next();
      follower.committed(length);
      await advanced;
    }
    await follower.finish();
    expect(everything(session)).toEqual(everything(sessionOf(whole)));
  });

  test('is read up to what was committed, not up to what is there', async () => {
    const path = temporaryFile(whole);
    const { session, follower, next } = follow(path);
    const advanced = next();
    follower.committed(1000);
    expect(follower.lag).toBe(1000);
    await advanced;
    expect(follower.position).toBe(1000);
    expect(follower.lag).toBe(0);
    expect(session.capture.size).toBe(1000);
    follower.committed(500); // an older report that comes late
    expect(follower.committedLength).toBe(1000);
  });

  test('lags behind what is committed, in turns between which others have theirs', async () => {
    const large = unaryCalls(4000).file();
    const { follower, next } = follow(temporaryFile(large));
    let turns = 0;
    const lags: number[] = [];
    follower.committed(large.length);
    while (follower.lag > 0) {
      lags.push(follower.lag);
      const advanced = next();
      setImmediate(() => turns++);
      await advanced;
    }
    expect(lags[0]).toBe(large.length);
    expect([...lags].sort((a, b) => b - a)).toEqual(lags);
    expect(lags.length).toBeGreaterThan(1);
    expect(turns).toBeGreaterThan(1);
  });

  test('that ends shows what was cut, once it is known that no more comes', async () => {
    const cut = whole.length - 100;
    const { session, follower, failures } = follow(temporaryFile(whole));
    follower.committed(cut);
    await follower.finish();
    expect(everything(session)).toEqual(everything(sessionOf(whole.subarray(0, cut))));
    expect(failures).toEqual([undefined]);
    await follower.finish(); // twice is once
    expect(failures).toEqual([undefined]);
  });
});

describe('a file that was told to be longer than it is', () => {
  test('ends with a clear error, and what was read stands', async () => {
    const path = temporaryFile(whole);
    const { session, follower, failures } = follow(path);
    truncateSync(path, 2000);
    follower.committed(whole.length);
    await expect(follower.finish()).rejects.toThrow(
      `${path} ends at octet 2000, although ${whole.length} were written: was it cut?`,
    );
    expect(failures).toHaveLength(1);
    expect(everything(session)).toEqual(everything(sessionOf(whole.subarray(0, 2000))));
  });

  test('a follower that is closed refuses whoever waits', async () => {
    const { follower } = follow(temporaryFile(whole));
    const finished = follower.finish();
    follower.close();
    await expect(finished).rejects.toThrow('was given up');
  });
});
