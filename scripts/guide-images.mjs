/**
 * `node scripts/guide-images.mjs`, after a build: the pictures of docs/images, anew. Real grpc-go traffic (the program of
 * tests/interop/go, which its tests build) goes through the window's tap in a real Chromium. Ports 9800 and 50051 must
 * be free.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { smaller } from './png.mjs';

const root = resolve(import.meta.dirname, '..');
const images = join(root, 'docs/images');
const TAP = '127.0.0.1:9800';
const SERVER = '127.0.0.1:50051';
const LARGEST = 200_000;

/** @returns the newest build of the grpc-go peer */
function interop() {
  const folder = join(root, '.cache/interop-go');
  const builds = readdirSync(folder).map((name) => join(folder, name, 'interop'));
  builds.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const [newest] = builds;
  if (newest === undefined) throw new Error('no grpc-go peer: run npx vitest run tests/interop/go.test.ts');
  return newest;
}

/** @param {string[]} words */
async function go(...words) {
  const child = spawn(interop(), words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  if (words[0] === 'server') await once(lines, 'line');
  else await once(child, 'close');
  return child;
}

/** @param {import('playwright-core').Page} page @param {string} name */
async function shoot(page, name) {
  for (const scheme of /** @type {const} */ (['dark', 'light'])) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const path = join(images, `${name}-${scheme}.png`);
    const image = smaller(await page.screenshot());
    writeFileSync(path, image);
    console.log(`${path}: ${image.length} octets${image.length > LARGEST ? ', which is too many' : ''}`);
  }
}

/** @param {import('playwright-core').Page} page @param {string} text */
async function filter(page, text) {
  await page.locator('#filter').fill(text);
  await page.locator('#filter').press(text === '' ? 'Escape' : 'Enter');
  await page.waitForTimeout(700);
}

mkdirSync(images, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'penstock-images-'));
const serve = spawn(process.execPath, [join(root, 'out/main/cli.js'), 'serve', '--no-open'], {
  env: { ...process.env, XDG_DATA_HOME: data },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const server = await go('server', `--listen=${SERVER}`, '--handler-delay=5ms');
const [address] = await once(createInterface({ input: serve.stdout }), 'line');
const executablePath = process.env.PENSTOCK_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const remembered = { state: { listen: TAP, upstream: SERVER, delayToServer: 10, delayToClient: 10 }, version: 1 };
  await page.addInitScript(`localStorage.setItem('penstock-view', ${JSON.stringify(JSON.stringify(remembered))})`);
  await page.goto(address);
  await page.waitForSelector('.start');
  await shoot(page, 'start');

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.app[data-session="capturing"]');
  await go('client', `--target=${TAP}`, '--mode=health-load', '--calls=8', '--concurrency=1');
  await go('client', `--target=${TAP}`, '--mode=all', '--calls=4', '--concurrency=2', '--bytes=200000');
  const windows = ['--stream-window=65536', '--conn-window=65536'];
  await go('client', `--target=${TAP}`, '--mode=download', '--calls=1', '--bytes=1500000', ...windows);
  await page.waitForTimeout(1000);

  // The server's first window update with its ping, alone in its chunk.
  await filter(page, 'type == PING && info contains "in one chunk"');
  await page.locator('#pane-rows').focus();
  await page.keyboard.press('Home');
  await filter(page, '');
  await page.locator('#pane-rows').focus();
  await page.keyboard.press('ArrowUp');
  await page.locator('#pane-fields').getByText('Window size increment').click();
  await page.mouse.move(640, 790);
  await page.waitForTimeout(1000);
  await shoot(page, 'timeline');

  await page.keyboard.press('Escape');
  await page.locator('.rail-item', { hasText: 'Calls' }).click();
  await page.waitForTimeout(1000);
  await page.locator('#pane-rows [role="row"]', { hasText: 'Flow/Download' }).last().click();
  await page.mouse.move(640, 790);
  await page.waitForTimeout(1000);
  await shoot(page, 'calls');

  await page.locator('.rail-item', { hasText: 'Windows' }).click();
  await page.locator('.windows-bar select').first().selectOption({ index: 2 });
  await page.waitForTimeout(1500);
  await shoot(page, 'windows');

  await page.getByRole('button', { name: 'Step through it' }).click();
  await page.waitForTimeout(1500);
  await shoot(page, 'step');

  await page.locator('.rail-item', { hasText: 'Findings' }).click();
  await page.waitForTimeout(1500);
  await shoot(page, 'findings');
} finally {
  await browser.close();
  serve.kill('SIGTERM');
  server.stdin.end();
  await once(serve, 'exit');
  rmSync(data, { recursive: true, force: true });
}
