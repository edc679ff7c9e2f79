import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { RecentSession } from '../../shared/app';
import type { SessionFolder } from './session-folder';

/** Files remembered at most. */
const MAX_RECENT = 20;
/** Captures listed at most, those left unsaved included. */
const MAX_LISTED = 50;

const STORED = z.array(z.string()).max(1000);

/** The captures that were opened last, and those that were left unsaved. Kept in the data folder over restarts. */
export class RecentSessions {
  private readonly file: string;
  /** Newest first. */
  private paths: string[];
  private readonly pathById = new Map<string, string>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    dataFolder: string,
    private readonly sessions: SessionFolder,
  ) {
    this.file = join(resolve(dataFolder), 'recent.json');
    this.paths = stored(this.file);
  }

  async add(path: string): Promise<void> {
    if (this.sessions.holds(path)) return;
    this.paths = [path, ...this.paths.filter((other) => other !== path)].slice(0, MAX_RECENT);
    await this.store();
  }

  pathOf(id: string): string | undefined {
    return this.pathById.get(id);
  }

  /**
   * An unsaved capture is discarded with it.
   * @param open the capture that is open now: it stays
   * @returns false: there is none of this id, or it is open
   */
  async forget(id: string, open: string | undefined): Promise<boolean> {
    const path = this.pathById.get(id);
    if (path === undefined || path === open) return false;
    if (this.sessions.holds(path)) await this.sessions.discard(path);
    this.paths = this.paths.filter((other) => other !== path);
    await this.store();
    return true;
  }

  /** @param open the capture that is open now, and is not listed */
  async list(open: string | undefined): Promise<RecentSession[]> {
    const left = await Promise.all((await this.sessions.left()).map((path) => describe(path, true)));
    const opened = await Promise.all(this.paths.map((path) => describe(path, false)));
    const unsaved = left.filter(isThere).sort((a, b) => b.session.modified - a.session.modified);
    const listed = [...unsaved, ...opened.filter(isThere)].filter(({ path }) => path !== open).slice(0, MAX_LISTED);
    this.pathById.clear();
    for (const { path, session } of listed) this.pathById.set(session.id, path);
    return listed.map(({ session }) => session);
  }

  /** One at a time, whole or not at all. */
  private store(): Promise<void> {
    this.writing = this.writing.then(async () => {
      const temporary = `${this.file}.${process.pid}.part`;
      try {
        await writeFile(temporary, JSON.stringify(this.paths, null, 2));
        await rename(temporary, this.file);
      } catch {
        // A list that cannot be kept is no reason to fail.
      }
    });
    return this.writing;
  }
}

interface Described {
  path: string;
  session: RecentSession;
}

function isThere(described: Described | undefined): described is Described {
  return described !== undefined;
}

async function describe(path: string, recovered: boolean): Promise<Described | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  const { size, mtimeMs } = found;
  const name = basename(path);
  const folder = withTilde(dirname(path));
  const id = createHash('sha256').update(path).digest('hex').slice(0, 32);
  return { path, session: { id, name, folder, size, modified: Math.round(mtimeMs), recovered } };
}

function withTilde(folder: string): string {
  const below = relative(homedir(), folder);
  if (below === '') return '~';
  return below === '..' || below.startsWith(`..${sep}`) || resolve(below) === below ? folder : join('~', below);
}

function stored(file: string): string[] {
  try {
    return STORED.parse(JSON.parse(readFileSync(file, 'utf8'))).slice(0, MAX_RECENT);
  } catch {
    return [];
  }
}
