import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, session } from 'electron';
import { AppHost } from '../app/app-host';
import { fileArgument, ownWords } from './file-arguments';
import { guardContents, guardSession } from './guards';
import { buildMenu } from './menu';
import { pageAddress } from './origin';
import { ElectronPlatform } from './platform';
import { serveRenderer } from './protocol';
import { openWindow } from './window';

/** The desktop program: one host, one window, and the files that the system asks to open. */
export class Program {
  private host: AppHost | undefined;
  private window: BrowserWindow | undefined;
  /** Asked for before the host was there. */
  private waiting: string | undefined;
  private leaving: 'no' | 'asking' | 'yes' = 'no';
  private readonly page = pageAddress(app.isPackaged);

  /** @param built the folder of the built main program */
  constructor(private readonly built: string) {
    guardContents(this.page);
    this.waiting = fileArgument(ownWords(process.argv, app.isPackaged), process.cwd());
    app.on('open-file', (event, path) => {
      event.preventDefault();
      this.open(path);
    });
    app.on('second-instance', (_event, argv, folder) => {
      const path = fileArgument(ownWords(argv, app.isPackaged), folder);
      if (path !== undefined) this.open(path);
      this.show();
    });
    app.on('activate', () => this.show());
    app.on('window-all-closed', () => app.quit());
    app.on('before-quit', (event) => {
      if (this.leaving === 'yes') return;
      event.preventDefault();
      void this.leave();
    });
  }

  async start(): Promise<void> {
    // Who sends a signal waits for an end, not for a question. Not before now: Electron sets its own handlers first.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void this.leave(false));
    const dataFolder = app.getPath('userData');
    guardSession(session.defaultSession, this.page);
    serveRenderer(session.defaultSession, join(this.built, '../renderer'));
    this.host = await AppHost.start({
      dataFolder,
      platform: new ElectronPlatform(() => this.window),
      tapWorker: join(this.built, 'tap-worker.js'),
      engineWorker: join(this.built, 'engine-worker.js'),
      exportWorker: join(this.built, 'export-worker.js'),
    });
    const { host } = this;
    Menu.setApplicationMenu(buildMenu((command) => host.command(command)));
    this.show();
    if (this.waiting !== undefined) this.open(this.waiting);
  }

  private show(): void {
    if (this.host === undefined) return;
    if (this.window === undefined) {
      const preload = join(this.built, '../preload/index.js');
      const { host, page } = this;
      this.window = openWindow({ host, page, preload, dataFolder: app.getPath('userData') });
      this.window.on('close', (event) => {
        if (this.leaving === 'yes' || process.platform === 'darwin') return;
        // The window is the program: leaving is decided, and a running capture ended, while it still stands.
        event.preventDefault();
        void this.leave();
      });
      this.window.on('closed', () => {
        this.window = undefined;
      });
      return;
    }
    if (this.window.isMinimized()) this.window.restore();
    this.window.show();
    this.window.focus();
  }

  private open(path: string): void {
    const { host } = this;
    if (host === undefined) {
      this.waiting = path;
      return;
    }
    this.waiting = undefined;
    this.show();
    void host.openPath(path).then((outcome) => {
      if (!outcome.ok) host.notify('error', outcome.message);
      else app.addRecentDocument(path);
    });
  }

  /**
   * A running capture's file is kept, and offered at the next start.
   * @param ask a running capture ends only by its user's word
   */
  private async leave(ask = true): Promise<void> {
    if (this.leaving !== 'no') return;
    this.leaving = 'asking';
    if (ask && this.host?.capturing === true && !(await this.mayStop())) {
      this.leaving = 'no';
      return;
    }
    await this.host?.shutdown().catch(() => undefined);
    this.leaving = 'yes';
    app.quit();
  }

  private async mayStop(): Promise<boolean> {
    const question: Electron.MessageBoxOptions = {
      type: 'question',
      message: 'A capture is running.',
      detail: 'It is stopped, and kept: Penstock offers it at its next start. Connections through the tap end.',
      buttons: ['Stop and Quit', 'Cancel'],
      defaultId: 0,
      cancelId: 1,
    };
    const { window } = this;
    const { response } = await (window === undefined
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(window, question));
    return response === 0;
  }
}
