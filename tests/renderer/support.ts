import type { AppState, RecentSession, SessionState } from '../../src/shared/app';
import type { EngineStatus } from '../../src/shared/contract';

export function engineStatus(change: Partial<EngineStatus> = {}): EngineStatus {
  return {
    state: 'following',
    failure: null,
    file: '/captures/a.pcapng',
    read: 0,
    committed: 0,
    lag: 0,
    packets: 0,
    connections: 0,
    frames: 0,
    calls: 0,
    messages: 0,
    chunks: 0,
    faults: 0,
    troubles: 0,
    lastTime: 0,
    hasDeliveries: true,
    ...change,
  };
}

export function capturing(change: Partial<Extract<SessionState, { kind: 'capturing' }>> = {}): SessionState {
  return {
    kind: 'capturing',
    name: 'a.pcapng',
    file: '/captures/a.pcapng',
    listening: '127.0.0.1:9800',
    settings: {
      listen: '127.0.0.1:9800',
      upstream: '127.0.0.1:50051',
      delayToServer: 0,
      delayToClient: 0,
      rateToServer: null,
      rateToClient: null,
      delayConnect: false,
    },
    demo: false,
    writing: true,
    maxSize: 2 * 1024 ** 3,
    saved: false,
    ...change,
  };
}

export function opened(change: Partial<Extract<SessionState, { kind: 'open' }>> = {}): SessionState {
  return { kind: 'open', name: 'a.pcapng', file: '/captures/a.pcapng', size: 2048, saved: true, ...change };
}

export function recentSession(change: Partial<RecentSession> = {}): RecentSession {
  return { id: 'a1', name: 'a.pcapng', folder: '~/captures', size: 2048, modified: 0, recovered: false, ...change };
}

export function appState(session: SessionState, recent: RecentSession[] = []): AppState {
  return { version: '0', session, figures: null, recent, notices: [], jobs: [] };
}
