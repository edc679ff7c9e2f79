import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXAMPLES, type ExampleName } from '../../shared/examples';
import { gatewayExample } from '../lab/examples/gateway-example';
import { windowExample } from '../lab/examples/window-example';

const MAKERS: Readonly<Record<ExampleName, () => Uint8Array>> = { window: windowExample, gateway: gatewayExample };

/** Writes an example anew into the program's own folder. @returns its path */
export async function writeExample(dataFolder: string, name: ExampleName): Promise<string> {
  const folder = join(dataFolder, 'examples');
  await mkdir(folder, { recursive: true });
  const path = join(folder, EXAMPLES[name].file);
  await writeFile(path, MAKERS[name]());
  return path;
}
