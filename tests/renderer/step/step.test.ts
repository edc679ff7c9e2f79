import { describe, expect, test } from 'vitest';
import { EDGES, edgesTaken, PLACES } from '../../../src/renderer/step/diagram';
import { stepOfKey } from '../../../src/renderer/step/moves';
import { windowText } from '../../../src/renderer/step/window-text';
import { STREAM_STATES } from '../../../src/shared/step';

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

describe('arrows', () => {
  test.each([
    [{}, 'frame'],
    [{ shiftKey: true }, 'chunk'],
    [{ ctrlKey: true }, 'call'],
    [{ ctrlKey: true, shiftKey: true }, 'interesting'],
  ])('with %j step by %s', (keys, by) => {
    expect(stepOfKey({ ...plain, ...keys, key: 'ArrowRight' }, false)).toEqual({ by, direction: 1 });
    expect(stepOfKey({ ...plain, ...keys, key: 'ArrowLeft' }, false)).toEqual({ by, direction: -1 });
  });

  test('on a Mac the command key is ⌘', () => {
    expect(stepOfKey({ ...plain, key: 'ArrowRight', metaKey: true }, true)).toEqual({ by: 'call', direction: 1 });
    expect(stepOfKey({ ...plain, key: 'ArrowRight', ctrlKey: true }, true)).toBeUndefined();
  });

  test('others, and Alt, are not taken', () => {
    expect(stepOfKey({ ...plain, key: 'ArrowUp' }, false)).toBeUndefined();
    expect(stepOfKey({ ...plain, key: 'ArrowLeft', altKey: true }, false)).toBeUndefined();
  });
});

describe('the diagram', () => {
  test('has every state, and a way to each but the first', () => {
    for (const state of STREAM_STATES) {
      expect(PLACES[state]).toBeDefined();
      if (state !== 'idle') expect(EDGES.some(({ to }) => to === state)).toBe(true);
    }
  });

  test('HEADERS with END_STREAM goes by way of open', () => {
    const taken = edgesTaken('idle', 'half-closed (client)');
    expect(taken.map(({ from, to }) => `${from} → ${to}`)).toEqual(['idle → open', 'open → half-closed (client)']);
  });

  test('a frame that changes no state takes no way', () => {
    expect(edgesTaken('open', 'open')).toEqual([]);
    expect(edgesTaken('closed', 'open')).toEqual([]);
  });
});

test.each([
  [null, '–'],
  [0, '0'],
  [65_535, '65,535'],
  [-19_950, '−19,950'],
])('a window of %j reads %s', (window, text) => {
  expect(windowText(window)).toBe(text);
});
