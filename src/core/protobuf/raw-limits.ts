/** Bounds of schema-less decoding: captured octets are hostile. */
export interface RawLimits {
  /** Levels of messages and groups below the outermost. At the bound octets are not read as messages any more. */
  depth: number;
  /** Fields of all levels together. At the bound decoding stops with an error. */
  fields: number;
  /** Octets of one string that are decoded; a longer one is `cut`. */
  string: number;
  /** Octets of all strings together; beyond it strings are `cut` to nothing. */
  text: number;
}

export const DEFAULT_RAW_LIMITS: RawLimits = { depth: 32, fields: 20_000, string: 64 * 1024, text: 4 * 1024 * 1024 };

/** What is left of the limits while one message is decoded. */
export interface Budget {
  fields: number;
  characters: number;
  readonly string: number;
}

export function budgetOf(limits: RawLimits): Budget {
  return { fields: limits.fields, characters: limits.text, string: limits.string };
}
