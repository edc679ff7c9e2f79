import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refresher } from '../../../src/renderer/rows/refresher';

describe('a question that is asked again', () => {
  /** Answers that are awaited, in the order in which they were asked for. */
  let waiting: { resolve(value: number): void; reject(error: Error): void }[] = [];
  let told: number[] = [];
  let refresher: Refresher<number>;

  beforeEach(() => {
    vi.useFakeTimers();
    waiting = [];
    told = [];
    const ask = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }));
    refresher = new Refresher(
      ask,
      (value) => told.push(value),
      () => Date.now(),
    );
  });

  afterEach(() => {
    refresher.end();
    vi.useRealTimers();
  });

  const answer = async (value: number) => {
    waiting.at(-1)!.resolve(value);
    await vi.advanceTimersByTimeAsync(0);
  };

  test('is asked at once, and once while the answer is on its way, however much changes', async () => {
    for (let i = 0; i < 100; i++) refresher.touch();
    expect(waiting).toHaveLength(1);
    await answer(1);
    expect(told).toEqual([1]);
  });

  test('is asked again a second later, when something has changed meanwhile', async () => {
    refresher.touch();
    refresher.touch();
    await answer(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(waiting).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(waiting).toHaveLength(2);
    await answer(2);
    expect(told).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(waiting).toHaveLength(2);
  });

  test('takes a fifth of the time at most', async () => {
    refresher.touch();
    await vi.advanceTimersByTimeAsync(3000); // the answer takes so long
    refresher.touch();
    await answer(1);
    await vi.advanceTimersByTimeAsync(11_999);
    expect(waiting).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1); // 15 s after it was asked
    expect(waiting).toHaveLength(2);
  });

  test('that was refused is asked with the next change', async () => {
    refresher.touch();
    waiting[0]!.reject(new Error('there is no connection 2'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(waiting).toHaveLength(1);
    refresher.touch();
    expect(waiting).toHaveLength(2);
  });

  test('that is no longer wanted tells nothing, and is not asked again', async () => {
    refresher.touch();
    refresher.touch();
    refresher.end();
    await answer(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
    expect(waiting).toHaveLength(1);
  });
});
