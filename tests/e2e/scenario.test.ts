import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runDemoCalls } from '../../src/main/lab/flow-clients';
import { type FlowServer, startFlowServer } from '../../src/main/lab/flow-service';
import { parseDuration } from '../../src/shared/units';
import { goAvailable, runGoClient, startGoServer } from '../support/go';
import { healthCheck } from './health-check';
import { inOrder } from './in-order';
import { canOpen } from './needs';
import {
  cells,
  command,
  eventually,
  field,
  filter,
  grid,
  litOctets,
  openRow,
  readToTheEnd,
  rowCount,
  session,
  shownOctets,
  showView,
  startCapture,
  stopCapture,
} from './steps';
import { openWindow, type TestWindow } from './window';

/** grpc-go's WINDOW_UPDATE and BDP PING, each field by itself; the increment is the octets of one request. */
const UPDATE_AND_PING = new RegExp(
  [
    '^00 00 04 08 00 00 00 00 00', // length 4, type WINDOW_UPDATE, no flags, stream 0
    '(00 00 00 [0-9a-f]{2})', // window size increment
    '00 00 08 06 00 00 00 00 00', // length 8, type PING, no flags, stream 0
    '02 04 10 10 09 0e 07 07$', // opaque data: grpc-go internal/transport/bdp_estimator.go
  ].join(' '),
);

