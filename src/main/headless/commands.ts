import { account } from './account';
import { bytes } from './bytes';
import { calls } from './calls';
import { capture } from './capture';
import type { Command } from './command';
import { connections } from './connections';
import { demo } from './demo';
import { exportCommand } from './export';
import { findings } from './findings';
import { frames } from './frames';
import { info } from './info';
import { messages } from './messages';
import { rounds } from './rounds';
import { serve } from './serve/command';
import { stalls } from './stalls';
import { openCommand } from './window/command';
import { windows } from './windows';

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  openCommand,
  capture,
  info,
  frames,
  connections,
  calls,
  messages,
  bytes,
  windows,
  stalls,
  rounds,
  account,
  findings,
  exportCommand,
  serve,
  demo,
];

/** Announced, not there yet: they are answered by name. */
export const COMMANDS_TO_COME: readonly string[] = ['lab'];
