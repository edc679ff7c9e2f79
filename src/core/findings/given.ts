import type { FindingRecord } from '../../shared/records';
import type { Capture } from '../capture/capture';
import type { FlowAnalysis } from '../flow/flow-analysis';
import type { Side } from '../tcp/types';

/** What findings are made of. What is handed in reads the capture file; without it the rules that need it find nothing. */
export interface FindingSources {
  capture: Capture;
  /** Stalls and limits. */
  analysis?: FlowAnalysis;
  /** Which software a side is, as core/grpc/implementations names it; undefined where nothing tells. */
  implementation?: (conn: number, side: Side) => string | undefined;
  /** The first octets of a frame's payload, `limit` at most. */
  payload?: (row: number, limit: number) => Uint8Array;
  /** Length of a compressed message when it is decompressed; undefined when it cannot be. */
  plainLength?: (message: number) => number | undefined;
}

/** Sources of rules that need stalls and limits. */
export type FlowSources = FindingSources & { analysis: FlowAnalysis };

/** A frame as collectors see it. One object is used again for all of them. */
export interface FrameView {
  row: number;
  conn: number;
  side: Side;
  /** The side is the client's. */
  client: boolean;
  type: number;
  flags: number;
  stream: number;
  length: number;
  /** Arrival of its last octet, nanoseconds. */
  time: number;
}

/**
 * Takes one rule's facts while the tables are gone through once: frames in the order of rows, then calls, then
 * messages. What it keeps has a bound that does not grow with the frames.
 */
export interface Collector {
  /** Types of the frames that it wants to see; HTTP/2 frames alone are shown. */
  types?: readonly number[];
  frame?(frame: FrameView): void;
  call?(call: number): void;
  message?(message: number): void;
  done(): Iterable<FindingRecord>;
}

/** One kind of finding, or a family of them. */
export type Rule = (given: FindingSources) => Collector;
