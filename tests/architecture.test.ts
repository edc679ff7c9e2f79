import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, type SourceFile, violations, wayTo } from './support/architecture';

const root = resolve(__dirname, '..');

function sources(folder: string, extensions = /\.(ts|tsx)$/): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && extensions.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .map((path) => ({
      path: relative(join(root, folder), path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
    }));
}

describe('the sources', () => {
  const files = sources('src');

  test('keep the dependency rule', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(violations(files)).toEqual([]);
  });

  test('let the command line run without Electron', () => {
    expect(wayTo('electron', 'main/cli.ts', files)).toBeUndefined();
  });

  test.each(['src', 'tests', 'scripts'])('under %s are at most 600 lines long each', (folder) => {
    const long = sources(folder, /\.(ts|tsx|mts|mjs|css)$/)
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 600);
    expect(long).toEqual([]);
  });
});

describe('imports are found', () => {
  test.each([
    [`import 'a';`, ['a']],
    [`import a from "a";`, ['a']],
    [`import a, { type B, c as d } from 'a';`, ['a']],
    [`import * as a from 'a';`, ['a']],
    [`import {\n  b,\n  c,\n} from 'a';\nimport d from 'd';`, ['a', 'd']],
    [`import type { A } from './a';`, ['./a']],
    [`export * from 'a';`, ['a']],
    [`export { b } from 'a';`, ['a']],
    [`import a = require('a');`, ['a']],
    [`const a = await import('a');`, ['a']],
    ['const a = require(`a`);', ['a']],
    [`type A = import('a').A;`, ['a']],
    ['const a = await import(name);', ['(computed)']],
    ['const a = await import(`./$' + '{name}`);', ['(computed)']],
    [`require('a' + b);`, ['(computed)']],
  ])('in %s', (text, expected) => {
    expect(importsOf(text)).toEqual(expected);
  });

  test.each([
    `// import a from 'a';`,
    `/* import a from 'a'; */`,
    `const url = 'http://x'; // import 'a'`,
    `export const from = 'a';`,
    `frames.import('a');`,
    `const important = 'a';`,
    `type Command = 'open' | 'export' | 'import';`,
  ])('not in %s', (text) => {
    expect(importsOf(text)).toEqual([]);
  });
});

describe('the checker', () => {
  /** What it says of one file of this path that imports `specifier`, among files that exist. */
  function check(path: string, specifier: string): string[] {
    const others = [
      'shared/names.ts',
      'core/hpack/tables.ts',
      'core/hpack/decoder.ts',
      'main/cli.ts',
      'main/electron/menu.ts',
      'renderer/App.tsx',
      'renderer/app.css',
      'preload/index.ts',
    ];
    const files = others.filter((other) => other !== path).map((other) => ({ path: other, text: '' }));
    return violations([...files, { path, text: `import x from '${specifier}';` }]);
  }

  test.each([
    ['shared/records.ts', './names'],
    ['core/http2/frames.ts', '../../shared/names'],
    ['core/hpack/decoder.ts', './tables'],
    ['core/hpack/tables.ts', 'hpack.js'],
    ['core/protobuf/decode.ts', 'protobufjs/light'],
    ['main/tap/tap-worker.ts', 'node:net'],
    ['main/session/engine.ts', '../../core/hpack/decoder'],
    ['main/lab/services.ts', '../../../protos/demo.proto?raw'],
    ['main/electron/window.ts', 'electron'],
    ['main/index.ts', 'electron'],
    ['main/index.ts', './electron/menu'],
    ['preload/index.ts', 'electron'],
    ['renderer/main.tsx', 'react-dom/client'],
    ['renderer/main.tsx', '@tanstack/react-virtual'],
    ['renderer/main.tsx', './app.css'],
  ])('allows %s to import %s', (path, specifier) => {
    expect(check(path, specifier)).toEqual([]);
  });

  test.each([
    ['shared/records.ts', 'zod'],
    ['shared/records.ts', '../core/hpack/tables'],
    ['core/http2/frames.ts', 'hpack.js'],
    ['core/http2/frames.ts', 'node:fs'],
    ['core/http2/frames.ts', 'buffer'],
    ['core/http2/frames.ts', '../../main/cli'],
    ['core/http2/frames.ts', '../../../protos/demo.proto?raw'],
    ['main/tap/tap-worker.ts', 'electron'],
    ['main/tap/tap-worker.ts', '../electron/menu'],
    ['main/headless/serve.ts', '../../renderer/App'],
    ['preload/index.ts', 'node:fs'],
    ['preload/index.ts', '../main/cli'],
    ['renderer/main.tsx', '../core/hpack/decoder'],
    ['renderer/main.tsx', '../main/cli'],
    ['renderer/main.tsx', 'node:path'],
    ['renderer/main.tsx', 'electron'],
    ['renderer/main.tsx', '@grpc/grpc-js'],
    ['main/cli.ts', '../../package.json'],
    ['main/cli.ts', './absent'],
    ['elsewhere/a.ts', './b'],
  ])('forbids %s to import %s', (path, specifier) => {
    expect(check(path, specifier)).toHaveLength(1);
  });

  test('shows the way by which a program reaches a package', () => {
    const files = [
      { path: 'main/cli.ts', text: `import { run } from './headless/run';` },
      { path: 'main/headless/run.ts', text: `import '../cli';\nconst menu = require('../electron/menu');` },
      { path: 'main/electron/menu.ts', text: `import { Menu } from 'electron';` },
    ];
    expect(wayTo('electron', 'main/cli.ts', files)).toEqual([
      'main/cli.ts',
      'main/headless/run.ts',
      'main/electron/menu.ts',
      'electron',
    ]);
    expect(wayTo('ws', 'main/cli.ts', files)).toBeUndefined();
  });
});
