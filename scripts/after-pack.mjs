/** A hook of electron-builder's: a runtime that was made for tests brings a default app, which has no place in ours. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** @param {{ appOutDir: string, electronPlatformName: string }} context */
export default async function afterPack({ appOutDir, electronPlatformName }) {
  if (electronPlatformName !== 'linux') return;
  await rm(join(appOutDir, 'resources/app'), { recursive: true, force: true });
}
