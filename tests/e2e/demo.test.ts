/** From the demo to the sentence, to a stall, to its frame, to the step. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inOrder } from './in-order';
import { canOpen } from './needs';
import { eventually, session, showView, stopCapture } from './steps';
import { openWindow, type TestWindow } from './window';

describe.each(['electron', 'chromium'] as const)('the demo in %s', (kind) => {
  describe.skipIf(!canOpen(kind))('of real calls through a real tap', () => {
    inOrder(() => window.page);
    let window: TestWindow;

    beforeAll(async () => {
      window = await openWindow(kind);
    }, 90_000);

    afterAll(async () => {
      await window?.dispose();
    });

    test('runs until it has been held back', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'Run the demo' }).click();
      await session(page, 'capturing');
      // The large upload and its answer, which both windows hold back.
      await eventually(
        () => page.locator('[data-figure="frames"]').textContent(),
        expect.stringMatching(/^[1-9],\d{3} frames|^9\d\d frames/),
      );
      await stopCapture(page);
    });

    test('leads from the sentence to a stall, to its frame, and through it step by step', async () => {
      const { page } = window;
      await showView(page, 'Windows');
      await page.locator('.headline[data-limited-by]').waitFor();
      await eventually(
        () => page.locator('.headline h1').textContent(),
        expect.stringMatching(/^(For .* of the time l|L)imited by the .* window.*: 64 KiB \/ .* ms = /),
      );
      await page.getByRole('button', { name: 'Show a stall' }).click();
      const link = page.getByRole('button', { name: /^Show frame [\d,]+ on the timeline$/ });
      const frame = Number((await link.textContent())!.replace(/\D/g, ''));
      await link.click();
      await page.locator('.app[data-view="timeline"]').waitFor();
      await eventually(
        () => page.locator('[role="row"][aria-selected="true"]').first().textContent(),
        expect.stringContaining('WINDOW_UPDATE'),
      );
      await showView(page, 'Windows');
      await page.getByRole('button', { name: 'Step through it' }).click();
      await page.locator(`.step[data-step="${frame}"]`).waitFor();
      expect(await page.locator('.step-words').textContent()).toContain('WINDOW_UPDATE');
      await page.keyboard.press('ArrowLeft');
      await page.locator(`.step:not([data-step="${frame}"])[data-step]`).waitFor();
      expect(Number(await page.locator('.step').getAttribute('data-step'))).toBeLessThan(frame);
    });
  });
});
