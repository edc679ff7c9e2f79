/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer, type Server } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  concat,
  data,
  goaway,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  latin1,
  literal,
  PREFACE,
  settings,
} from '../support/encode';
import { inOrder } from './in-order';
import { canOpen } from './needs';
import { filter, grid, openRow, readToTheEnd, rowCount, showView, startCapture, stopCapture } from './steps';
import { openWindow, type TestWindow } from './window';

/** What a hostile peer would write for whoever looks at it. */
const MARKUP = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script><b>bold</b>';
/** NUL, a terminal's escape, a line's end, right-to-left override (U+202E) and isolate (U+2067), in UTF-8. */
const CONTROLS = Buffer.from('a\u0000b\u001b[31mc\r\nd\u202efdp.exe\u2067e', 'utf8');
/** Everything that a page must not get as it is: it moves, hides or turns what stands around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** As its octets are: the encoder takes a text for octets. */
const METHOD = Buffer.from(`/evil.${MARKUP}${CONTROLS}/Call`).toString('latin1');

const request = concat(
  PREFACE,
  settings(),
  headersFrame(
    1,
    concat(grpcRequest(METHOD, [['x-markup', MARKUP]]), literal('x-controls', CONTROLS), literal(MARKUP, MARKUP)),
  ),
  data(1, grpcMessage(concat(latin1(MARKUP), CONTROLS)), { endStream: true }),
  goaway(0, 0, concat(latin1(MARKUP), CONTROLS)),
);

const response = concat(
  settings(),
  headersFrame(1, grpcResponse([['server', MARKUP]])),
  data(1, grpcMessage(latin1(MARKUP))),
  headersFrame(1, grpcTrailers(13, `${encodeURIComponent(MARKUP)}%00%1b%E2%80%AE`), { endStream: true }),
);

describe.each(['electron', 'chromium'] as const)('markup and control characters of a peer, in %s,', (kind) => {
  describe.skipIf(!canOpen(kind))('are text and nothing else', () => {
    inOrder(() => window.page);
    let window: TestWindow;
    let server: Server;
    const faults: string[] = [];

    beforeAll(async () => {
      server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(response));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      window = await openWindow(kind);
      const { page } = window;
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('dialog', (dialog) => faults.push(dialog.message()));
      const target = await startCapture(page, { host: '127.0.0.1', port: (server.address() as AddressInfo).port });
      await send(target, request);
      await stopCapture(page);
      await readToTheEnd(page);
    });

    afterAll(async () => {
      await window?.dispose();
      server?.close();
    });

    test('in the rows', async () => {
      const { page } = window;
      await expect.poll(() => grid(page, 'Frames').textContent()).toContain('<b>bold</b>');
      expect(await rowCount(page)).toBeGreaterThanOrEqual(8);
      await expectHarmless(page);
    });

    test.each(['HEADERS', 'DATA', 'GOAWAY'])('in the fields and octets of %s', async (type) => {
      const { page } = window;
      const rows = await filter(page, `type == ${type}`);
      for (let row = 0; row < rows; row++) {
        await openRow(page, row);
        const fields = page.locator('.tree');
        await fields.focus();
        // Everything is opened: what is long, and what is below.
        for (let i = 0; i < 60; i++) await page.keyboard.press(i % 2 === 0 ? 'ArrowRight' : 'ArrowDown');
        await expectHarmless(page);
      }
      await filter(page, '');
    });

    test('in the list of calls, their metadata and their status', async () => {
      const { page } = window;
      await showView(page, 'Calls');
      const row = grid(page, 'Calls').getByRole('row').first();
      await row.click();
      await expect.poll(() => row.textContent()).toContain('<b>bold</b>');
      await expect.poll(() => page.getByRole('region', { name: 'Call' }).textContent()).toContain('x-markup');
      await expectHarmless(page);
    });

    test('in the windows view', async () => {
      const { page } = window;
      await showView(page, 'Windows');
      await expect.poll(() => page.locator('.windows-streams').textContent()).toContain('<b>bold</b>');
      await expectHarmless(page);
    });

    /** No element of theirs, no script of theirs, and no character that turns or hides what stands around it. */
    async function expectHarmless(page: Page): Promise<void> {
      const seen = await page.evaluate(() => ({
        elements: document.querySelectorAll('#root :is(img, script, iframe, object, embed, b, link, style)').length,
        ran: 'ran' in globalThis,
        text: document.body.textContent ?? '',
        titles: [...document.querySelectorAll('[title], [aria-label]')].map(
          (element) => `${element.getAttribute('title')} ${element.getAttribute('aria-label')}`,
        ),
      }));
      expect({ ...seen, text: '', titles: '' }).toEqual({ elements: 0, ran: false, text: '', titles: '' });
      const unseen = [seen.text, ...seen.titles].flatMap((text) => {
        const at = text.search(UNSEEN);
        return at === -1 ? [] : JSON.stringify(text.slice(Math.max(0, at - 30), at + 10));
      });
      expect(unseen).toEqual([]);
      expect(faults).toEqual([]);
    }
  });
});

/** Writes octets and waits for the end of the answer. */
function send(target: string, octets: Uint8Array): Promise<void> {
  const port = Number(target.split(':')[1]);
  return new Promise((resolve, reject) => {
    const socket = connectTo({ host: '127.0.0.1', port }, () => socket.end(octets));
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
