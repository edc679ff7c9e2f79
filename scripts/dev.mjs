/**
 * `npm run dev`: the window with the renderer as it is being written. In Electron where there is one (then main and
 * preload are rebuilt and restarted too), else in the browser, with `penstock serve` of one build behind it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const electronVite = join(root, 'node_modules/electron-vite/bin/electron-vite.js');

const runtime = hasDisplay() ? findRuntime() : undefined;
if (runtime !== undefined) inElectron(runtime);
else await inBrowser();

/** @param {string} executable */
function inElectron(executable) {
  const words = [electronVite, 'dev', ...(process.getuid?.() === 0 ? ['--noSandbox'] : [])];
  const env = { ...process.env, ELECTRON_EXEC_PATH: executable };
  spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env }).on('exit', (code) => process.exit(code ?? 1));
}

async function inBrowser() {
  console.error('There is no Electron or no display here: the window is served to the browser.');
  const build = spawnSync(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
  const serve = spawn(process.execPath, [join(root, 'out/main/cli.js'), 'serve', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((found, failed) => {
    createInterface(serve.stdout).once('line', found);
    serve.once('exit', () => failed(new Error('penstock serve has ended')));
  });
  const behind = new URL(address);
  const token = behind.searchParams.get('token');
  const parts = ['/socket', '/upload', '/download'];
  const server = await createServer({
    configFile: false,
    root: join(root, 'src/renderer'),
    base: './',
    plugins: [
      react(),
      {
        name: 'no-policy-in-development',
        transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
      },
    ],
    server: {
      host: '127.0.0.1',
      proxy: Object.fromEntries(
        parts.map((part) => [
          part,
          {
            target: behind.origin,
            ws: part === '/socket',
            changeOrigin: true,
            headers: { origin: behind.origin },
            rewrite: (/** @type {string} */ path) => `/${token}${path}`,
            // The token is added here: whoever is not this page must not profit from it.
            configure: (proxy) => {
              proxy.on('proxyReq', (sent, { headers }) => {
                if (isForeign(headers)) sent.destroy();
              });
              proxy.on('proxyReqWs', (sent, { headers }) => {
                if (isForeign(headers)) sent.destroy();
              });
            },
          },
        ]),
      ),
    },
  });
  await server.listen();
  server.printUrls();
  serve.on('exit', (code) => process.exit(code ?? 0));
}

/**
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {boolean} the request comes from another site's page
 */
function isForeign({ host, origin, 'sec-fetch-site': site }) {
  return (origin !== undefined && origin !== `http://${host}`) || (site !== undefined && site === 'cross-site');
}

function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** @returns {string | undefined} */
function findRuntime() {
  const electron = join(root, 'node_modules/electron');
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name = existsSync(join(electron, 'path.txt')) ? readFileSync(join(electron, 'path.txt'), 'utf8') : 'electron';
  const executable = join(override || join(electron, 'dist'), name);
  return existsSync(executable) ? executable : undefined;
}
