import { basename, dirname, join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { Platform } from '../app/platform';

const CAPTURES = { name: 'Captures', extensions: ['pcapng', 'pcap', 'cap', 'gz'] };
const ALL = { name: 'All Files', extensions: ['*'] };

/** Electron's dialogs, over the window that is there at the time. */
export class ElectronPlatform implements Platform {
  readonly facts = { kind: 'electron', os: process.platform, dialogs: true } as const;
  readonly dialogs = { open: () => this.open(), save: (name: string) => this.save(name) };
  /** Where the last dialog ended. */
  private folder: string | undefined;

  constructor(private readonly window: () => BrowserWindow | undefined) {}

  private async open(): Promise<string | undefined> {
    const options: Electron.OpenDialogOptions = {
      title: 'Open a capture',
      properties: ['openFile'],
      filters: [CAPTURES, ALL],
      ...(this.folder !== undefined && { defaultPath: this.folder }),
    };
    const window = this.window();
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(window, options));
    return canceled ? undefined : this.chosen(filePaths[0]);
  }

  private async save(name: string): Promise<string | undefined> {
    const extension = basename(name).split('.').at(-1) ?? '';
    const options: Electron.SaveDialogOptions = {
      defaultPath: join(this.folder ?? app.getPath('documents'), name),
      filters: [{ name: extension, extensions: [extension] }, ALL],
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    };
    const window = this.window();
    const { canceled, filePath } = await (window === undefined
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(window, options));
    return canceled ? undefined : this.chosen(filePath);
  }

  private chosen(path: string | undefined): string | undefined {
    if (path === undefined || path === '') return undefined;
    this.folder = dirname(path);
    return path;
  }
}
