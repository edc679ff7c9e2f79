import { EventEmitter } from 'node:events';
import { basename, resolve } from 'node:path';
import type {
  AppCommand,
  AppEvents,
  AppState,
  CaptureSettings,
  ExportRequest,
  LiveSettings,
  Outcome,
  PlatformFacts,
  SessionState,
  TapFigures,
} from '../../shared/app';
import type { EngineApi } from '../../shared/contract';
import type { ExampleName } from '../../shared/examples';
import { VERSION } from '../../shared/version';
import type { EngineHost } from '../session/engine-host';
import { ProgressTimer } from '../session/progress';
import { DEFAULT_MAX_SIZE } from '../tap/recorder';
import { problemOf, sizeOf } from './capture-file';
import { checkLive, tapSpecOf } from './capture-settings';
import { EngineQueries } from './engine-queries';
import { EngineSlot } from './engine-slot';
import { writeExample } from './example';
import { Jobs } from './jobs';
import { LiveCapture, type LiveCaptureEvents, type LiveCaptureOptions } from './live-capture';
import { Notices } from './notices';
import { DONE, done, refused } from './outcome';
import type { Platform } from './platform';
import { RecentSessions } from './recent';
import { Saving, type SavingResult } from './saving';
import { SessionFolder } from './session-folder';
import type { WindowApi } from './validation';

export interface AppHostOptions {
  /** Where sessions and the list of recent ones are kept. */
  dataFolder: string;
  platform: Platform;
  /** The built workers. */
  tapWorker: string;
  engineWorker: string;
  exportWorker: string;
  /** Octets at which a capture ends (forwarding goes on); 2 GiB when not given. */
  maxSize?: number;
}

const CAPTURING = 'A capture is running: stop it first.';

/** The program behind any number of windows: one engine, at most one tap, and one session open at a time. */
export class AppHost extends EngineQueries implements WindowApi {
  /** For windows, which reach it through their channel. */
  readonly api: WindowApi = this;
  private readonly emitter = new EventEmitter<{ [Event in keyof AppEvents]: Parameters<AppEvents[Event]> }>();
  private readonly changes = new ProgressTimer(() => this.emitter.emit('state', this.stateNow()));
  private readonly jobs = new Jobs(() => this.changes.touch());
  private readonly notices = new Notices(() => this.changes.touch());
  private readonly sessions: SessionFolder;
  private readonly recent: RecentSessions;
  private readonly saving: Saving;
  private session: SessionState = { kind: 'none' };
  private live: LiveCapture | undefined;
  private figures: TapFigures | null = null;
  private recentNow: AppState['recent'] = [];
  /** Ends one change of session before the next begins. */
  private turn: Promise<unknown> = Promise.resolve();
  private over = false;

  private constructor(
    private readonly options: AppHostOptions,
    private readonly slot: EngineSlot,
  ) {
    super();
    this.sessions = new SessionFolder(options.dataFolder);
    this.recent = new RecentSessions(options.dataFolder, this.sessions);
    this.saving = new Saving(options.platform, this.jobs, this.sessions, options.exportWorker);
    this.emitter.setMaxListeners(0);
    slot.listen({
      progress: (progress) => this.emitter.emit('progress', progress),
      replaced: (error) => void this.engineReplaced(error).catch(() => undefined),
    });
  }

  static async start(options: AppHostOptions): Promise<AppHost> {
    const app = new AppHost(options, await EngineSlot.start(options.engineWorker));
    await app.refreshRecent();
    return app;
  }

  protected get engine(): EngineApi {
    return this.slot.api;
  }

  private get host(): EngineHost {
    return this.slot.host;
  }

  on(events: AppEvents): void {
    this.emitter.on('state', events.state).on('progress', events.progress).on('command', events.command);
  }

  off(events: AppEvents): void {
    this.emitter.off('state', events.state).off('progress', events.progress).off('command', events.command);
  }

  /** A menu's command, for windows to carry out. */
  command(command: AppCommand): void {
    this.emitter.emit('command', command);
  }

  /** Something that happened outside any window's request. */
  notify(severity: 'info' | 'warning' | 'error', message: string): void {
    this.notices.add(severity, message);
  }

  async facts(): Promise<PlatformFacts> {
    return this.options.platform.facts;
  }

  async state(): Promise<AppState> {
    return this.stateNow();
  }

  get capturing(): boolean {
    return this.live !== undefined;
  }

  startCapture(settings: CaptureSettings): Promise<Outcome> {
    return this.exclusive(async () => {
      if (this.live !== undefined) return refused(CAPTURING);
      const spec = await tapSpecOf(settings);
      if (!spec.ok) return spec;
      return this.capture('listen', (options, events) => LiveCapture.start(settings, spec.value, options, events));
    });
  }

