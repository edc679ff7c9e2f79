/** From the sentence on the windows view to a stall, and from there to the frame that ended it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversation } from '../support/conversation';
import { concat, data, grpcRequest, headersFrame, PREFACE, settings, uint32, windowUpdate } from '../support/encode';
import { inOrder } from './in-order';
import { canOpen } from './needs';
import { eventually, showView } from './steps';
import { openWindow, type TestWindow } from './window';

/** An upload of 655,350 octets through windows of 65,535, a windowful every 21 ms; one credit comes 10 ms late. */
function upload(): Uint8Array {
  const talk = conversation({ delay: 0.01 })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings())
    .toServer(0.013, headersFrame(1, grpcRequest('/a.B/C'))) // 4
    .toServer(0.03, data(1, concat(Uint8Array.of(0), uint32(655_345), new Uint8Array(65_530)))); // 5
  for (let i = 1; i < 10; i++) {
    const t = 0.03 + i * 0.021 + (i > 4 ? 0.01 : 0);
    // 6, 7 and 8; 9, 10 and 11 … the fifth: 18, 19 and 20
    talk.toClient(t - 0.01, windowUpdate(0, 65_535), windowUpdate(1, 65_535));
    talk.toServer(t, data(1, new Uint8Array(65_535), { endStream: i === 9 }));
  }
  return talk.fin(0.3, 'toServer').fin(0.31, 'toClient').file();
}

describe.each(['electron', 'chromium'] as const)('the windows view in %s', (kind) => {
  describe.skipIf(!canOpen(kind))('of an upload that its windows limit', () => {
    inOrder(() => window.page);
    let window: TestWindow;
    let folder: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'penstock-windows-'));
      const file = join(folder, 'upload.pcapng');
      writeFileSync(file, upload());
      window = await openWindow(kind);
      await window.open(file);
    }, 60_000);

    afterAll(async () => {
      await window?.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    test('opens with the sentence', async () => {
      const { page } = window;
      await showView(page, 'Windows');
      // The busier direction is chosen by itself.
      await page.locator('.headline[data-limited-by="both"]').waitFor();
      const sentence =
        'Limited by the stream and the connection window: 64 KiB / 20 ms = 3.1 MiB/s, measured 2.8 MiB/s';
      expect(await page.locator('.headline h1').textContent()).toContain(sentence);
      await eventually(
        () => page.locator('.windows-streams tbody td').last().textContent(),
        'both windows, held by itself',
      );
    });

    test('leads to the longest stall, and to the frame that ended it', async () => {
      const { page } = window;
      expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Show a stall' }).click();
      await page.getByRole('button', { name: 'Show all' }).waitFor();
      await page.getByRole('button', { name: /^Show frame 19 on the timeline$/ }).click();
      await page.locator('.app[data-view="timeline"]').waitFor();
      await eventually(
        () => page.locator('[role="row"][aria-selected="true"]').first().textContent(),
        expect.stringContaining('WINDOW_UPDATE'),
      );
    });

    test('zooms and moves by keys, and shows all again', async () => {
      const { page } = window;
      await showView(page, 'Windows');
      const all = page.getByRole('button', { name: 'Show all' });
      await page.locator('.windows-graphs .graph').first().focus();
      await page.keyboard.press('+');
      await all.waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Home');
      await all.waitFor({ state: 'detached' });
    });

    test('shows the share of stalled time on the calls view', async () => {
      const { page } = window;
      await showView(page, 'Calls');
      await eventually(
        () => page.locator('.call-stalled').first().textContent(),
        expect.stringMatching(/^\d\d % both$/),
      );
    });
  });
});
