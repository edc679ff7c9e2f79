import { describe, expect, it } from 'vitest';
import { axisOctets, axisRate, axisSeconds } from '../../../src/renderer/windows/axis';
import { windowsCsv } from '../../../src/renderer/windows/export-graph';
import { isDense, plotData, stepAt } from '../../../src/renderer/windows/plot-data';
import { around, movedByKey, panned, zoomed } from '../../../src/renderer/windows/range';
import { heldWords, percentText } from '../../../src/renderer/windows/words';

const connection = { stream: 0, t: [0, 2], window: [100, 60], n: [1, 7], total: 2 };
const ended = { stream: 1, t: [1, 2], window: [50, 10], n: [5, 7], total: 2, end: 3 };

describe('lines of windows', () => {
  it('go on to the end of the graph, those of a stream that is over to its end', () => {
    expect(plotData([connection, ended], 10)).toEqual([
      [0, 1, 2, 3, 10],
      [100, undefined, 60, undefined, 60],
      [undefined, 50, 10, 10, undefined],
    ]);
  });

  it('end with the graph where the stream goes on beyond it', () => {
    expect(plotData([{ ...ended, end: 30 }], 10)).toEqual([
      [1, 2, 10],
      [50, 10, 10],
    ]);
  });

  it('of nothing are nothing', () => {
    expect(plotData([{ stream: 3, t: [], window: [], n: [], total: 0 }], 10)).toEqual([[], []]);
  });

  it('hold between steps, and nowhere after their end', () => {
    expect([0.5, 1, 1.9, 2, 3, 3.1].map((time) => stepAt(ended, time))).toEqual([-1, 0, 0, 1, 1, -1]);
  });

  it('are dense where most steps were left out', () => {
    expect(isDense(connection)).toBe(false);
    expect(isDense({ ...connection, total: 100 })).toBe(true);
  });
});

describe('the range in sight', () => {
  const full = { from: 10, to: 20 };

  it('is zoomed around the pointer, which stays where it is', () => {
    expect(zoomed(full, full, 12, 0.5)).toEqual({ from: 11, to: 16 });
    expect(zoomed({ from: 11, to: 16 }, full, 12, 4)).toBeNull(); // all
    expect(zoomed({ from: 11, to: 16 }, full, 11, 0.2)).toEqual({ from: 11, to: 12 });
  });

  it('is moved no farther than there is time', () => {
    expect(panned({ from: 12, to: 14 }, full, 0.5)).toEqual({ from: 13, to: 15 });
    expect(panned({ from: 12, to: 14 }, full, 50)).toEqual({ from: 18, to: 20 });
    expect(panned({ from: 12, to: 14 }, full, -50)).toEqual({ from: 10, to: 12 });
    expect(panned(full, full, 0.5)).toBeNull();
  });

  it('is moved by keys, and no others', () => {
    expect(movedByKey('ArrowRight', { from: 12, to: 14 }, full)).toEqual({ from: 12.4, to: 14.4 });
    expect(movedByKey('+', full, full)).toEqual({ from: 12.5, to: 17.5 });
    expect(movedByKey('Home', { from: 12, to: 14 }, full)).toBeNull();
    expect(movedByKey('x', full, full)).toBeUndefined();
  });

  it('holds a stall and as much on both sides', () => {
    expect(around({ from: 14, to: 15 }, full)).toEqual({ from: 13, to: 16 });
    expect(around({ from: 10, to: 11 }, full)).toEqual({ from: 10, to: 13 });
  });
});

describe('words', () => {
  it('of axes have units', () => {
    expect([0, 512, 65_536, -16_384, 1_572_864].map(axisOctets)).toEqual([
      '0',
      '512 B',
      '64 KiB',
      '-16 KiB',
      '1.5 MiB',
    ]);
    expect(axisRate(2 << 20)).toBe('2 MiB/s');
    expect(axisSeconds([2.15, 2.17, 2.19])).toEqual(['2.15 s', '2.17 s', '2.19 s']);
    expect(axisSeconds([0, 5, 10])).toEqual(['0 s', '5 s', '10 s']);
  });

  it('say who holds the credit', () => {
    expect(heldWords([], 1)).toBe('');
    expect(heldWords([1], 1)).toBe(', held by itself');
    expect(heldWords([3], 1)).toBe(', held by stream 3');
    expect(heldWords([3, 5, 1], 1)).toBe(', held by streams 3, 5 and itself');
    expect(heldWords([3, 5, 7, 9, 11], 1)).toBe(', held by streams 3, 5, 7, 9 …');
  });

  it('of parts do not round something to nothing', () => {
    expect([0, 0.0004, 0.004, 0.096, 0.914, 1].map(percentText)).toEqual([
      '0 %',
      '< 0.1 %',
      '0.4 %',
      '9.6 %',
      '91 %',
      '100 %',
    ]);
  });
});

it('a table has a line for each step, to the nanosecond', () => {
  expect(windowsCsv([{ stream: 0, t: [0.013000001], window: [-5], n: [7], total: 1 }])).toBe(
    'stream,time,window,frame\r\n0,0.013000001,-5,7\r\n',
  );
});
