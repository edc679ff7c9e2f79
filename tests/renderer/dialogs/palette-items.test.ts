import { describe, expect, test } from 'vitest';
import { paletteItems } from '../../../src/renderer/dialogs/palette-items';
import { appState, capturing, opened, recentSession } from '../support';

const ids = (...given: Parameters<typeof paletteItems>) => paletteItems(...given).map(({ id }) => id);

describe('the palette offers', () => {
  test('at first what begins a session', () => {
    expect(ids(appState({ kind: 'none' }, [recentSession()]), [20])).toEqual([
      'start-or-stop',
      'demo',
      'rtt-20',
      'open',
      'shortcuts',
      'recent-a1',
    ]);
  });

  test('of an open session its views, keeping it and closing it', () => {
    const offered = ids(appState(opened()), []);
    expect(offered).toEqual(
      expect.arrayContaining(['view-calls', 'go-to-frame', 'fault', 'save-as', 'export', 'close']),
    );
    expect(offered).not.toContain('pause');
  });

  test('while capturing nothing that would end it unasked', () => {
    const offered = ids(appState(capturing(), [recentSession()]), []);
    expect(offered).toContain('pause');
    for (const refused of ['open', 'demo', 'recent-a1']) expect(offered).not.toContain(refused);
    expect(paletteItems(appState(capturing()), []).find(({ id }) => id === 'start-or-stop')?.words).toBe(
      'Stop capturing',
    );
  });

  test('every item once', () => {
    const offered = ids(appState(opened(), [recentSession(), recentSession({ id: 'b2' })]), [0, 5]);
    expect(new Set(offered).size).toBe(offered.length);
  });
});
