import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { ExportRequest, Outcome } from '../../shared/app';
import { runExport } from '../export/export-task';
import { isSameFile } from '../export/output-file';
import { explain } from '../tap/errors';
import { copyFile, renameFile } from './copy-file';
import type { Jobs } from './jobs';
import { done, refused } from './outcome';
import type { Platform } from './platform';
import type { SessionFolder } from './session-folder';

export type SavingResult = Outcome<{ saved: boolean; download: string | null }>;

export interface ToSave {
  file: string;
  /** A capture is still writing it: it is copied as far as it is complete. */
  growing: boolean;
  /** It is one of the folder of sessions: it moves to its place. */
  unsaved: boolean;
  /** Octets that are complete; null for all. */
  length: number | null;
}

export interface Saved {
  result: SavingResult;
  /** Where the session's file is from now on. */
  movedTo?: string;
}

/** Where something goes: to a file, to a browser, or nowhere. */
type Target = { path: string } | 'download' | 'cancelled' | { refusal: string };

const NOT_SAVED: SavingResult = done({ saved: false, download: null });
const SAVED: SavingResult = done({ saved: true, download: null });

/** Takes sessions and exports to where the user wants them. */
export class Saving {
  constructor(
    private readonly platform: Platform,
    private readonly jobs: Jobs,
    private readonly sessions: SessionFolder,
    private readonly exportWorker: string,
  ) {}

  async save({ file, growing, unsaved, length }: ToSave, path: string | null): Promise<Saved> {
    const name = basename(file);
    const target = await this.target(file, name, path);
    if (target === 'cancelled') return { result: NOT_SAVED };
    if (target === 'download') return { result: this.offer(file, name, false, length) };
    if ('refusal' in target) return { result: refused(target.refusal) };
    try {
      if (unsaved && !growing && (await renameFile(file, target.path))) {
        await this.sessions.forget(file);
        return { result: SAVED, movedTo: target.path };
      }
      const whole = length ?? (await stat(file)).size;
      const copied = await this.jobs.run(`Saving ${basename(target.path)}`, (job) =>
        copyFile(file, target.path, whole, job),
      );
      if (!copied) return { result: NOT_SAVED };
      if (!unsaved || growing) return { result: SAVED };
      await this.sessions.discard(file);
      return { result: SAVED, movedTo: target.path };
    } catch (error) {
      return { result: refused(`${target.path} cannot be written: ${explain(error)}.`) };
    }
  }

  async export(file: string, { format, filter }: ExportRequest, path: string | null): Promise<SavingResult> {
    const name = `${basename(file).replace(/(\.(pcapng|pcap|cap|gz))+$/i, '')}-export.${format}`;
    const target = await this.target(file, name, path);
    if (target === 'cancelled') return NOT_SAVED;
    if (target !== 'download' && 'refusal' in target) return refused(target.refusal);
    const output = target === 'download' ? join(tmpdir(), `penstock-${randomUUID()}.${format}`) : target.path;
    try {
      const written = await this.jobs.run(`Exporting ${name}`, ({ signal, progress }) =>
        runExport({ file, format, filter, output }, { worker: this.exportWorker, signal, progress }),
      );
      if (!written) return NOT_SAVED;
      return target === 'download' ? this.offer(output, name, true, null) : SAVED;
    } catch (error) {
      return refused(`The export failed: ${explain(error)}.`);
    }
  }

  private async target(file: string, name: string, path: string | null): Promise<Target> {
    const { dialogs, offer } = this.platform;
    let chosen: string;
    if (dialogs !== undefined) {
      // The user decides where, not what runs in the window.
      const answer = await dialogs.save(name);
      if (answer === undefined) return 'cancelled';
      chosen = resolve(answer);
    } else if (path === null) {
      return offer === undefined ? { refusal: 'Name the file to write.' } : 'download';
    } else {
      chosen = resolve(path);
      // Nobody was asked whether it may be replaced.
      if (existsSync(chosen)) return { refusal: `${chosen} is there already: name another file.` };
    }
    if (await isSameFile(file, chosen)) return { refusal: `${chosen} is the session itself: name another file.` };
    return { path: chosen };
  }

  private offer(path: string, name: string, temporary: boolean, length: number | null): SavingResult {
    const { offer } = this.platform;
    if (offer === undefined) return refused('There is no way to hand the file over.');
    const download = offer.call(this.platform, { path, name, temporary, ...(length !== null && { length }) });
    return done({ saved: false, download });
  }
}
