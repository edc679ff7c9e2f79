import type { StreamState } from '../../shared/step';
import type { Side } from '../tcp/types';

/** What a frame, or its delivery, has done to its connection. Sides are those that act; rows those of frames. */
export type StepNote =
  | { kind: 'opens'; stream: number; side: Side }
  | { kind: 'reserves'; stream: number; side: Side }
  | { kind: 'unseen'; stream: number }
  | { kind: 'ends'; stream: number; side: Side; state: StreamState }
  | { kind: 'resets'; stream: number; side: Side; code: number }
  | { kind: 'no-stream'; stream: number; state: StreamState }
  | { kind: 'spends'; side: Side; stream: number; octets: number; connection: number; window: number | undefined }
  /** Credit that is on its way to who may spend it; `delivered` in nanoseconds, NaN when it is not known. */
  | { kind: 'grants'; to: Side; stream: number; octets: number; delivered: number }
  | { kind: 'credited'; side: Side; stream: number; octets: number; before: number; window: number; row: number }
  | { kind: 'credit-unused'; side: Side; stream: number; octets: number; row: number }
  | { kind: 'shifts'; side: Side; initial: number; change: number; streams: number; row: number }
  | { kind: 'settings'; side: Side; count: number }
  | { kind: 'settings-acknowledged'; row: number; count: number }
  | { kind: 'settings-ack-unasked' }
  | { kind: 'ping'; side: Side }
  | { kind: 'pong'; row: number; time: number }
  | { kind: 'pong-unasked' }
  | { kind: 'goaway'; side: Side; last: number; code: number }
  | { kind: 'block-goes-on'; stream: number }
  | { kind: 'table'; side: Side; added: number; evicted: number; size: number; resized: number | undefined }
  | { kind: 'table-lost'; side: Side }
  | { kind: 'lost'; side: Side }
  | { kind: 'delivered'; side: Side; frames: number; octets: number };
