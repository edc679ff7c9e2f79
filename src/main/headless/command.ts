import type { Arguments, OptionSpec } from './args';
import type { Context } from './context';

export interface Command {
  name: string;
  /** Names of the operands; one in brackets may be missing. */
  operands: readonly string[];
  description: string;
  options: readonly OptionSpec[];
  /** More lines for its help. */
  help?: readonly string[];
  run(given: Arguments, context: Context): Promise<void>;
}

export const FILE = 'FILE';

export const JSON_OPTION: OptionSpec = { name: 'json', description: 'JSON Lines: one object a line' };
export const FILTER_OPTION: OptionSpec = {
  name: 'filter',
  value: 'EXPR',
  description: "only rows that pass, e.g. 'stream == 1 && type == DATA'",
};
