import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { skipReason } from './skips';

/**
 * Whether the program `name` is on the PATH. Where PENSTOCK_REQUIRE (names with commas, set by CI) lists it, its
 * absence throws: on a machine that must have the tool, leaving the tests out would pass for success.
 */
export function requireTool(name: string): boolean {
  return requireThing(name, findOnPath(name, process.env.PATH ?? '') !== undefined, `${name} is not installed`);
}

/** The same for what is found in other ways. @param reason why it is not here, without a full stop */
export function requireThing(name: string, isHere: boolean, reason: string): boolean {
  if (isHere) return true;
  if (requiredTools(process.env.PENSTOCK_REQUIRE).includes(name)) {
    throw new Error(`${name} is required here (PENSTOCK_REQUIRE): ${reason}`);
  }
  skipReason(name, reason);
  return false;
}

/** `tshark, go` read as two names; undefined or empty as none. */
export function requiredTools(list: string | undefined): string[] {
  return (list ?? '').split(',').flatMap((name) => name.trim() || []);
}

/** The first executable file `name` of a search path, or undefined. */
export function findOnPath(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutableFile);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
