import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findOnPath, requiredTools, requireTool } from './require';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'penstock-require-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('a tool is an executable file in a folder of the path; a folder or a plain file of that name is not', () => {
  mkdirSync(join(folder, 'first/tool'), { recursive: true });
  mkdirSync(join(folder, 'second'));
  const file = join(folder, 'second/tool');
  const path = ['', join(folder, 'first'), join(folder, 'second'), join(folder, 'absent')].join(delimiter);
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  expect(findOnPath('tool', path)).toBe(file);
  expect(findOnPath('other', path)).toBeUndefined();
});

test('a missing tool that is required throws; one that is not required is a skip', () => {
  vi.stubEnv('PATH', folder);
  vi.stubEnv('PENSTOCK_SKIPS', join(folder, 'skips.jsonl'));
  vi.stubEnv('PENSTOCK_REQUIRE', 'go, tshark');
  expect(() => requireTool('tshark')).toThrow('tshark is required here');
  expect(requireTool('nonesuch')).toBe(false);
});

test('the list of required tools may be absent, empty or spaced', () => {
  expect(requiredTools(undefined)).toEqual([]);
  expect(requiredTools('')).toEqual([]);
  expect(requiredTools(' go,, tshark ')).toEqual(['go', 'tshark']);
});
