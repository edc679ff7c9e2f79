/**
 * `npm run screenshots`, after a build: every view and dialog, empty, busy and broken, light and dark, at 1280×800 and
 * 1920×1080, into `screenshots/` (which git ignores), to be looked at. Words name the states that are wanted alone:
 * `npm run screenshots -- busy-calls`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Page} Page */

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'screenshots');
const wanted = process.argv.slice(2);
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
/** What is drawn after another size, and graphs that ask the program anew (ms). Pictures are no tests. */
const SETTLE = 900;

const data = mkdtempSync(join(tmpdir(), 'penstock-screenshots-'));
const serve = spawn(process.execPath, [join(root, 'out/main/cli.js'), 'serve', '--no-open'], {
  env: { ...process.env, XDG_DATA_HOME: data },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
const executablePath = process.env.PENSTOCK_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
mkdirSync(folder, { recursive: true });
try {
  const [address] = await once(createInterface({ input: serve.stdout }), 'line');
  const page = await browser.newPage({ viewport: SIZES[0] ?? null });
  await page.goto(address);
  await page.waitForSelector('.start');
  await empty(page);
  await refused(page);
  await busy(page);
  await recovered(page);
  await gone(page);
} finally {
  await browser.close();
  taken.close();
  if (serve.exitCode === null && serve.signalCode === null) {
    serve.kill('SIGTERM');
    await once(serve, 'exit');
  }
  rmSync(data, { recursive: true, force: true });
}

/** @param {Page} page */
async function empty(page) {
  await shoot(page, 'empty-start');
  await capture(page, '127.0.0.1:0', '127.0.0.1:1');
  await views(page, 'empty');
}

/** A server that is not there, a port that is taken, a filter that is none. @param {Page} page */
async function refused(page) {
  await page.keyboard.press('1');
  const listening = (await page.locator('.address-text').first().textContent()) ?? '';
  const client = connect(Number(listening.split(':')[1]), '127.0.0.1');
  client.on('error', () => undefined);
  client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  await page.locator('#upstream-fault').waitFor();
  await shoot(page, 'broken-upstream');
  await page.locator('#filter').fill('type == HEADER');
  await page.locator('#filter-fault').waitFor();
  await shoot(page, 'broken-filter');
  await page.locator('#filter').press('Escape');
  await stop(page);
  await close(page);
  const { port } = /** @type {import('node:net').AddressInfo} */ (taken.address());
  await page.locator('#listen').fill(`127.0.0.1:${port}`);
  await page.locator('#listen').press('Enter');
  await page.locator('#listen-fault').waitFor();
  await shoot(page, 'broken-port');
  await page.locator('#listen').fill('127.0.0.1:9800');
}

/** @param {Page} page */
async function busy(page) {
  await page.getByRole('button', { name: 'Run the demo' }).click();
  await page.locator('.app[data-session="capturing"]').waitFor();
  await page.waitForTimeout(4000);
  await page.keyboard.press('1');
  await shoot(page, 'busy-following');
  for (const [name, filter, field] of [
    ['headers', 'type == HEADERS && dir == toServer', 'path'],
    ['window-update', 'type == WINDOW_UPDATE', 'Window size increment'],
    ['message', 'type == DATA && method contains Chat', 'text'],
    ['settings', 'type == SETTINGS', 'Length'],
    ['reset', 'type == RST_STREAM', 'Error'],
  ]) {
    await page.locator('#filter').fill(filter ?? '');
    await page.locator('#filter').press('Enter');
    await page.waitForTimeout(SETTLE);
    await page.locator('#pane-rows').focus();
    await page.keyboard.press('Home');
    await page.locator('.detail').waitFor();
    await page.waitForTimeout(300);
    const row = page.locator('.tree-row', { hasText: field ?? '' }).first();
    if ((await row.count()) > 0) await row.click();
    await page.mouse.move(640, 20);
    await shoot(page, `busy-frame-${name}`);
  }
  await page.locator('#filter').press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns and time' }).click();
  await shoot(page, 'busy-columns');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^RTT/ }).click();
  await shoot(page, 'busy-rtt');
  await page.keyboard.press('Escape');
  for (const [name, keys] of /** @type {const} */ ([
    ['palette', 'Control+k'],
    ['go-to-frame', 'Control+g'],
    ['export', 'Control+e'],
    ['keys', '?'],
  ])) {
    await page.locator('#pane-rows').focus();
    await page.keyboard.press(keys);
    await page.locator('[role="dialog"]').waitFor();
    await shoot(page, `busy-${name}`);
    await page.keyboard.press('Escape');
    await page.locator('[role="dialog"]').waitFor({ state: 'hidden' });
  }
  await page.keyboard.press('2');
  await page.locator('#call-filter').fill('Fail');
  await page.waitForTimeout(SETTLE);
  await page.locator('#pane-rows').focus();
  await page.keyboard.press('Home');
  await page.locator('#call-filter').fill('');
  await views(page, 'busy');
  await page.keyboard.press('1');
  await stop(page);
  await shoot(page, 'stopped-timeline');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Close the session');
  await page.keyboard.press('Enter');
  await page.locator('.modal-deeds').waitFor();
  await shoot(page, 'stopped-close');
  await page.locator('.modal-deeds').getByRole('button', { name: 'Close', exact: true }).click();
}

/** Sessions that nobody saved are offered. @param {Page} page */
async function recovered(page) {
  await page.locator('.recent-item[data-recovered]').first().waitFor();
  await shoot(page, 'recovered-start');
}

/** @param {Page} page */
async function gone(page) {
  serve.kill('SIGKILL');
  await page.locator('.broken').waitFor();
  await shoot(page, 'broken-gone');
}

/** @param {Page} page @param {string} state */
async function views(page, state) {
  for (const view of ['Timeline', 'Calls', 'Windows', 'Rounds', 'Accounts', 'Concurrency', 'Findings', 'Step']) {
    await page.locator('.rail-item', { hasText: view }).click();
    await page.mouse.move(640, 20);
    await shoot(page, `${state}-${view.toLowerCase()}`);
  }
}

/** @param {Page} page @param {string} listen @param {string} upstream */
async function capture(page, listen, upstream) {
  await page.locator('#listen').fill(listen);
  await page.locator('#upstream').fill(upstream);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.app[data-session="capturing"]').waitFor();
}

/** @param {Page} page */
async function stop(page) {
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.locator('.app[data-session="open"]').waitFor();
}

/** Without keeping it. @param {Page} page */
async function close(page) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Close the session');
  await page.keyboard.press('Enter');
  await page.locator('.modal-deeds').getByRole('button', { name: 'Discard' }).click();
  await page.locator('.start').waitFor();
}

/** @param {Page} page @param {string} name */
async function shoot(page, name) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) return;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.waitForTimeout(SETTLE);
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${size.width}.png`) });
    }
  }
  console.log(name);
}