  startDemo(): Promise<Outcome> {
    return this.exclusive(async () => {
      if (this.live !== undefined) return refused(CAPTURING);
      return this.capture(undefined, (options, events) => LiveCapture.startDemo(options, events));
    });
  }

  openExample(name: ExampleName): Promise<Outcome> {
    return this.exclusive(async () => {
      if (this.live !== undefined) return refused(CAPTURING);
      const file = await writeExample(this.options.dataFolder, name);
      return this.open(file, basename(file), false);
    });
  }

  async updateCapture(settings: Partial<LiveSettings>): Promise<Outcome> {
    const { live } = this;
    if (live === undefined) return refused('No capture is running.');
    const checked = checkLive(settings);
    if (!checked.ok) return checked;
    try {
      await live.update(settings);
    } catch (error) {
      return refused((error as Error).message);
    }
    if (this.session.kind === 'capturing') this.session = { ...this.session, settings: live.settings };
    this.changes.touch();
    return DONE;
  }

  stopCapture(): Promise<Outcome> {
    return this.exclusive(() => this.stop());
  }

  async openDialog(): Promise<Outcome<boolean>> {
    const { dialogs } = this.options.platform;
    if (dialogs === undefined) return refused('There is no dialog here: name the file, or drop it on the window.');
    if (this.live !== undefined) return refused(CAPTURING);
    const path = await dialogs.open();
    if (path === undefined) return done(false);
    const opened = await this.openPath(path);
    return opened.ok ? done(true) : opened;
  }

  openPath(path: string): Promise<Outcome> {
    return this.exclusive(() => this.open(resolve(path), basename(path)));
  }

  /** A file of which nothing is left after it was closed: it is not remembered. */
  openUpload(path: string): Promise<Outcome> {
    return this.exclusive(() => this.open(resolve(path), basename(path), false));
  }

  /** Standard input, which no window can ask for. */
  openStandardInput(): Promise<Outcome> {
    return this.exclusive(() => this.open('-', 'standard input', false));
  }

  async openRecent(id: string): Promise<Outcome> {
    const path = this.recent.pathOf(id);
    if (path === undefined) return refused('This session is not there any more.');
    return this.openPath(path);
  }

  async forgetRecent(id: string): Promise<Outcome> {
    if (!(await this.recent.forget(id, this.openFile))) return refused('This session is open, or not there any more.');
    await this.refreshRecent();
    return DONE;
  }

  closeSession(): Promise<Outcome> {
    return this.exclusive(async () => {
      await this.closeNow();
      await this.refreshRecent();
      return DONE;
    });
  }

  async saveAs(path: string | null): Promise<SavingResult> {
    const { session } = this;
    if (session.kind !== 'open' && session.kind !== 'capturing') return refused('There is no session to save.');
    if (session.file === '-') return refused('A capture from standard input has no file: export it.');
    const { file } = session;
    const growing = session.kind === 'capturing';
    const unsaved = !session.saved;
    const saved = await this.saving.save(
      { file, growing, unsaved, length: growing ? (this.live?.committed ?? null) : null },
      path,
    );
    if (saved.movedTo !== undefined) await this.moved(file, saved.movedTo);
    return saved.result;
  }

  async exportAs(request: ExportRequest, path: string | null): Promise<SavingResult> {
    const { session } = this;
    if (session.kind !== 'open' && session.kind !== 'capturing') return refused('There is no session to export.');
    if (session.file === '-') return refused('A capture from standard input cannot be exported from here.');
    return this.saving.export(session.file, request, path);
  }

  async cancelJob(id: number): Promise<void> {
    this.jobs.cancel(id);
  }

  async dismissNotice(id: number): Promise<void> {
    this.notices.dismiss(id);
  }

  /** Ends a running capture in good order, then everything. What is unsaved is offered at the next start. */
  async shutdown(): Promise<void> {
    if (this.over) return;
    this.over = true;
    this.jobs.cancelAll();
    await this.exclusive(async () => {
      await this.live?.stop().catch(() => undefined);
      this.live = undefined;
      await this.releaseFile();
    });
    this.changes.stop();
    this.emitter.removeAllListeners();
    await this.slot.stop();
  }

  private async capture(
    field: keyof CaptureSettings | undefined,
    start: (options: LiveCaptureOptions, events: LiveCaptureEvents) => Promise<LiveCapture>,
  ): Promise<Outcome> {
    const file = await this.sessions.create();
    const maxSize = this.options.maxSize ?? DEFAULT_MAX_SIZE;
    let live: LiveCapture;
    try {
      live = await start({ file, maxSize, tapWorker: this.options.tapWorker }, this.eventsOf(file));
    } catch (error) {
      await this.sessions.discard(file);
      return refused((error as Error).message, field);
    }
    await this.closeNow();
    this.live = live;
    await this.host.follow(file);
    this.host.committed(live.committed);
    const { listening, settings, isDemo: demo } = live;
    const name = basename(file);
    this.set({ kind: 'capturing', name, file, listening, settings, demo, writing: true, maxSize, saved: false });
    await this.refreshRecent();
    return DONE;
  }