describe.each(['electron', 'chromium'] as const)('the window in %s', (kind) => {
  describe.skipIf(!canOpen(kind))('from the first call to a crash', () => {
    inOrder(() => window.page);
    let window: TestWindow;
    let server: FlowServer;
    let listening: string;
    let folder: string;
    let captured: number;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'penstock-scenario-'));
      server = await startFlowServer();
      window = await openWindow(kind);
    }, 60_000);

    afterAll(async () => {
      await window?.dispose();
      await server?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('frames of real calls appear while they are made, and the rows follow them', async () => {
      const { page } = window;
      listening = await startCapture(page, { host: '127.0.0.1', port: server.port });
      const outcomes = await runDemoCalls(listening);
      expect(outcomes.filter(({ matches }) => !matches)).toEqual([]);
      await expect.poll(() => rowCount(page), { timeout: 20_000 }).toBeGreaterThan(300);
      expect(await grid(page, 'Frames').getAttribute('data-follow')).toBe('true');
      await eventually(() => lastRowInSight(window), true);
    });

    test('scrolling up ends the following, and a button takes it up again', async () => {
      const { page } = window;
      const rows = grid(page, 'Frames');
      await rows.hover();
      await page.mouse.wheel(0, -3000);
      await eventually(() => rows.getAttribute('data-follow'), 'false');
      const before = await rowCount(page);
      await healthCheck(listening);
      await expect.poll(() => rowCount(page)).toBeGreaterThan(before);
      expect(await lastRowInSight(window)).toBe(false);
      await page.getByRole('button', { name: 'Follow' }).click();
      expect(await rows.getAttribute('data-follow')).toBe('true');
      await eventually(() => lastRowInSight(window), true);
    });

    test('a filter shows what passes it; a wrong one shows where it is wrong, and the last right one stays', async () => {
      const { page } = window;
      const all = await rowCount(page);
      const settings = await filter(page, 'type == SETTINGS');
      expect(settings).toBeGreaterThan(3);
      expect(settings).toBeLessThan(all);
      await eventually(async () => [...new Set(await cells(page, 'type'))], ['SETTINGS']);
      const input = page.getByLabel('Filter', { exact: true });
      await input.fill('type == HEADER');
      await input.press('Enter');
      const fault = page.locator('#filter-fault');
      await fault.waitFor();
      expect(await fault.textContent()).toContain('Did you mean HEADERS?');
      expect(await fault.locator('mark').textContent()).toBe('HEADER');
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await rowCount(page)).toBe(settings);
      await input.press('Escape');
      await eventually(() => rowCount(page), all);
    });

    test('calls are listed with what came of them, and lead to their frames', async () => {
      const { page } = window;
      await showView(page, 'Calls');
      await page.getByLabel('Method', { exact: true }).fill('Fail');
      const calls = grid(page, 'Calls');
      await eventually(() => rowCount(page, 'Calls'), 1);
      const row = calls.getByRole('row').first();
      expect(await row.getByRole('gridcell').nth(3).textContent()).toBe('FAILED_PRECONDITION');
      await page.getByLabel('Method', { exact: true }).fill('Upload');
      await eventually(() => row.getByRole('gridcell').nth(3).textContent(), 'OK');
      await row.click();
      const call = page.getByRole('region', { name: 'Call' });
      await call.getByText('33 messages').waitFor();
      const stream = await row.getAttribute('data-stream');
      await call.getByRole('button', { name: 'Show its frames' }).click();
      await page.locator('.app[data-view="timeline"]').waitFor();
      await eventually(async () => [...new Set(await cells(page, 'stream'))], [stream]);
      await page.locator('.detail h2', { hasText: 'HEADERS' }).waitFor();
      await filter(page, '');
    });

    test('the round trip changes while calls run: later ones take longer', async () => {
      const { page } = window;
      await page.getByRole('button', { name: /^RTT/ }).click();
      await page.getByRole('button', { name: '200', exact: true }).click();
      await page.getByRole('button', { name: /^RTT\s*100 \+ 100 ms/, includeHidden: true }).waitFor();
      await page.keyboard.press('Escape');
      await showView(page, 'Calls');
      await page.getByLabel('Method', { exact: true }).fill('Check');
      const durations = () => grid(page, 'Calls').getByRole('row').getByRole('gridcell').nth(4);
      await durations().waitFor();
      const before = await callDurations(window);
      await healthCheck(listening);
      await eventually(async () => (await callDurations(window)).length, before.length + 1);
      const after = await callDurations(window);
      // A call lasts from the arrival of its request to the delivery of its trailers: the delays both ways are in it.
      expect(Math.min(...before)).toBeLessThan(200);
      expect(after.at(-1)).toBeGreaterThanOrEqual(200);
      await page.getByLabel('Method', { exact: true }).fill('');
      await showView(page, 'Timeline');
      await command(page, 'RTT 0 ms');
    });

    test('a capture that is stopped, saved, closed and opened again has the same frames', async () => {
      const { page } = window;
      await stopCapture(page);
      await readToTheEnd(page);
      captured = await rowCount(page);
      const path = join(folder, 'kept.pcapng');
      await window.save(path);
      expect(existsSync(path)).toBe(true);
      await command(page, 'Close the session');
      // A browser has a copy; the session itself is still unsaved.
      if (kind === 'chromium')
        await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first().click();
      await session(page, 'none');
      await window.open(path);
      await readToTheEnd(page);
      await eventually(() => rowCount(page), captured);
    });

    test.skipIf(!goAvailable())(
      'WINDOW_UPDATE and PING of grpc-go are two frames in one chunk of 30 octets, tied to their fields both ways',
      async () => {
        const { page } = window;
        const go = await startGoServer({ handlerDelayMs: 5 });
        onTestFinished(async () => {
          await go.close();
        });
        const target = await startCapture(page, go);
        const windows = { streamWindow: 1 << 20, connWindow: 1 << 20 };
        const { exitStatus } = await runGoClient({ target, mode: 'unary', calls: 20, bytes: 3, ...windows });
        expect(exitStatus).toBe(0);
        await filter(page, 'type == PING && dir == toClient && flags != ACK && info contains "in one chunk"');
        await eventually(async () => (await rowCount(page)) > 0, true);
        await openChunkOf30(window);
        expect(await shownOctets(page)).toMatch(UPDATE_AND_PING);
        const chunk = page.getByRole('navigation', { name: /^Frames of chunk/ });
        expect(await chunk.getByRole('button').allTextContents()).toEqual(['WINDOW_UPDATE 13', 'PING 17']);

        // From an octet to its field: the ping's data, its meaning in words.
        await page.locator('#octet-25').click();
        expect(await page.locator('.tree-row[aria-selected="true"] .tree-label').textContent()).toMatch(/opaque data/i);
        await eventually(() => litOctets(page), [22, 23, 24, 25, 26, 27, 28, 29]);
        expect(await page.locator('#pane-fields').textContent()).toMatch(/grpc-go/);

        // From a field to its octets.
        await chunk.getByRole('button', { name: 'WINDOW_UPDATE' }).click();
        await page.locator('.detail h2', { hasText: 'WINDOW_UPDATE' }).first().waitFor();
        const increment = field(page, 'Window size increment');
        await increment.click();
        await eventually(() => litOctets(page), [9, 10, 11, 12]);
        const octets = UPDATE_AND_PING.exec(await shownOctets(page))![1]!;
        const value = Number.parseInt(octets.replaceAll(' ', ''), 16);
        expect(await increment.locator('.tree-field-value').textContent()).toBe(String(value));

        // An octet of the other frame selects that frame and its field.
        await page.locator('#octet-16').click();
        await page.locator('.detail h2', { hasText: 'PING' }).first().waitFor();
        await eventually(() => page.locator('.tree-row[aria-selected="true"] .tree-label').textContent(), 'Type');
        await stopCapture(page);
      },
      300_000,
    );

    test('a capture whose program is killed is offered at the next start, with every frame that was seen', async () => {
      const target = await startCapture(window.page, { host: '127.0.0.1', port: server.port });
      await healthCheck(target);
      await expect.poll(() => rowCount(window.page)).toBeGreaterThan(8);
      const seen = await rowCount(window.page);
      await window.kill();
      await window.restart();
      const { page } = window;
      const left = page.locator('.recent-item[data-recovered]').first();
      await left.getByRole('button', { name: /^Open/ }).last().click();
      await readToTheEnd(page);
      expect(await rowCount(page)).toBeGreaterThanOrEqual(seen);
    });
  });
});

/** The rows stand at their end. */
async function lastRowInSight({ page }: TestWindow): Promise<boolean> {
  const last = page.locator(`#row-${(await rowCount(page)) - 1}`);
  if ((await last.count()) === 0) return false;
  const [row, rows] = await Promise.all([last.boundingBox(), grid(page, 'Frames').boundingBox()]);
  return row !== null && rows !== null && row.y >= rows.y && row.y < rows.y + rows.height;
}

/** Milliseconds, of the calls that are listed and have ended. */
async function callDurations({ page }: TestWindow): Promise<number[]> {
  const texts = await grid(page, 'Calls').locator('[role=row] [role=gridcell]:nth-child(5)').allTextContents();
  return texts.flatMap((text) => parseDuration(text) ?? []);
}

/** A chunk is a read at the tap: one that comes late may take in what was written next. Most do not. */
async function openChunkOf30({ page }: TestWindow): Promise<void> {
  const count = Math.min(10, await rowCount(page));
  for (let row = 0; row < count; row++) {
    await openRow(page, row);
    if (/^30 octets/.test((await page.locator('#pane-hex .detail-facts').textContent()) ?? '')) return;
  }
  throw new Error(`none of ${count} chunks has 30 octets`);
}
