import { describe, expect, test } from 'vitest';
import { keyText, type Press, type Shortcut, shortcutOf } from '../../../src/renderer/app/shortcut-match';
import { byWords } from '../../../src/renderer/dialogs/sheet';

const nothing = () => undefined;
const PALETTE: Shortcut = { key: 'k', mod: true, words: 'Command palette', run: 'palette', inInputs: true };
const ONE: Shortcut = { key: '1', words: 'Timeline', run: 'view-timeline' };
const SHEET: Shortcut = { key: '?', words: 'This sheet', run: 'shortcuts' };
const NEXT: Shortcut = { key: 'F6', words: 'Next pane', run: nothing, inInputs: true };
const BEFORE: Shortcut = { key: 'F6', shift: true, words: 'Pane before', run: nothing, inInputs: true };
const ALL = [PALETTE, ONE, SHEET, NEXT, BEFORE];

function press(key: string, held: Partial<Press> = {}): Press {
  return { key, ctrlKey: false, metaKey: false, shiftKey: false, ...held };
}

describe('a shortcut', () => {
  test('takes the platform’s command key, and not the other one', () => {
    expect(shortcutOf(ALL, press('k', { ctrlKey: true }), false, false)).toBe(PALETTE);
    expect(shortcutOf(ALL, press('k', { metaKey: true }), true, false)).toBe(PALETTE);
    expect(shortcutOf(ALL, press('k', { ctrlKey: true }), true, false)).toBeUndefined();
    expect(shortcutOf(ALL, press('k'), false, false)).toBeUndefined();
    expect(shortcutOf(ALL, press('1', { ctrlKey: true }), true, false)).toBeUndefined();
  });

  test('does not mind the caps lock, but minds Shift', () => {
    expect(shortcutOf(ALL, press('K', { ctrlKey: true }), false, false)).toBe(PALETTE);
    expect(shortcutOf(ALL, press('K', { ctrlKey: true, shiftKey: true }), false, false)).toBeUndefined();
  });

  test('of a character does not ask how a keyboard makes it', () => {
    expect(shortcutOf(ALL, press('?', { shiftKey: true }), false, false)).toBe(SHEET);
    expect(shortcutOf(ALL, press('?'), false, false)).toBe(SHEET);
  });

  test('with Shift is another than without', () => {
    expect(shortcutOf(ALL, press('F6'), false, false)).toBe(NEXT);
    expect(shortcutOf(ALL, press('F6', { shiftKey: true }), false, false)).toBe(BEFORE);
  });

  test('of a plain character is text in an input', () => {
    expect(shortcutOf(ALL, press('1'), false, true)).toBeUndefined();
    expect(shortcutOf(ALL, press('k', { ctrlKey: true }), false, true)).toBe(PALETTE);
    expect(shortcutOf(ALL, press('F6'), false, true)).toBe(NEXT);
  });
});

describe('a key is written', () => {
  test('as its platform has it', () => {
    expect(keyText(PALETTE, false)).toBe('Ctrl+K');
    expect(keyText(PALETTE, true)).toBe('⌘K');
    expect(keyText(BEFORE, false)).toBe('Shift+F6');
    expect(keyText({ key: 'PageUp' }, false)).toBe('Page Up');
  });

  test('beside others that do the same', () => {
    const find = { words: 'Filter the frames', run: 'find' } as const;
    expect(byWords([{ ...find, key: 'f', mod: true }, ONE, { ...find, key: '/' }], false)).toEqual([
      { words: 'Filter the frames', keys: ['Ctrl+F', '/'] },
      { words: 'Timeline', keys: ['1'] },
    ]);
  });
});
