import { hexOf } from './hex-runs';

/** Ways in which octets are copied. `json` is the frame's record, `text` what the octets spell. */
export const COPY_FORMATS = ['hex', 'c', 'go', 'typescript', 'json', 'text'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

export const COPY_LABELS: Readonly<Record<CopyFormat, string>> = {
  hex: 'Hex',
  c: 'C array',
  go: 'Go []byte',
  typescript: 'TypeScript Uint8Array',
  json: 'JSON (the frame’s record)',
  text: 'Text',
};

/** Octets on a line of source text. */
const PER_LINE = 12;

/** @param words what the octets are: `frame`, `4120`, `increment` */
export function formatOctets(
  octets: Uint8Array,
  format: Exclude<CopyFormat, 'json'>,
  words: readonly string[],
): string {
  switch (format) {
    case 'hex':
      return asHex(octets);
    case 'c':
      return asC(octets, snakeCase(words));
    case 'go':
      return asGo(octets, camelCase(words));
    case 'typescript':
      return asTypeScript(octets, camelCase(words));
    case 'text':
      return asText(octets);
    default:
      throw new Error(`no such format: ${format satisfies never}`);
  }
}

/** `00 00 00 0b`, on one line. */
export function asHex(octets: Uint8Array): string {
  return Array.from(octets, hexOf).join(' ');
}

/** A definition; C has no arrays without elements, so that none has one octet that does not count. */
export function asC(octets: Uint8Array, name: string): string {
  const size = `const size_t ${name}_length = ${octets.length};\n`;
  return `const uint8_t ${name}[] = {${lines(octets.length === 0 ? Uint8Array.of(0) : octets, '    ')}};\n${size}`;
}

export function asGo(octets: Uint8Array, name: string): string {
  return `var ${name} = []byte{${lines(octets, '\t')}}\n`;
}

export function asTypeScript(octets: Uint8Array, name: string): string {
  return `const ${name} = Uint8Array.of(${lines(octets, '  ')});\n`;
}

/** UTF-8 where the octets are that, else Latin-1, which every sequence of octets is. */
export function asText(octets: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets);
  } catch {
    return Array.from(octets, (octet) => String.fromCharCode(octet)).join('');
  }
}

function lines(octets: Uint8Array, indent: string): string {
  if (octets.length === 0) return '';
  let text = '\n';
  for (let at = 0; at < octets.length; at += PER_LINE) {
    const line = Array.from(octets.subarray(at, at + PER_LINE), (octet) => `0x${hexOf(octet)}`);
    text += `${indent}${line.join(', ')},\n`;
  }
  return text;
}

/** Words that a name can be made of: letters and digits, the first a letter. */
function nameParts(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => word.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  return /^[a-z]/.test(parts[0] ?? '') ? parts : ['octets', ...parts];
}

function snakeCase(words: readonly string[]): string {
  return nameParts(words).join('_');
}

function camelCase(words: readonly string[]): string {
  return nameParts(words)
    .map((part, i) => (i === 0 ? part : part[0]!.toUpperCase() + part.slice(1)))
    .join('');
}
