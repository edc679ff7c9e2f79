import type { Connection } from '../capture/connection';
import { NO_ROW } from '../capture/frames';
import type { Side } from '../tcp/types';
import type { SideState } from './side-state';
import { Half, type HalfState, Stream } from './stream';

/** Closed streams remembered of a connection: half of them are forgotten when there are so many. */
const CLOSED_REMEMBERED = 2048;

/** The streams of one connection: which are open, which were, and whose turn an identifier is (RFC 9113 §5.1). */
export class Streams {
  private readonly known = new Map<number, Stream>();
  private readonly closed: number[] = [];
  /** Highest identifier that each side opened as it should. */
  readonly highest: [number, number] = [0, 0];
  /** Streams of each side that are open or half-closed (RFC 9113 §5.1.2). */
  readonly active: [number, number] = [0, 0];
  /** Highest identifier of each side's that was forgotten. */
  private readonly forgotten: [number, number] = [0, 0];

  /** @param partial frames of the connection were not seen: a stream that nothing opened may be open all the same */
  constructor(
    private readonly connection: Connection,
    private readonly sides: readonly [SideState, SideState],
    public partial: boolean,
  ) {}

  get(id: number): Stream | undefined {
    return this.known.get(id);
  }

  /** Those that are open, and those that were closed of late. */
  all(): Iterable<Stream> {
    return this.known.values();
  }

  /** Whose turn a stream identifier is: odd ones are the client's (RFC 9113 §5.1.1). */
  openerOf(id: number): Side {
    return (id & 1) === 1 ? this.connection.clientSide : ((this.connection.clientSide ^ 1) as Side);
  }

  /** `side` uses a stream that nothing opened, and octets of its peer, which may open it, come late or are missing. */
  mayBeEarly(side: Side, id: number): boolean {
    const opener = this.openerOf(id);
    return id !== 0 && side !== opener && this.connection.tcp.behind[opener] && this.isIdle(id);
  }

  isIdle(id: number): boolean {
    return !this.known.has(id) && id > this.highest[this.openerOf(id)];
  }

  /** A side's half, for the checks: a stream forgotten long after its end counts as ended. */
  halfOf(side: Side, id: number): HalfState {
    const stream = this.known.get(id);
    if (stream !== undefined) return stream.half[side];
    if (this.partial || this.mayBeEarly(side, id)) return Half.OPEN;
    return this.isIdle(id) ? Half.IDLE : Half.ENDED;
  }

  /** @param sound the identifier is one that the opener may use; only such a one closes the lower ones */
  open(id: number, opener: Side, row: number, sound: boolean): Stream {
    const stream = new Stream(id, row, [this.sides[0].losses, this.sides[1].losses]);
    stream.opener = opener;
    this.known.set(id, stream);
    if (sound && id > this.highest[opener]) this.highest[opener] = id;
    return stream;
  }

  /**
   * A stream whose beginning was not seen, where that may be. It is taken as open on both sides.
   * @returns undefined where it may not be, or where it was closed and forgotten
   */
  unannounced(side: Side, id: number): Stream | undefined {
    const opener = this.openerOf(id);
    const early = !this.partial && this.mayBeEarly(side, id);
    if (!early && (!this.partial || id === 0 || id <= this.forgotten[opener])) return undefined;
    const stream = this.open(id, opener, NO_ROW, !early);
    stream.early = early;
    stream.half[0] = Half.OPEN;
    stream.half[1] = Half.OPEN;
    return stream;
  }

  /** What opens an early stream has come. */
  announce(stream: Stream): void {
    stream.early = false;
    if (stream.id > this.highest[stream.opener]) this.highest[stream.opener] = stream.id;
  }

  /** From here on the stream counts against SETTINGS_MAX_CONCURRENT_STREAMS. */
  activate(stream: Stream): void {
    if (stream.active) return;
    stream.active = true;
    this.active[stream.opener]++;
  }

  /** To be called when a half has changed. A closed stream is kept for a while: its peer may not know yet. */
  settle(stream: Stream): void {
    if (stream.settled || !stream.closed) return;
    stream.settled = true;
    stream.release();
    if (stream.active) this.active[stream.opener]--;
    this.closed.push(stream.id);
    if (this.closed.length < CLOSED_REMEMBERED) return;
    for (const id of this.closed.splice(0, CLOSED_REMEMBERED / 2)) {
      const opener = this.known.get(id)?.opener;
      this.known.delete(id);
      if (opener !== undefined && id > this.forgotten[opener]) this.forgotten[opener] = id;
    }
  }

  /** Streams of `opener` above `last`, of those up to `previous` (RFC 9113 §6.8). */
  *above(last: number, previous: number, opener: Side): Iterable<Stream> {
    // Whichever is fewer: many GOAWAYs must not each walk through all streams.
    if (previous - last < this.known.size) {
      for (let id = last + 1; id <= previous; id++) {
        const stream = this.known.get(id);
        if (stream?.opener === opener) yield stream;
      }
      return;
    }
    for (const stream of this.known.values()) {
      if (stream.id > last && stream.id <= previous && stream.opener === opener) yield stream;
    }
  }
}
