import type { LiteralKind, Representation } from '../../core/hpack/representations';

/** Entries of the static table (RFC 7541 Appendix A). */
const STATIC_ENTRIES = 61;

const LITERAL_WORDS: Readonly<Record<LiteralKind, string>> = {
  'literal-incremental': 'literal, added to the dynamic table',
  'literal-without-indexing': 'literal, not added to the table',
  'literal-never-indexed': 'literal, never to be indexed',
};

/** `entry 3 of the static table`, `entry 62 (dynamic table)`. */
export function tableEntry(index: number): string {
  return index <= STATIC_ENTRIES ? `entry ${index} of the static table` : `entry ${index} (dynamic table)`;
}

/** How a field is represented (RFC 7541 §6), in a few words. */
export function representationWords(representation: Representation): string {
  switch (representation.kind) {
    case 'indexed':
      return `indexed: ${tableEntry(representation.index)}`;
    case 'size-update':
      return representation.misplaced ? 'not at the beginning of the block' : 'the new maximum size of the table';
    case 'error':
      return representation.message;
    case 'literal-incremental':
    case 'literal-without-indexing':
    case 'literal-never-indexed':
      return LITERAL_WORDS[representation.kind];
    default:
      return assertNever(representation);
  }
}

function assertNever(representation: never): never {
  throw new Error(`unknown representation: ${JSON.stringify(representation)}`);
}
