/** From the start page to a guided example, and through it by its guide, by keys and by buttons. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graveFaults } from './axe';
import { inOrder } from './in-order';
import { canOpen } from './needs';
import { eventually, session } from './steps';
import { openWindow, type TestWindow } from './window';

describe.each(['electron', 'chromium'] as const)('stepping in %s', (kind) => {
  describe.skipIf(!canOpen(kind))('through the example of a window', () => {
    inOrder(() => window.page);
    let window: TestWindow;
    const at = () => window.page.locator('.step').getAttribute('data-step');
    const press = (key: string) => window.page.keyboard.press(key);

    beforeAll(async () => {
      window = await openWindow(kind);
    }, 60_000);

    afterAll(async () => {
      await window?.dispose();
    });

    test('the start page opens it at its first frame', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'A 64 KiB window at RTT 20 ms' }).click();
      await session(page, 'open');
      await eventually(at, '1');
    });

    test('the guide leads to the frame that leaves no credit', async () => {
      const { page } = window;
      for (const stop of ['4', '8', '13']) {
        await page.locator('.step-guide').getByRole('button', { name: /stop$/ }).last().click();
        await eventually(at, stop);
      }
      await eventually(() => page.getByRole('meter', { name: 'connection' }).last().getAttribute('aria-valuenow'), '0');
      await eventually(() => page.locator('.step-diagram').getAttribute('data-state'), 'half-closed (client)');
    });

    test('arrows step by frame, chunk, call and thing of note, and back', async () => {
      for (const [key, n] of [
        ['ArrowLeft', '12'],
        ['ArrowRight', '13'],
        ['Shift+ArrowRight', '14'],
        ['Control+ArrowLeft', '4'],
        ['Control+Shift+ArrowRight', '13'],
      ] as const) {
        await press(key);
        await eventually(at, n);
      }
    });

    test('buttons do the same, and the end is the end', async () => {
      const { page } = window;
      await page.getByRole('button', { name: /^Next thing of note/ }).click();
      await eventually(at, '18');
      for (let i = 0; i < 30; i++) await press('ArrowRight');
      await eventually(at, '40');
      await eventually(() => page.locator('.step-diagram').getAttribute('data-state'), 'closed');
    });

    test('keeps nobody out, in either theme', async () => {
      const { page } = window;
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const key of ['ArrowLeft', 'ArrowRight']) {
          await press(key);
          await eventually(at, key === 'ArrowLeft' ? '39' : '40');
          expect(await graveFaults(page)).toEqual([]);
        }
      }
    });

    test('the timeline has moved with it', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'Show on the timeline' }).click();
      await page.locator('.app[data-view="timeline"]').waitFor();
      expect(await page.locator('[role="row"][aria-selected="true"]').first().textContent()).toContain('HEADERS');
    });
  });
});
