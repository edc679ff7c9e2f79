import type { Output } from './output';
import type { Style } from './style';

/** What a command has of its surroundings. */
export interface Context {
  /** What starts this program, for commands that a user may copy: `penstock`, or `node out/main/cli.js`. */
  program: string;
  out: Output;
  style: Style;
  /** Columns of the terminal; undefined where the output is none, and lines may be as long as they are. */
  width: number | undefined;
  /** One line on standard error. */
  note(text: string): void;
  /** What is being done, on a line of the terminal that the next one replaces; nothing where there is no terminal. */
  progress(text: string): void;
  /** The built workers. */
  tapWorker: string;
  engineWorker: string;
}
