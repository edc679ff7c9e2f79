import type { AppCommand, AppState } from '../../shared/app';

/** One thing that the palette can do. */
export interface PaletteItem {
  id: string;
  group: 'Go to' | 'Session' | 'Capture' | 'Recent';
  words: string;
  deed:
    | { command: AppCommand }
    | { rtt: number }
    | { fault: 1 | -1 }
    | { frame: number }
    | { recent: string }
    | { pause: true };
}

/** All that makes sense now, in the order in which it is offered. */
export function paletteItems(state: AppState, presets: readonly number[]): PaletteItem[] {
  const { kind } = state.session;
  const session = kind === 'open' || kind === 'capturing' || kind === 'stopping';
  const keepable = kind === 'open' || kind === 'capturing';
  const capturing = kind === 'capturing';
  const items: (PaletteItem | false)[] = [
    session && command('Go to', 'view-timeline', 'Timeline'),
    session && command('Go to', 'view-calls', 'Calls'),
    session && command('Go to', 'view-windows', 'Windows'),
    session && command('Go to', 'view-rounds', 'Rounds'),
    session && command('Go to', 'view-accounts', 'Accounts'),
    session && command('Go to', 'view-concurrency', 'Concurrency'),
    session && command('Go to', 'view-step', 'Step'),
    session && command('Go to', 'view-findings', 'Findings'),
    session && command('Go to', 'find', 'Filter the frames'),
    session && command('Go to', 'go-to-frame', 'Go to a frame…'),
    session && { id: 'fault', group: 'Go to', words: 'Next fault', deed: { fault: 1 } },
    session && { id: 'fault-before', group: 'Go to', words: 'Fault before', deed: { fault: -1 } },
    command('Capture', 'start-or-stop', capturing ? 'Stop capturing' : 'Start capturing'),
    !capturing && command('Capture', 'demo', 'Run the demo'),
    capturing && { id: 'pause', group: 'Capture', words: 'Pause the display, or go on', deed: { pause: true } },
    ...presets.map(
      (rtt): PaletteItem => ({ id: `rtt-${rtt}`, group: 'Capture', words: `RTT ${rtt} ms`, deed: { rtt } }),
    ),
    !capturing && command('Session', 'open', 'Open a capture file…'),
    keepable && command('Session', 'save-as', 'Save the session…'),
    keepable && command('Session', 'export', 'Export…'),
    keepable && command('Session', 'close', 'Close the session'),
    command('Session', 'shortcuts', 'Keyboard shortcuts'),
    ...(capturing ? [] : state.recent).map(
      ({ id, name }): PaletteItem => ({
        id: `recent-${id}`,
        group: 'Recent',
        words: `Open ${name}`,
        deed: { recent: id },
      }),
    ),
  ];
  return items.filter((item) => item !== false);
}

function command(group: PaletteItem['group'], name: AppCommand, words: string): PaletteItem {
  return { id: name, group, words, deed: { command: name } };
}
