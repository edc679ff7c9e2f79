import { create } from 'zustand';
import type { AppApi, AppState } from '../../shared/app';
import type { EngineProgress } from '../../shared/contract';
import type { Platform } from '../platform';

/** What the program says of itself: kept as it comes, changed by nobody here. */
export interface AppStore {
  connection: 'open' | 'closed';
  state: AppState;
  /** Null before the engine has said anything of the session. */
  progress: EngineProgress | null;
}

const NOTHING: AppState = {
  version: '',
  session: { kind: 'none' },
  figures: null,
  recent: [],
  notices: [],
  jobs: [],
};

export const useApp = create<AppStore>(() => ({ connection: 'open', state: NOTHING, progress: null }));

/** The window's ways out, set once before anything is shown. */
export interface Services {
  api: AppApi;
  platform: Platform;
}

let provided: Services | undefined;

export function provide(given: Services): void {
  provided = given;
}

/** @throws before `provide`: a fault of ours */
export function services(): Services {
  if (provided === undefined) throw new Error('the window asked for its services before it was connected');
  return provided;
}

/** A session is there to be looked at: it is being captured, stopped, or open. */
export function hasSession(state: AppState): boolean {
  const { kind } = state.session;
  return kind === 'capturing' || kind === 'stopping' || kind === 'open';
}

/** The session would have to be looked for among those left unsaved, once it is closed. */
export function isUnsaved({ session }: AppState): boolean {
  return (session.kind === 'open' || session.kind === 'capturing') && !session.saved;
}

/** Tells sessions apart: what was remembered of one must not be shown of another. */
export function sessionKey({ session }: AppState): string {
  return 'file' in session ? session.file : session.kind;
}
