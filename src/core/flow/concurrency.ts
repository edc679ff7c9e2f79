import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { NO_ROW } from '../capture/frames';
import { F64Column, U32Column } from '../columns';
import { ClientClock, type StreamSpans, streamSpans } from './stream-spans';
import { type Wave, Waves } from './waves';

/** A value of the server's SETTINGS_MAX_CONCURRENT_STREAMS. */
export interface StreamLimitStep {
  value: number;
  /** The SETTINGS frame. */
  row: number;
  /** When the client had acknowledged it, which puts it in force (RFC 9113 §6.5.3); NaN where it had not. Nanoseconds. */
  time: number;
}

/**
 * The streams that the client of one connection had open at a time, in its own books, against the server's limit.
 * Times are nanoseconds. The RFC knows no limit until one is said (§6.5.2); what a client takes for granted before
 * that (grpc-go: 100) is not on the wire.
 */
export interface Concurrency {
  conn: number;
  /** Joined in the middle: streams and limits from before are not known, and counts are lower bounds. */
  partial: boolean;
  streams: number;
  /** Streams open after each opening and closing, and the row that made it. */
  time: F64Column;
  open: U32Column;
  row: U32Column;
  /** In the order in which they were sent. */
  limits: StreamLimitStep[];
  peak: number;
  /** NO_ROW without streams. */
  peakRow: number;
  /** Mean over the time from the first opening to the last change, or to the capture's end while streams are open. */
  mean: number;
  /** How long as many streams were open as are allowed, or more. */
  atLimit: number;
  /** Streams that took the place of another within 10 ms, all places having been taken: they may have waited for it. */
  prompt: number;
  /** Streams opened beyond the limit in force. */
  beyond: number;
  /** Streams reset with REFUSED_STREAM. */
  refused: number;
  /** Of the times at which the limit was reached; the first 1,000 of them are in the list. */
  waveCount: number;
  waves: Wave[];
}

/** @param conn from 1. Takes the time of sorting the connection's streams. */
export function concurrencyOf(capture: Capture, conn: number): Concurrency {
  const connection = capture.connections[conn - 1]!;
  const spans = streamSpans(capture, connection);
  return new Sweep(capture, connection, spans, limitsOf(capture, connection)).run();
}

function limitsOf(capture: Capture, connection: Connection): StreamLimitStep[] {
  const clock = new ClientClock(capture, connection);
  return connection.streamLimits[connection.clientSide ^ 1]!.map(({ row, value }) => {
    const acknowledged = capture.frames.aux.get(row);
    return { value, row, time: acknowledged === 0 ? Number.NaN : clock.at(acknowledged - 1) };
  });
}

/** Goes through openings, closings and limits in the order of time. */
class Sweep {
  private readonly time = new F64Column();
  private readonly open = new U32Column();
  private readonly row = new U32Column();
  private readonly waves = new Waves();
  private readonly waveOf: Uint32Array;
  private now = 0;
  private count = 0;
  private limit = Number.POSITIVE_INFINITY;
  private peak = 0;
  private peakRow = NO_ROW;
  private atLimit = 0;
  private area = 0;
  private beyond = 0;

  constructor(
    private readonly capture: Capture,
    private readonly connection: Connection,
    private readonly spans: StreamSpans,
    private readonly limits: StreamLimitStep[],
  ) {
    this.waveOf = new Uint32Array(spans.count);
  }

  run(): Concurrency {
    const { spans } = this;
    const closing = this.closingOrder();
    const inForce = this.limits.filter(({ time }) => !Number.isNaN(time)).sort((a, b) => a.time - b.time);
    let nextLimit = 0;
    let nextClose = 0;
    for (let stream = 0; stream < spans.count || nextClose < closing.length; ) {
      const opens = stream < spans.count ? spans.openTime[stream]! : Number.POSITIVE_INFINITY;
      const closer = closing[nextClose];
      const closes = closer === undefined ? Number.POSITIVE_INFINITY : spans.closeTime[closer]!;
      // At one time, in the order of the file; a stream opens before it closes.
      const early = closes === opens && closer! < stream && spans.closeRow[closer!]! < spans.openRow[stream]!;
      const closeFirst = closes < opens || early;
      const time = Math.min(opens, closes);
      for (; nextLimit < inForce.length && inForce[nextLimit]!.time <= time; nextLimit++) {
        this.pass(inForce[nextLimit]!.time);
        this.limit = inForce[nextLimit]!.value;
      }
      this.pass(time);
      if (closeFirst) {
        this.closed(time, closer!);
        nextClose++;
      } else this.opened(time, stream++);
    }
    const last = this.count === 0 ? this.now : Math.max(this.now, this.ending());
    for (; nextLimit < inForce.length && inForce[nextLimit]!.time <= last; nextLimit++) {
      this.pass(inForce[nextLimit]!.time);
      this.limit = inForce[nextLimit]!.value;
    }
    this.pass(last);
    const first = spans.count === 0 ? last : spans.openTime[0]!;
    const { count: waveCount } = this.waves;
    this.waves.end();
    return {
      conn: this.connection.id,
      partial: this.connection.joined === 'middle',
      streams: spans.count,
      time: this.time,
      open: this.open,
      row: this.row,
      limits: this.limits,
      peak: this.peak,
      peakRow: this.peakRow,
      mean: last > first ? this.area / (last - first) : 0,
      atLimit: this.atLimit,
      prompt: this.waves.prompt,
      beyond: this.beyond,
      refused: spans.refused,
      waveCount,
      waves: this.waves.list,
    };
  }

  /** Streams that were closed, by when. */
  private closingOrder(): Uint32Array {
    const { closeTime, closeRow, count } = this.spans;
    const closed: number[] = [];
    for (let stream = 0; stream < count; stream++) if (!Number.isNaN(closeTime[stream]!)) closed.push(stream);
    return Uint32Array.from(closed).sort((a, b) => closeTime[a]! - closeTime[b]! || closeRow[a]! - closeRow[b]!);
  }

  /** When streams that never closed stop counting: with their connection, or with what is known of it. */
  private ending(): number {
    return this.connection.closed === undefined ? this.capture.lastTime : this.connection.end;
  }

  private pass(time: number): void {
    if (this.count >= this.limit) this.atLimit += time - this.now;
    this.area += this.count * (time - this.now);
    this.now = time;
  }

  private opened(time: number, stream: number): void {
    const row = this.spans.openRow[stream]!;
    this.waveOf[stream] = this.waves.opened(time, row, this.count, this.count + 1 >= this.limit);
    this.count++;
    if (this.count > this.limit) this.beyond++;
    if (this.count > this.peak) {
      this.peak = this.count;
      this.peakRow = row;
    }
    this.step(time, row);
  }

  private closed(time: number, stream: number): void {
    this.waves.closed(time, this.waveOf[stream]!, this.count === this.limit);
    this.count--;
    this.step(time, this.spans.closeRow[stream]!);
  }

  private step(time: number, row: number): void {
    this.time.push(time);
    this.open.push(this.count);
    this.row.push(row);
  }
}
