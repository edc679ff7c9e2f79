/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graveFaults } from './axe';
import { inOrder } from './in-order';
import { canOpen } from './needs';
import { command, eventually, grid, litOctets, readToTheEnd, rowCount, session } from './steps';
import { openWindow, type TestWindow } from './window';

/** A state of the window: how it is reached by keyboard, and what is there then. */
const STATES: readonly { name: string; reach(page: Page): Promise<void>; shown: string }[] = [
  {
    name: 'timeline with a frame and a field',
    reach: (page) => page.keyboard.press('1'),
    shown: '.tree-row[aria-selected="true"]',
  },
  {
    name: 'columns',
    reach: (page) => page.getByRole('button', { name: 'Columns and time' }).press('Enter'),
    shown: '[role="menu"]',
  },
  {
    name: 'round trip',
    reach: (page) => page.getByRole('button', { name: /^RTT/ }).press('Enter'),
    shown: '.bar-popover',
  },
  { name: 'rate', reach: (page) => page.getByRole('button', { name: /^Rate/ }).press('Enter'), shown: '.bar-popover' },
  { name: 'palette', reach: (page) => page.keyboard.press('Control+k'), shown: '[role="dialog"]' },
  { name: 'go to a frame', reach: (page) => page.keyboard.press('Control+g'), shown: '[role="dialog"]' },
  { name: 'export', reach: (page) => page.keyboard.press('Control+e'), shown: '[role="dialog"]' },
  { name: 'sheet of keys', reach: (page) => page.keyboard.press('?'), shown: '[role="dialog"]' },
  { name: 'calls', reach: (page) => page.keyboard.press('2'), shown: '[aria-label="Calls"] [role="row"]' },
  { name: 'windows', reach: (page) => page.keyboard.press('3'), shown: '.windows-streams tbody tr' },
  { name: 'rounds', reach: (page) => page.keyboard.press('4'), shown: '.rounds[data-ready]' },
  { name: 'findings', reach: (page) => page.keyboard.press('7'), shown: '.finding-row' },
  { name: 'accounts', reach: (page) => page.keyboard.press('5'), shown: '.accounts-table tbody tr' },
  { name: 'concurrency', reach: (page) => page.keyboard.press('6'), shown: '.concurrency tbody tr' },
];

describe.each(['electron', 'chromium'] as const)('without a mouse, in %s', (kind) => {
  describe.skipIf(!canOpen(kind))('everything can be reached, and is named', () => {
    inOrder(() => window.page);
    let window: TestWindow;

    beforeAll(async () => {
      window = await openWindow(kind);
    });

    afterAll(() => window?.dispose());

    test('the start page', async () => {
      await expectCare(window.page);
    });

    test('a capture is started and stopped', async () => {
      const { page } = window;
      await command(page, 'Run the demo');
      await session(page, 'capturing');
      await expect.poll(() => rowCount(page), { timeout: 20_000 }).toBeGreaterThan(100);
      await page.keyboard.press('Control+Enter');
      await readToTheEnd(page);
    });

    test('from the filter through the rows to fields and octets, and back', async () => {
      const { page } = window;
      await page.keyboard.press('/');
      await focusIn(page, 'pane-filter');
      await page.keyboard.type('type == WINDOW_UPDATE');
      await page.keyboard.press('Enter');
      await eventually(() => page.locator('.filter-count').getAttribute('data-filter'), 'type == WINDOW_UPDATE');
      await page.keyboard.press('ArrowDown');
      await focusIn(page, 'pane-rows');
      await page.keyboard.press('ArrowDown');
      const first = await selected(page);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => selected(page)).toBeGreaterThan(first);
      await page.keyboard.press('Home');
      await eventually(() => selected(page), first);
      await page.keyboard.press('F6');
      await focusIn(page, 'pane-fields');
      await page.keyboard.press('End');
      await eventually(() => litOctets(page), [9, 10, 11, 12]);
      await page.keyboard.press('F6');
      await focusIn(page, 'pane-hex');
      await page.keyboard.press('Home');
      await eventually(() => litOctets(page), [0, 1, 2]);
      expect(await grid(page, 'Frames').count()).toBe(1);
      await page.keyboard.press('Shift+F6');
      await focusIn(page, 'pane-fields');
      await page.keyboard.press('F6');
      await page.keyboard.press('F6');
      await focusIn(page, 'pane-filter');
    });

    test('a frame by its number, through a filter that hides it', async () => {
      const { page } = window;
      await page.keyboard.press('Control+g');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('1');
      await page.keyboard.press('Enter');
      await focusIn(page, 'pane-rows');
      await eventually(() => selected(page), 1);
      expect(await page.getByLabel('Filter', { exact: true }).inputValue()).toBe('');
      await page.keyboard.press('ArrowDown');
      await eventually(() => selected(page), 2);
    });

    test('the sheet of keys takes the focus, and gives it back', async () => {
      const { page } = window;
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Keyboard' });
      await sheet.waitFor();
      expect(await sheet.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
      await focusIn(page, 'pane-rows');
    });

    test('a field of the chosen frame', async () => {
      const { page } = window;
      await page.keyboard.press('F6');
      await focusIn(page, 'pane-fields');
      await page.keyboard.press('Home');
      await page.locator('.tree-row[aria-selected="true"]').waitFor();
    });

    test.each(STATES.map((state) => [state.name, state] as const))('%s', async (_, { reach, shown }) => {
      const { page } = window;
      await reach(page);
      await page.locator(shown).first().waitFor();
      await expectCare(page);
      await page.keyboard.press('Escape');
      await page.locator('[role="dialog"], [role="menu"]').waitFor({ state: 'hidden' });
    });
  });
});

/** Nothing that keeps people out, in light and in dark. */
async function expectCare(page: Page): Promise<void> {
  const faults: Record<string, string[]> = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    faults[colorScheme] = await graveFaults(page);
  }
  expect(faults).toEqual({ light: [], dark: [] });
}

/** Waits until what has the focus is in that pane. */
async function focusIn(page: Page, pane: string): Promise<void> {
  await eventually(() => page.evaluate(() => document.activeElement?.closest('[id^="pane-"]')?.id), pane);
}

/** Number of the selected frame, once its detail is there. */
async function selected(page: Page): Promise<number> {
  return Number(await page.locator('.detail').getAttribute('data-frame'));
}
