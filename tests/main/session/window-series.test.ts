import { describe, expect, it } from 'vitest';
import { WindowCause, WindowSamples } from '../../../src/core/flow/window-samples';
import { windowSeries } from '../../../src/main/session/window-series';
import type { WindowSeries } from '../../../src/shared/series';

/** Samples of one window, `[nanosecond, window]` each; row i is frame i + 1. */
function samplesOf(points: readonly (readonly [time: number, window: number])[], stream = 1): WindowSamples {
  const samples = new WindowSamples();
  for (const [i, [time, window]] of points.entries()) {
    const before = points[i - 1]?.[1] ?? 65_535;
    samples.push(time, 0, stream, window, window - before, WindowCause.DATA, i);
  }
  return samples;
}

function seriesOf(samples: WindowSamples, from: number, to: number, buckets: number, stream = 1): WindowSeries {
  return windowSeries(samples, 0, stream, from, to, buckets, (row) => row + 1, 0);
}

/** 1,000 samples, one each nanosecond, that go up and down without a pattern that repeats in 100. */
const MANY = Array.from({ length: 1000 }, (_, i): [number, number] => [i, (i * 7919) % 1009]);

describe('a series of a window', () => {
  it('is all samples between two times where there are few, with the last before and the first after them', () => {
    const samples = samplesOf([
      [10, 100],
      [20, 90],
      [30, 80],
      [40, 70],
      [50, 60],
    ]);
    expect(seriesOf(samples, 25, 35, 100)).toEqual({
      stream: 1,
      t: [20e-9, 30e-9, 40e-9],
      window: [90, 80, 70],
      n: [2, 3, 4],
      total: 3,
    });
  });

  it.each([
    ['between two samples', 25, 20],
    ['at a sample', 20, 10], // what came before holds just until then
    ['after the last', 90, 50],
  ])('has the value that holds at its beginning: %s', (_where, from, expected) => {
    const samples = samplesOf(Array.from({ length: 5 }, (_, i) => [10 * (i + 1), 100 - i]));
    const { t } = seriesOf(samples, from, 1000, 100);
    expect(t[0]).toBe(expected / 1e9);
  });

  it('keeps first, lowest, highest and last of each interval, in order, where there are many', () => {
    const { t, window, total } = seriesOf(samplesOf(MANY), 0, 1000, 10);
    expect(total).toBe(1000);
    expect(t.length).toBeLessThanOrEqual(40);
    expect(t).toEqual([...t].sort((a, b) => a - b));
    for (let bucket = 0; bucket < 10; bucket++) {
      const all = MANY.slice(bucket * 100, bucket * 100 + 100);
      const kept = t.flatMap((time, i) => (Math.floor(time * 1e7) === bucket ? [[time * 1e9, window[i]!]] : []));
      const lows = Math.min(...all.map(([, value]) => value));
      const highs = Math.max(...all.map(([, value]) => value));
      expect(kept[0]![1]).toBe(all[0]![1]);
      expect(kept.at(-1)![1]).toBe(all.at(-1)![1]);
      expect(Math.min(...kept.map(([, value]) => value!))).toBe(lows);
      expect(Math.max(...kept.map(([, value]) => value!))).toBe(highs);
    }
  });

  it('keeps the value that holds at its beginning when it chooses, too', () => {
    const { t, window } = seriesOf(samplesOf(MANY), 500.5, 900, 10);
    expect([t[0], window[0]]).toEqual([500e-9, MANY[500]![1]]);
    expect(t.at(-1)).toBe(901e-9);
  });

  it.each([
    ['an interval without length', 5, 5],
    ['an interval with its ends the wrong way round', 9, 1],
  ])('ends, whatever is asked for: %s', (_what, from, to) => {
    const samples = samplesOf(Array.from({ length: 100 }, (_, i) => [5, i]));
    expect(seriesOf(samples, from, to, 1).t.length).toBeLessThanOrEqual(6);
    expect(seriesOf(samples, from, to, Number.NaN).t.length).toBeLessThanOrEqual(100);
  });

  it('of the connection begins with what was granted, at the connection’s beginning, and only there', () => {
    const samples = samplesOf(
      [
        [100, 65_000],
        [200, 64_000],
        [300, 63_000],
      ],
      0,
    );
    expect(seriesOf(samples, 0, 1000, 10, 0)).toMatchObject({
      t: [0, 100e-9, 200e-9, 300e-9],
      window: [65_535, 65_000, 64_000, 63_000],
    });
    expect(seriesOf(samples, 250, 1000, 10, 0)).toMatchObject({ t: [200e-9, 300e-9], window: [64_000, 63_000] });
  });

  it('of another window or direction is not mixed in', () => {
    const samples = samplesOf([[10, 1]]);
    samples.push(20, 1, 1, 5, 5, WindowCause.DATA, 1);
    samples.push(30, 0, 3, 7, 7, WindowCause.DATA, 2);
    expect(seriesOf(samples, 0, 100, 10).window).toEqual([1]);
    expect(seriesOf(samples, 0, 100, 10, 5)).toEqual({ stream: 5, t: [], window: [], n: [], total: 0 });
  });
});
