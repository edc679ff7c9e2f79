import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { newSessionFile } from '../headless/session-file';

/** Behind a capture's name: the file that says who has it, as long as it is neither saved nor discarded. */
const MARKER = '.unsaved';
/** Seconds by which two readings of one boot's time may differ: clocks get set. */
const BOOT_TOLERANCE = 120;

interface Owner {
  pid: number;
  /** When the machine was started, seconds since 1970: a number of a process says nothing over a restart. */
  boot: number;
}

/**
 * Where captures live until they are saved. Each has a marker beside it that names the process which has it; a capture
 * whose process is gone was left by a crash, or closed without being saved, and is offered again.
 */
export class SessionFolder {
  readonly folder: string;

  constructor(dataFolder: string) {
    this.folder = join(resolve(dataFolder), 'sessions');
    mkdirSync(this.folder, { recursive: true });
  }

  /** A new capture's path; its marker is there, the file is not. */
  async create(): Promise<string> {
    const file = newSessionFile(join(this.folder, 'session'));
    await this.claim(file);
    return file;
  }

  /** From now on the capture is this process's, until `release`. */
  async claim(file: string): Promise<void> {
    await writeFile(file + MARKER, JSON.stringify({ pid: process.pid, boot: bootTime() } satisfies Owner));
  }

  /** The capture is not open any more, but still unsaved. */
  async release(file: string): Promise<void> {
    await writeFile(file + MARKER, '{}').catch(() => undefined);
  }

  /** The capture was saved elsewhere: it has no place here any more. */
  async forget(file: string): Promise<void> {
    await unlink(file + MARKER).catch(() => undefined);
  }

  async discard(file: string): Promise<void> {
    await rm(file, { force: true });
    await this.forget(file);
  }

  holds(file: string): boolean {
    return dirname(resolve(file)) === this.folder;
  }

  /** Unsaved captures that no running process has. */
  async left(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter((name) => name.endsWith('.pcapng'))
      .map((name) => join(this.folder, name))
      .filter((file) => !this.isOwnedByOther(file));
  }

  private isOwnedByOther(file: string): boolean {
    const owner = readOwner(file + MARKER);
    if (owner === undefined || owner.pid === process.pid) return false;
    return Math.abs(owner.boot - bootTime()) < BOOT_TOLERANCE && isRunning(owner.pid);
  }
}

function readOwner(marker: string): Owner | undefined {
  if (!existsSync(marker)) return undefined;
  try {
    const { pid, boot } = JSON.parse(readFileSync(marker, 'utf8')) as Partial<Owner>;
    return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && typeof boot === 'number'
      ? { pid, boot }
      : undefined;
  } catch {
    return undefined;
  }
}

function bootTime(): number {
  return Date.now() / 1000 - uptime();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
