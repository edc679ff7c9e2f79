import type { Capture } from '../../../core/capture/capture';

/** What a filter asks of a session. Rows and calls are those of the capture's tables, from 0. */
export interface FilterRows {
  capture: Capture;
  /** The text that the row shows. */
  info(row: number): string;
  /** Of the row's stream: row of the call table, or -1. */
  callOf(row: number): number;
  /** The gRPC status, or null while (or where) there is none. */
  callStatus(call: number): number | null;
  callMethod(call: number): string | null;
}

/**
 * How far a change reaches, from the narrowest: the row itself, all rows of the call, all rows of the stream (on
 * stream 0: of the connection).
 */
export type FilterScope = 'row' | 'call' | 'stream';

export interface Filter {
  /** The widest of its conditions': a live filter is tested again on that much when something in it changed. */
  readonly scope: FilterScope;
  test(rows: FilterRows, row: number): boolean;
  /** Appends the rows of `[from, to)` that pass to `out`, in order. */
  select(rows: FilterRows, from: number, to: number, out: number[]): void;
}

/** What is wrong with an expression, and where: UTF-16 units from 0; `length` is 0 where something is missing. */
export interface FilterError {
  message: string;
  at: number;
  length: number;
}

export type FilterResult = { filter: Filter } | { error: FilterError };
