import { FRAME_TYPE_NAMES, NON_FRAME_KINDS } from '../../shared/names';
import type { AccountOfType, AccountRecord, AccountSide } from '../../shared/records';

/** Slots of row types: those that an RFC names, one for all others, those that are no frame. All fit a mask of 32 bits. */
const NAMED_TYPES = Object.keys(FRAME_TYPE_NAMES).map(Number);
const UNKNOWN_SLOT = NAMED_TYPES.length;
const SLOT_NAMES: readonly string[] = [...Object.values(FRAME_TYPE_NAMES), 'UNKNOWN', ...NON_FRAME_KINDS];
const SLOT_OF_TYPE = Uint8Array.from({ length: 256 }, (_, type) => {
  const slot = NAMED_TYPES.indexOf(type);
  return slot === -1 ? UNKNOWN_SLOT : slot;
});

/** Where a row of a frame type, or of a kind that is no frame, is counted: 0 to 31. */
export function slotOf(type: number, nonFrame: boolean): number {
  return nonFrame ? UNKNOWN_SLOT + 1 + type : SLOT_OF_TYPE[type]!;
}

/** One direction's counts while they are made. */
export class SideTally {
  frames = 0;
  bytes = 0;
  chunks = 0;
  messages = 0;
  messageBytes = 0;
  headerBlocks = 0;
  headerBlocksUnread = 0;
  headerBytes = 0;
  headerBytesPlain = 0;
  controlFrames = 0;
  controlBytes = 0;
  pings = 0;
  pingAcks = 0;
  callChunks = 0;
  sharedChunks = 0;
  mostCallsInChunk = 0;
  private callsInChunks = 0;
  private readonly framesBySlot = new Float64Array(SLOT_NAMES.length);
  private readonly bytesBySlot = new Float64Array(SLOT_NAMES.length);
  private readonly chunksBySlot = new Float64Array(SLOT_NAMES.length);

  row(slot: number, bytes: number): void {
    this.framesBySlot[slot]!++;
    this.bytesBySlot[slot]! += bytes;
  }

  /** @param slots of the rows that have octets in the chunk, as bits. @param calls that have, too */
  chunk(slots: number, calls: number): void {
    this.chunks++;
    for (let rest = slots; rest !== 0; rest &= rest - 1) this.chunksBySlot[31 - Math.clz32(rest & -rest)]!++;
    if (calls === 0) return;
    this.callChunks++;
    this.callsInChunks += calls;
    if (calls > 1) this.sharedChunks++;
    if (calls > this.mostCallsInChunk) this.mostCallsInChunk = calls;
  }

  side(calls: number): AccountSide {
    const perCall = (count: number) => (calls === 0 ? null : count / calls);
    const types: Record<string, AccountOfType> = {};
    for (const [slot, name] of SLOT_NAMES.entries()) {
      const [frames, bytes, chunks] = [this.framesBySlot[slot]!, this.bytesBySlot[slot]!, this.chunksBySlot[slot]!];
      if (frames > 0 || chunks > 0) types[name] = { frames, bytes, chunks };
    }
    return {
      frames: this.frames,
      bytes: this.bytes,
      chunks: this.chunks,
      types,
      messages: this.messages,
      messageBytes: this.messageBytes,
      headerBlocks: this.headerBlocks,
      headerBlocksUnread: this.headerBlocksUnread,
      headerBytes: this.headerBytes,
      headerBytesPlain: this.headerBytesPlain,
      controlFrames: this.controlFrames,
      controlBytes: this.controlBytes,
      pings: this.pings,
      pingAcks: this.pingAcks,
      callChunks: this.callChunks,
      sharedChunks: this.sharedChunks,
      mostCallsInChunk: this.mostCallsInChunk,
      callsPerChunk: this.callChunks === 0 ? null : this.callsInChunks / this.callChunks,
      framesPerCall: perCall(this.frames),
      chunksPerCall: perCall(this.chunks),
      controlFramesPerCall: perCall(this.controlFrames),
      pingsPerCall: perCall(this.pings),
    };
  }
}

/** The counts of one account while they are made. */
export class Tally {
  readonly toServer = new SideTally();
  readonly toClient = new SideTally();
  calls = 0;
  connections = 0;
  private lastConnection = 0;
  private from = Number.POSITIVE_INFINITY;
  private to = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly conn: number | null,
    private readonly stream: number | null,
  ) {}

  /** A row was counted. @param seen the connections that have been counted, to be marked in */
  saw(conn: number, time: number, seen: Uint8Array): void {
    if (time < this.from) this.from = time;
    if (time > this.to) this.to = time;
    if (conn === this.lastConnection) return;
    this.lastConnection = conn;
    if (this.conn !== null) this.connections = 1;
    else if (seen[conn] === 0) {
      seen[conn] = 1;
      this.connections++;
    }
  }

  record(): AccountRecord {
    const { conn, stream, calls, connections } = this;
    return {
      conn,
      stream,
      from: this.from > this.to ? 0 : this.from / 1e9,
      to: this.from > this.to ? 0 : this.to / 1e9,
      connections,
      calls,
      toServer: this.toServer.side(calls),
      toClient: this.toClient.side(calls),
    };
  }
}
