/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode, encode } from '@msgpack/msgpack';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PenstockBridge } from '../../src/shared/bridge';
import { type LaunchedApp, launchElectron } from '../support/electron';
import { canOpen, ROOT } from './needs';
import { eventually } from './steps';

/** What runs in the page sees. */
type PageGlobal = typeof globalThis & { penstock: PenstockBridge; ran?: boolean };

describe.skipIf(!canOpen('electron'))("Electron's window", () => {
  let launched: LaunchedApp;
  let app: ElectronApplication;
  let page: Page;
  let elsewhere: Server;
  let address: string;
  let asked: string[];

  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.end('somebody else’s');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    launched = await launchElectron({ folder: ROOT });
    ({ app, page } = launched);
    await page.locator('.app').waitFor();
  }, 60_000);

  beforeEach(() => {
    asked = [];
  });

  afterAll(async () => {
    await launched?.close();
    elsewhere?.close();
  });

  test('goes nowhere else: neither to another origin, nor to a file, nor to a page made on the spot', async () => {
    const own = page.url();
    const refused = app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<[string, boolean]>((resolve) => {
          const [window] = BrowserWindow.getAllWindows();
          window!.webContents.once('will-frame-navigate', (event) => resolve([event.url, event.defaultPrevented]));
        }),
    );
    const targets = [`${address}/`, 'file:///etc/passwd', 'data:text/html,<h1>there</h1>'];
    await page.evaluate(([first]) => location.assign(first!), targets);
    expect(await refused).toEqual([targets[0], true]);
    for (const target of targets) {
      await page.evaluate((url) => {
        const link = document.createElement('a');
        link.href = url;
        document.body.append(link);
        link.click();
        link.remove();
      }, target);
      expect([target, await page.evaluate(() => location.href)]).toEqual([target, own]);
    }
    expect(asked).toEqual([]);
    // The page that was there still stands. (Playwright's own waiting would wait for the navigations to end.)
    expect(await page.evaluate(() => document.querySelector('.app') !== null)).toBe(true);
  });

  test('comes back from the empty page that it sent itself to', async () => {
    const own = page.url();
    await page.evaluate(() => setTimeout(() => (location.href = 'about:blank')));
    await page.waitForURL('about:blank');
    await page.waitForURL(own);
    await page.locator('.app').waitFor();
  });

  test('opens no window', async () => {
    const answers = await page.evaluate(
      (url) => [window.open(url), window.open('about:blank'), window.open('file:///etc/passwd')].map((w) => w === null),
      address,
    );
    expect(answers).toEqual([true, true, true]);
    expect(app.windows()).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  test('is permitted nothing', async () => {
    const states = await page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
      const answers = names.map((name) => navigator.permissions.query({ name: name as PermissionName }));
      return (await Promise.all(answers)).map(({ state }) => state);
    });
    expect(states).toEqual(states.map(() => 'denied'));
    const outcomes = await page.evaluate(async () => {
      const name = (error: unknown) => (error as Error).name;
      const position = new Promise<number>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve(0),
          ({ code }) => resolve(code),
        ),
      );
      return {
        notification: await Notification.requestPermission(),
        position: await position,
        screen: await navigator.mediaDevices.getDisplayMedia({ video: true }).then(() => 'given', name),
        clipboard: await navigator.clipboard.readText().then(() => 'given', name),
      };
    });
    expect(outcomes).toEqual({
      notification: 'denied',
      position: 1, // GeolocationPositionError.PERMISSION_DENIED
      screen: expect.stringMatching(/^Not(Allowed|Supported)Error$/),
      clipboard: 'NotAllowedError',
    });
    // Where there is no camera, the page is told so before anybody is asked: the handler is what counts.
    const media = await page.evaluate(() =>
      navigator.mediaDevices.getUserMedia({ audio: true, video: true }).then(
        () => 'given',
        (error: Error) => error.name,
      ),
    );
    expect(media).toMatch(/^Not(Allowed|Found)Error$/);
  });

  test('runs no script but its own files', async () => {
    const violations = await page.evaluate(async () => {
      const seen: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective));
      const next = () => new Promise((resolve) => setTimeout(resolve));
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.body.append(script);
      const image = document.createElement('div');
      image.innerHTML = '<img src="data:," onerror="globalThis.ran = true">';
      document.body.append(image);
      await next();
      // Called by a timer, so that it is the page that does it and not whoever drives it.
      const evaluated = await new Promise((resolve) =>
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: that it fails is what is tested
            resolve(eval('1'));
          } catch (error) {
            resolve((error as Error).name);
          }
        }),
      );
      await next();
      script.remove();
      image.remove();
      return { seen: [...new Set(seen)].sort(), evaluated, ran: (globalThis as PageGlobal).ran ?? false };
    });
    expect(violations).toEqual({
      seen: ['script-src', 'script-src-attr', 'script-src-elem'],
      evaluated: 'EvalError',
      ran: false,
    });
  });

  test('loads nothing from anywhere else', async () => {
    const outcomes = await page.evaluate(async (base) => {
      const loaded = <E extends HTMLElement>(element: E, set: (element: E) => void) =>
        new Promise<string>((resolve) => {
          element.onload = () => resolve('loaded');
          element.onerror = () => resolve('refused');
          set(element);
          document.head.append(element);
        }).finally(() => element.remove());
      return {
        fetch: await fetch(`${base}/fetch`).then(
          () => 'loaded',
          () => 'refused',
        ),
        image: await loaded(document.createElement('img'), (image) => (image.src = `${base}/image`)),
        script: await loaded(document.createElement('script'), (script) => (script.src = `${base}/script`)),
        style: await loaded(document.createElement('link'), (link) => {
          link.rel = 'stylesheet';
          link.href = `${base}/style`;
        }),
      };
    }, address);
    expect(outcomes).toEqual({ fetch: 'refused', image: 'refused', script: 'refused', style: 'refused' });
    expect(asked).toEqual([]);
  });

  test('has nothing of Node, and of the program one channel', async () => {
    const found = await page.evaluate(() => ({
      node: ['require', 'process', 'module', 'Buffer', 'global', 'electron', '__dirname'].filter(
        (name) => name in globalThis,
      ),
      bridge: Object.keys((globalThis as PageGlobal).penstock).sort(),
    }));
    expect(found).toEqual({ node: [], bridge: ['onMessage', 'pathForFile', 'send'] });
  });

  test('is answered with a refusal when it asks for what there is not, or with arguments that make no sense', async () => {
    const refusals: [method: string, given: unknown[], reason: RegExp][] = [
      ['shutdown', [], /there is no method "shutdown"/],
      ['openUpload', ['/etc/passwd'], /there is no method/],
      ['command', ['demo'], /there is no method/],
      ['constructor', [], /there is no method/],
      ['__proto__', [], /there is no method/],
      ['openPath', [1], /openPath is refused/],
      ['openPath', [], /openPath is refused/],
      ['openPath', ['/tmp/a\0b'], /openPath is refused/],
      ['frames', [{ from: -1, count: 1 }], /frames is refused/],
      ['frames', [{ from: 0, count: Number.NaN }], /frames is refused/],
      ['frames', [{ from: 0, count: 1, more: true }], /frames is refused/],
      ['updateCapture', [{ delayToServer: 'long' }], /updateCapture is refused/],
      ['startCapture', [{ listen: '127.0.0.1:0' }], /startCapture is refused/],
      ['exportAs', [{ format: 'exe', filter: null }, null], /exportAs is refused/],
    ];
    for (const [method, given, reason] of refusals) {
      const answer = await ask({ method, given });
      expect([method, answer]).toEqual([method, { e: { message: expect.stringMatching(reason) } }]);
      // One line that tells of the request, and nothing of where the program is.
      expect(JSON.stringify(answer)).not.toMatch(/\\n|at .*\.js/);
    }
    expect(await ask({ method: 'facts', given: [] })).toMatchObject({ r: { kind: 'electron' } });
  });

  test('cannot upset the program with messages that are no requests', async () => {
    await page.evaluate(() => {
      const { penstock } = globalThis as PageGlobal;
      const wrong: unknown[] = ['text', 1, null, {}, [], new Uint8Array(0), Uint8Array.of(0xc1), new Uint8Array(5e6)];
      // 200 arrays in each other; a string that says it has 4 GiB.
      wrong.push(new Uint8Array(200).fill(0x91), Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff));
      for (const message of wrong) penstock.send(message as Uint8Array);
    });
    expect(await ask({ method: 'facts', given: [] })).toMatchObject({ r: { kind: 'electron' } });
  });

  test('is the only one that is heard: no frame in it, no page in its place, no other window', async () => {
    const question = [...encode({ t: 'q', i: 'foreign', m: 'startDemo', a: [] })];
    const heard = (url: string, parent: object | null) =>
      app.evaluate(
        ({ BrowserWindow, ipcMain }, { octets, frame }) => {
          const sender = BrowserWindow.getAllWindows()[0]!.webContents;
          ipcMain.emit('penstock', { sender, senderFrame: frame }, Uint8Array.from(octets));
        },
        { octets: question, frame: { url, parent } },
      );
    await heard(page.url(), {});
    await heard('http://127.0.0.1/', null);
    await heard('file:///penstock://window/', null);
    await heard('penstock://window.example/', null);
    await heard('about:blank', null);

    // Another window, with the very page and preload script of the first.
    const second = app.waitForEvent('window');
    await app.evaluate(({ BrowserWindow, ipcMain }, octets) => {
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload: `${process.cwd()}/out/preload/index.js`, sandbox: true, contextIsolation: true },
      });
      const { webContents } = window;
      const arrived = new Promise<void>((resolve) => {
        const look = ({ sender }: Electron.IpcMainEvent, message: Uint8Array) => {
          if (sender !== webContents || message.length !== octets.length) return;
          ipcMain.off('penstock', look);
          resolve();
        };
        ipcMain.on('penstock', look);
      });
      Object.assign(globalThis, { arrived });
      void window.loadURL('penstock://window/');
    }, question);
    const other = await second;
    // A hidden window has no animation frames to wait by.
    await other.waitForFunction(() => 'penstock' in globalThis, undefined, { polling: 50 });
    await other.evaluate((octets) => (globalThis as PageGlobal).penstock.send(Uint8Array.from(octets)), question);
    await app.evaluate(() => (globalThis as typeof globalThis & { arrived: Promise<void> }).arrived);
    await other.close();

    expect(await ask({ method: 'state', given: [] })).toMatchObject({ r: { session: { kind: 'none' } } });
    // The same words from the page itself are carried out: they would have been understood.
    await page.evaluate((octets) => (globalThis as PageGlobal).penstock.send(Uint8Array.from(octets)), question);
    await eventually(
      () => page.evaluate(() => document.querySelector('.app')?.getAttribute('data-session')),
      'capturing',
    );
  });

  /** Sends a request through the page's bridge, and reads the answer as it leaves the program. */
  async function ask({ method, given }: { method: string; given: unknown[] }): Promise<unknown> {
    const id = `test-${Math.random().toString(36).slice(2)}`;
    const octets = [...encode({ t: 'q', i: id, m: method, a: given })];
    const answered = app.evaluate(
      ({ BrowserWindow }, wanted) =>
        new Promise<number[]>((resolve) => {
          const { webContents } = BrowserWindow.getAllWindows().find((window) => window.isVisible())!;
          const send = webContents.send.bind(webContents);
          webContents.send = (channel, message) => {
            send(channel, message);
            if (!Buffer.from(message).includes(wanted)) return;
            webContents.send = send;
            resolve([...message]);
          };
        }),
      id,
    );
    // The bridge is asked only once the program is listened to.
    await app.evaluate(() => undefined);
    await page.evaluate((message) => (globalThis as PageGlobal).penstock.send(Uint8Array.from(message)), octets);
    const { t: _, i: __, ...answer } = decode(Uint8Array.from(await answered)) as Record<string, unknown>;
    return answer;
  }
});