  private eventsOf(file: string): LiveCaptureEvents {
    const isCurrent = () => this.live?.file === file;
    return {
      committed: (length) => {
        if (isCurrent()) this.host.committed(length);
      },
      notice: ({ severity, code, message }) => {
        this.notices.addOfSession(severity, message, code === 'upstream-refused' ? 'upstream' : undefined);
        if (code === 'tap-crashed') void this.stopCapture();
      },
      figures: (figures, writing) => {
        if (!isCurrent()) return;
        this.figures = figures;
        if (this.session.kind === 'capturing') this.session = { ...this.session, writing };
        this.changes.touch();
      },
    };
  }

  private async stop(): Promise<Outcome> {
    const { live } = this;
    if (live === undefined) return refused('No capture is running.');
    const { file } = live;
    const name = basename(file);
    this.set({ kind: 'stopping', name, file });
    let failure: string | undefined;
    try {
      const { length } = await live.stop();
      this.host.committed(length);
    } catch (error) {
      failure = (error as Error).message;
    }
    this.live = undefined;
    this.figures = null;
    const size = await sizeOf(file);
    this.set({ kind: 'open', name, file, size, saved: false });
    await this.host.finish().catch((error: Error) => this.notices.add('error', error.message));
    return failure === undefined ? DONE : refused(failure);
  }

  private async open(file: string, name: string, remember = true): Promise<Outcome> {
    if (this.live !== undefined) return refused(CAPTURING);
    const problem = file === '-' ? undefined : await problemOf(file, name);
    if (problem !== undefined) return refused(problem);
    await this.closeNow();
    this.set({ kind: 'opening', name });
    const ours = this.sessions.holds(file);
    if (ours) await this.sessions.claim(file);
    const opened = this.host.open(file);
    try {
      await Promise.race([opened, this.slot.firstRows()]);
    } catch (error) {
      await this.engine.close();
      if (ours) await this.sessions.release(file);
      this.set({ kind: 'none' });
      await this.refreshRecent();
      return refused((error as Error).message);
    }
    const session: SessionState = { kind: 'open', name, file, size: await sizeOf(file), saved: !ours };
    this.set(session);
    opened.catch((error: Error) => {
      // The rows that were read stay; a session that was closed meanwhile has nothing to tell.
      if (this.session.kind === 'open' && this.session.file === file) this.notices.add('error', error.message);
    });
    if (remember) await this.recent.add(file);
    await this.refreshRecent();
    return DONE;
  }

  /** Whatever is open; an unsaved capture stays where it is. */
  private async closeNow(): Promise<void> {
    if (this.live !== undefined) await this.stop();
    if (this.session.kind === 'none') return;
    this.notices.closeSession();
    await this.releaseFile();
    await this.engine.close();
    this.set({ kind: 'none' });
    this.emitter.emit('progress', { ...(await this.engine.status()), changedFrom: null, views: [] });
  }

  private async releaseFile(): Promise<void> {
    const file = this.openFile;
    if (file !== undefined && this.sessions.holds(file)) await this.sessions.release(file);
  }

  private async moved(from: string, to: string): Promise<void> {
    if (this.session.kind === 'open' && this.session.file === from) {
      this.set({ ...this.session, file: to, name: basename(to), saved: true });
    }
    await this.recent.add(to);
    await this.refreshRecent();
  }

  /** A capture goes on without its engine: its file is read again from the beginning. A file that was open is closed. */
  private async engineReplaced(error: Error): Promise<void> {
    this.notices.add('error', `${error.message}. What is captured is safe in its file.`);
    const { live } = this;
    if (live !== undefined) {
      await this.host.follow(live.file);
      this.host.committed(live.committed);
    } else if (this.session.kind !== 'none') {
      await this.releaseFile();
      this.set({ kind: 'none' });
      await this.refreshRecent();
    }
  }

  private get openFile(): string | undefined {
    const { session } = this;
    return 'file' in session ? session.file : undefined;
  }

  private set(session: SessionState): void {
    this.session = session;
    this.changes.touch();
  }

  private async refreshRecent(): Promise<void> {
    this.recentNow = await this.recent.list(this.openFile);
    this.changes.touch();
  }

  private stateNow(): AppState {
    const { session, figures, recentNow: recent } = this;
    return { version: VERSION, session, figures, recent, notices: this.notices.list, jobs: this.jobs.list };
  }

  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}
