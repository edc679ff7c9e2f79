import type { EngineApi, EngineProgress } from './contract';
import type { ExampleName } from './examples';

/**
 * The contract between a window and the program behind it: the engine's queries, and what a window can ask to be done.
 * Electron's bridge and the WebSocket of `penstock serve` carry the same.
 */

export interface CaptureSettings {
  /** `HOST:PORT`; port 0 lets the system choose. */
  listen: string;
  upstream: string;
  /** Milliseconds, one way. */
  delayToServer: number;
  delayToClient: number;
  /** Octets a second; null for no limit. */
  rateToServer: number | null;
  rateToClient: number | null;
  /** Hold a connection's first octets for a round trip, as a TCP handshake over the delayed path would. */
  delayConnect: boolean;
}

/** What can change while a tap runs. */
export type LiveSettings = Omit<CaptureSettings, 'listen' | 'upstream'>;

/** Answers to what a user asked for: a refusal is a value with words, and says which input it is about. */
export type Outcome<T = null> = { ok: true; value: T } | { ok: false; message: string; field?: keyof CaptureSettings };

export type SessionState =
  | { kind: 'none' }
  | { kind: 'opening'; name: string }
  | {
      kind: 'capturing';
      name: string;
      file: string;
      /** As it listens: the real port. */
      listening: string;
      settings: CaptureSettings;
      /** The demo's calls run through it. */
      demo: boolean;
      /** False once the size limit or a full disk ended the capture; forwarding goes on. */
      writing: boolean;
      maxSize: number;
      /** Kept in the folder of sessions until it is saved or discarded. */
      saved: boolean;
    }
  | { kind: 'stopping'; name: string; file: string }
  | { kind: 'open'; name: string; file: string; size: number; saved: boolean };

/** Live figures of a running tap, every half second. */
export interface TapFigures {
  connections: { open: number; total: number };
  octets: { toServer: number; toClient: number };
  /** Octets a second over the last interval. */
  rate: { toServer: number; toClient: number };
  /** Octets in the delay lines. */
  spool: number;
  /** Octets captured that are not in the file yet. */
  unwritten: number;
}

export interface RecentSession {
  /** To be given back; names no path of its own. */
  id: string;
  name: string;
  folder: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Left by a program that ended without saving or discarding it. */
  recovered: boolean;
}

export interface Notice {
  id: number;
  severity: 'info' | 'warning' | 'error';
  message: string;
  /** What it is about, where a part of the window shows it: a running tap cannot reach its server. */
  about?: 'upstream';
}

/** Work that takes a while and can be cancelled. */
export interface Job {
  id: number;
  title: string;
  /** 0 to 1; null while unknown. */
  progress: number | null;
}

export interface AppState {
  version: string;
  session: SessionState;
  figures: TapFigures | null;
  recent: RecentSession[];
  notices: Notice[];
  jobs: Job[];
}

export type ExportFormat = 'pcapng' | 'jsonl' | 'csv';

export interface ExportRequest {
  format: ExportFormat;
  /** A filter's text; null for all. */
  filter: string | null;
}

/** What this place can do by itself; a browser asks its user in its own ways. */
export interface PlatformFacts {
  kind: 'electron' | 'browser';
  /** `darwin`, `win32`, `linux`, …: which modifier key shortcuts use. */
  os: string;
  /** Native dialogs for opening and saving. */
  dialogs: boolean;
}

export interface AppApi extends EngineApi {
  facts(): Promise<PlatformFacts>;
  state(): Promise<AppState>;

  startCapture(settings: CaptureSettings): Promise<Outcome>;
  /** The demo's real calls through a real tap at a round trip of 20 ms. */
  startDemo(): Promise<Outcome>;
  /** Opens a capture that Penstock itself writes for the purpose: a script, not traffic. */
  openExample(name: ExampleName): Promise<Outcome>;
  updateCapture(settings: Partial<LiveSettings>): Promise<Outcome>;
  stopCapture(): Promise<Outcome>;

  /** Asks with a dialog where there is one; `null` when the user thought better of it. */
  openDialog(): Promise<Outcome<boolean>>;
  /** A path that the user typed or dropped. */
  openPath(path: string): Promise<Outcome>;
  openRecent(id: string): Promise<Outcome>;
  forgetRecent(id: string): Promise<Outcome>;
  closeSession(): Promise<Outcome>;
  /**
   * Keeps the session's file. With dialogs the user is asked where; without, `path` says it or `value` is an address
   * to download from.
   */
  saveAs(path: string | null): Promise<Outcome<{ saved: boolean; download: string | null }>>;
  exportAs(request: ExportRequest, path: string | null): Promise<Outcome<{ saved: boolean; download: string | null }>>;
  cancelJob(id: number): Promise<void>;
  dismissNotice(id: number): Promise<void>;
}

/** A menu's or the system's command, for the window to carry out. */
export type AppCommand =
  | 'open'
  | 'save-as'
  | 'export'
  | 'start-or-stop'
  | 'demo'
  | 'close'
  | 'find'
  | 'go-to-frame'
  | 'palette'
  | 'shortcuts'
  | 'view-timeline'
  | 'view-calls'
  | 'view-windows'
  | 'view-accounts'
  | 'view-concurrency'
  | 'view-step'
  | 'view-rounds'
  | 'view-findings';

export interface AppEvents {
  state(state: AppState): void;
  progress(progress: EngineProgress): void;
  command(command: AppCommand): void;
}
