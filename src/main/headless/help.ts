import { VERSION } from '../../shared/version';
import { type OptionSpec, optionText } from './args';
import type { Command } from './command';
import { COMMANDS } from './commands';

/** What `penstock --help` prints. */
export function generalHelp(): string {
  return [
    `penstock ${VERSION}: what HTTP/2 and gRPC really do on a connection`,
    '',
    ...aligned(COMMANDS.map((command) => [`penstock ${synopsis(command)}`, command.description])),
    '',
    'FILE is a pcapng or pcap file, gzip-compressed or not, or - for standard input.',
    '`penstock COMMAND --help` tells its options. Begin with `penstock demo`.',
  ].join('\n');
}

/** What `penstock COMMAND --help` prints. */
export function commandHelp(command: Command): string {
  const lines = [
    `penstock ${synopsis(command)}`,
    '',
    `${command.description[0]!.toUpperCase()}${command.description.slice(1)}.`,
  ];
  if (command.help !== undefined) lines.push('', ...command.help);
  if (command.options.length > 0) {
    lines.push('', ...aligned(command.options.map((option) => [longText(option), option.description])));
  }
  return lines.join('\n');
}

function synopsis({ name, operands, options }: Command): string {
  return [name, ...operands, ...(options.length > 0 ? ['[options]'] : [])].join(' ');
}

function longText(option: OptionSpec): string {
  const { name, short, value } = option;
  if (short === undefined) return optionText(option);
  return `-${short}, --${name}${value === undefined ? '' : ` ${value}`}`;
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
