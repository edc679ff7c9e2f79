import { HpackDecoder } from '../hpack/decoder';
import type { HeaderStore } from '../hpack/header-store';
import { SideSettings } from './settings';

/** A header block whose end has not come (RFC 9113 §4.3). */
export interface OpenBlock {
  stream: number;
  rows: number[];
  parts: Uint8Array[];
  length: number;
  endStream: boolean;
  /** A PUSH_PROMISE's stream, or undefined. */
  promised: number | undefined;
  /** Part of it was never seen, cannot be told from padding, or is too long. */
  damaged: boolean;
}

/** A table of this size is supposed where SETTINGS may not have been seen: more than any encoder is known to use. */
const UNSEEN_TABLE_LIMIT = 1 << 20;

/** What one side of an HTTP/2 connection has said, and the state that its frames are read with. */
export class SideState {
  readonly settings: SideSettings;
  readonly hpack: HpackDecoder;
  frames = 0;
  block: OpenBlock | undefined;
  /** The last stream of its newest GOAWAY (RFC 9113 §6.8). */
  goawayLast = 0x7fffffff;
  /** The next frame may go on with a header block whose beginning was not seen. */
  unsynced: boolean;
  /** Times that octets of unknown meaning were lost. */
  losses = 0;

  constructor(store: HeaderStore, partial: boolean) {
    this.settings = new SideSettings(partial);
    this.hpack = new HpackDecoder(store, { partial });
    this.unsynced = partial;
    if (partial) this.hpack.raiseLimit(UNSEEN_TABLE_LIMIT);
  }

  /** Octets were lost between frames: header blocks among them, perhaps. */
  lost(): void {
    this.losses++;
    this.frames++;
    this.unsynced = true;
    this.block = undefined;
    this.hpack.forget();
  }

  /** SETTINGS of this side were lost: nothing is held against `peer` that they may have allowed. */
  settingsLost(peer: SideState): void {
    this.settings.lost();
    peer.hpack.raiseLimit(UNSEEN_TABLE_LIMIT);
  }
}
