import type { Direction, FrameRecord } from './records';

/** What a step goes by: the next frame, the end of the next chunk, the next call's first frame, the next thing of note. */
export type StepBy = 'frame' | 'chunk' | 'call' | 'interesting';

export type StepPeer = 'client' | 'server';

/**
 * RFC 9113 §5.1, with both ends in one picture: a half is closed when its sender has sent the last of it, whether or
 * not its peer has it yet.
 */
export const STREAM_STATES = [
  'idle',
  'reserved',
  'open',
  'half-closed (client)',
  'half-closed (server)',
  'closed',
] as const;
export type StreamState = (typeof STREAM_STATES)[number];

export interface StepStream {
  stream: number;
  state: StreamState;
  /** In its sender's books, octets; null where its sender can send nothing more. */
  windows: Record<Direction, number | null>;
  /** Number of its newest frame. */
  last: number;
  /** Why it was closed; null while it is not. */
  closed: 'ended' | 'reset' | null;
}

export interface StepWindow {
  /** The connection's, in the books of who sends DATA this way. */
  window: number;
  /** What new streams get: SETTINGS_INITIAL_WINDOW_SIZE as its sender knows it; null where it was not seen. */
  initial: number | null;
  /** The largest that the connection's window has been up to here: the gauge's full mark. */
  largest: number;
}

/** Sent and not delivered: frames whose last octet is under way. */
export interface StepFlight {
  frames: number;
  octets: number;
  /** Flow-controlled octets among them. */
  data: number;
}

export interface StepSetting {
  id: number;
  name: string;
  value: number | null;
  /** In force without having been said: RFC 9113 §6.5.2's initial value. `value` is null for "no limit". */
  initial: boolean;
}

/** SETTINGS that their receiver has not acknowledged. */
export interface StepPendingSettings {
  n: number;
  /** Null where the file tells no deliveries. */
  delivered: boolean | null;
  settings: StepSetting[];
}

export interface StepSettings {
  /** Acknowledged by the peer, whom they bind. */
  inForce: StepSetting[];
  pending: StepPendingSettings[];
}

export interface StepTableEntry {
  /** RFC 7541 §2.3.3: the newest has 62. */
  index: number;
  name: string;
  /** Null where it was never seen. */
  value: string | null;
  /** RFC 7541 §4.1. */
  size: number;
  /** This step has added it. */
  added: boolean;
}

/** The dynamic table of who sends this way (RFC 7541 §2.3.2). */
export interface StepTable {
  size: number;
  maxSize: number;
  /** Entries there are; `entries` tells the newest of them. */
  count: number;
  entries: StepTableEntry[];
  /** This step has added so many, and evicted so many; `evicted` tells the first of them. */
  addedCount: number;
  evictedCount: number;
  evicted: { name: string; value: string | null }[];
  /** There may be older entries, from before the capture or from a block that was lost. */
  unknown: boolean;
}

export interface StepPing {
  n: number;
  by: StepPeer;
  /** Hex. */
  payload: string;
  /** Seconds since it was sent. */
  age: number;
}

/** One connection as it was when a frame had been sent: what every frame before it, and this one, has made of it. */
export interface StepState {
  frame: FrameRecord;
  /** Place of the frame among its connection's, from 1, and how many there are. */
  position: number;
  count: number;
  /** What has arrived since the frame before, a sentence each. */
  meanwhile: string[];
  /** What this frame does, a sentence each. */
  words: string[];
  /** The state of the frame's stream before it and now; null for stream 0. */
  stream: { stream: number; before: StreamState; after: StreamState } | null;
  /** Open ones, the frame's first; then as many of the newest as are told. */
  streams: StepStream[];
  streamCount: number;
  /** Closed lately, the newest first. */
  closed: StepStream[];
  windows: Record<Direction, StepWindow>;
  /** Null where the file tells no deliveries. */
  inFlight: Record<Direction, StepFlight> | null;
  settings: Record<StepPeer, StepSettings>;
  tables: Record<Direction, StepTable>;
  pings: StepPing[];
  pingCount: number;
  /** Joined in the middle: windows count from 0, and what was agreed before is not known. */
  relative: boolean;
  /** Octets were lost before: streams and settings may have changed in them. */
  lost: boolean;
}
