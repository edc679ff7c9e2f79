/** What the grammar makes of an expression, before names mean anything. Positions count UTF-16 units, as strings do. */

export interface Span {
  at: number;
  length: number;
}

/** A word as it stands, or a quoted text without its quotes and escapes. */
export interface Value extends Span {
  text: string;
  quoted: boolean;
}

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'contains';

export interface Comparison extends Span {
  /** The span is that of the operator. */
  operator: Operator;
  /** One, or with `set` those between braces (at least one). */
  values: Value[];
  set: boolean;
}

export type Expression =
  | { kind: 'or' | 'and'; operands: Expression[] }
  | { kind: 'not'; operand: Expression }
  /** A word or quoted text by itself. */
  | { kind: 'alone'; value: Value }
  | { kind: 'compare'; field: Value; comparison: Comparison }
  /** `header NAME`, alone (it is there) or compared. */
  | { kind: 'header'; name: Value; comparison: Comparison | null };
