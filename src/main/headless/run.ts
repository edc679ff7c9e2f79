import { VERSION } from '../../shared/version';
import { nearestName } from '../session/filter/nearest';
import { visible } from '../session/text';
import { readArguments } from './args';
import { COMMANDS, COMMANDS_TO_COME } from './commands';
import type { Context } from './context';
import { CommandError, ExitCode, OutputClosed, usage } from './errors';
import { commandHelp, generalHelp } from './help';
import { openWindow } from './window/command';

/** Runs one command line. @returns the exit status; all output is written by then */
export async function run(words: readonly string[], context: Context): Promise<ExitCode> {
  try {
    await dispatch(words, context);
    await context.out.flush();
    return ExitCode.DONE;
  } catch (error) {
    return await ended(error, context);
  }
}

/** What an error means for the exit status; what was printed before it stays. */
async function ended(error: unknown, context: Context): Promise<ExitCode> {
  if (error instanceof OutputClosed) return ExitCode.DONE;
  await context.out.flush().catch(() => undefined);
  if (error instanceof CommandError) {
    context.note(`penstock: ${error.message}`);
    return error.exitCode;
  }
  context.note(`penstock: a fault of its own: ${error instanceof Error ? error.stack : String(error)}`);
  return ExitCode.FAILED;
}

async function dispatch(words: readonly string[], context: Context): Promise<void> {
  const [first, ...rest] = words;
  if (first === undefined) return openWindow(undefined, context);
  if (first === '--version' || first === '-v' || first === '-V') return context.out.line(`penstock ${VERSION}`);
  if (first === '--help' || first === '-h') return context.out.line(generalHelp());
  if (first === 'help') {
    const [about] = rest;
    return context.out.line(about === undefined ? generalHelp() : commandHelp(find(about)));
  }
  const command = find(first);
  const end = rest.indexOf('--');
  const options = end === -1 ? rest : rest.slice(0, end);
  if (options.includes('--help') || options.includes('-h')) return context.out.line(commandHelp(command));
  await command.run(readArguments(command.name, rest, command.options, command.operands), context);
}

function find(name: string) {
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) return command;
  if (COMMANDS_TO_COME.includes(name)) throw usage(`${name}: not in this version`);
  const names = COMMANDS.map((one) => one.name);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${nearest}?`;
  throw usage(`there is no ${name.startsWith('-') ? 'option' : 'command'} ${visible(name)}; ${hint}`);
}
