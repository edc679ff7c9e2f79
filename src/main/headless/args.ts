import { parseArgs } from 'node:util';
import { usage } from './errors';

/** One option of a command. */
export interface OptionSpec {
  /** Without dashes. */
  name: string;
  short?: string;
  /** What its value is called in the help; absent for a switch. */
  value?: string;
  description: string;
}

/** What the command was given. Values are text as it stood: who uses them checks them. */
export interface Arguments {
  operands: string[];
  values: ReadonlyMap<string, string>;
  switches: ReadonlySet<string>;
}

/**
 * Strict: an unknown or repeated option, a missing value, a value too many are errors that say what is allowed.
 * `-` alone is an operand or a value. (node:util splits the words; a number in a file's name stays text.)
 *
 * @param operands names of the operands; those in brackets may be missing
 * @throws CommandError
 */
export function readArguments(
  command: string,
  words: readonly string[],
  specs: readonly OptionSpec[],
  operands: readonly string[],
): Arguments {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {};
  for (const { name, short, value } of specs) {
    options[name] = { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) };
  }
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  const found = { operands: [] as string[], values: new Map<string, string>(), switches: new Set<string>() };
  const fail = (message: string) => usage(`${command}: ${message}`);
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      found.operands.push(token.value);
      continue;
    }
    const spec = specs.find(({ name }) => name === token.name);
    if (spec === undefined) {
      throw fail(`unknown option ${token.rawName}; allowed: ${specs.map(optionText).join(', ') || 'none'}`);
    }
    if (found.values.has(spec.name) || found.switches.has(spec.name)) throw fail(`${token.rawName} is given twice`);
    if (spec.value === undefined) {
      if (token.value !== undefined) throw fail(`${token.rawName} takes no value`);
      found.switches.add(spec.name);
      continue;
    }
    const looksLikeOption = token.inlineValue === false && /^-./.test(token.value);
    if (token.value === undefined || token.value === '' || looksLikeOption) {
      throw fail(`${token.rawName} needs a value: ${optionText(spec)}`);
    }
    found.values.set(spec.name, token.value);
  }
  const required = operands.filter((name) => !name.startsWith('['));
  if (found.operands.length < required.length) {
    throw fail(`${operands[found.operands.length]} is missing: penstock ${[command, ...operands].join(' ')}`);
  }
  if (found.operands.length > operands.length) {
    const extra = found.operands[operands.length];
    throw fail(`unexpected "${extra}"; it takes ${operands.length === 0 ? 'options only' : operands.join(' ')}`);
  }
  return found;
}

/** `--rtt DURATION`, `-o OUT`. */
export function optionText({ name, short, value }: OptionSpec): string {
  const dashed = short === undefined ? `--${name}` : `-${short}`;
  return value === undefined ? dashed : `${dashed} ${value}`;
}

/** A value read by `parse`, or undefined when the option is absent. @throws CommandError that says what is allowed */
export function readValue<Value>(
  command: string,
  given: Arguments,
  name: string,
  parse: (text: string) => Value | undefined,
  allowed: string,
): Value | undefined {
  const text = given.values.get(name);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw usage(`${command}: --${name} must be ${allowed}, not "${text}"`);
  return value;
}
