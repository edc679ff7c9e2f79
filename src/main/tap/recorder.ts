import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { headersLength, LARGEST_HEADERS, type SegmentPath, writeSegmentHeaders } from '../../core/pcapng/segments';
import type { BlockOption } from '../../core/pcapng/write-options';
import { optionsLength } from '../../core/pcapng/write-options';
import {
  encodeInterface,
  encodeSectionHeader,
  encodeStatistics,
  LINKTYPE_RAW,
  PACKET_HEAD_LENGTH,
  PACKET_TAIL_LENGTH,
  type Timestamp,
  writePacketHead,
  writePacketTail,
} from '../../core/pcapng/writer';
import { VERSION } from '../../shared/version';
import { hostPortText } from './addresses';
import { now, WallClock } from './clock';
import { codeOf, explain } from './errors';
import { fastSum } from './fast-sum';
import type { HostPort, NoticeCode, TapNotice, TapSettings } from './messages';
import { Spool } from './spool';

/** With more than this waiting for the disk the tap stops reading; below half of it, it goes on. */
export const MOST_UNWRITTEN = 64 * 1024 * 1024;
export const DEFAULT_MAX_SIZE = 2 * 1024 ** 3;
/** Kept free below the size limit, for the mark that says that it was reached. */
const MARK_RESERVE = 1024;

export interface RecorderEvents {
  committed(length: number): void;
  notice(notice: TapNotice): void;
  /** The disk can't keep up (true): nothing should be read until it can (false). */
  pressure(pressed: boolean): void;
}

/** One interface of the file. */
export interface RecordedTap {
  listening: HostPort;
  upstream: HostPort;
  settings: TapSettings;
}

type End = 'size-limit' | 'disk-full' | 'write-failed';

/**
 * Writes taps as a growing pcapng file: a section, an interface per tap, packets, and Interface Statistics Blocks whose
 * comment is JSON where settings change (`{"kind":"settings","settings":{…}}`) or something must be known to read the
 * rest (`{"kind":"mark","code":…,"message":…}`). An interface's own comment is `{"kind":"tap","listen":…,"settings":{…}}`.
 *
 * Packets are stamped by who appends them, in the same callback, so that the file is in time order.
 */
export class Recorder {
  packets = 0;
  /** Why the capture ended before its recorder; undefined while it runs. */
  ended: End | undefined;
  readonly #clock = new WallClock();
  readonly #spool: Spool;
  readonly #stamp: Timestamp = { high: 0, low: 0 };
  /** Packets recorded and packets left out, by interface. */
  readonly #received: number[] = [];
  readonly #dropped: number[] = [];
  #pressed = false;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    private readonly isNew: boolean,
    private readonly maxSize: number,
    private readonly events: RecorderEvents,
  ) {
    this.#spool = new Spool(handle.fd, {
      committed: (length) => this.#committed(length),
      failed: (error) => this.#failed(error),
    });
  }

  /**
   * Opens the file without touching what is in it: that happens in `begin`, when nothing can go wrong any more.
   * @throws an Error of one line when the file can't be written
   */
  static async open(file: string, maxSize: number, events: RecorderEvents): Promise<Recorder> {
    try {
      const fresh = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL).catch((error) => {
        if (codeOf(error) === 'EEXIST') return undefined;
        throw error;
      });
      const handle = fresh ?? (await open(file, constants.O_WRONLY));
      return new Recorder(file, handle, fresh !== undefined, maxSize, events);
    } catch (error) {
      throw new Error(`cannot write ${file}: ${explain(error)}`);
    }
  }

  get committed(): number {
    return this.#spool.committed;
  }

  get unwritten(): number {
    return this.#spool.unwritten;
  }

  /** Empties the file and starts it. Interface ids are the taps' places. */
  async begin(taps: readonly RecordedTap[]): Promise<void> {
    try {
      await this.handle.truncate(0);
    } catch (error) {
      // Devices such as /dev/null can be written but not cut.
      if (codeOf(error) !== 'EINVAL') throw new Error(`cannot write ${this.file}: ${explain(error)}`);
    }
    this.#spool.append(encodeSectionHeader({ application: `Penstock ${VERSION}` }));
    for (const { listening, upstream, settings } of taps) {
      this.#received.push(0);
      this.#dropped.push(0);
      const listen = hostPortText(listening);
      const comment = JSON.stringify({ kind: 'tap', listen, settings });
      const description = hostPortText(upstream);
      this.#spool.append(encodeInterface({ linkType: LINKTYPE_RAW, name: `tap ${listen}`, description, comment }));
    }
    this.#spool.begin();
  }

  /** Gives up before `begin`: a file that wasn't there goes away again. */
  async discard(): Promise<void> {
    await this.handle.close();
    if (this.isNew) await unlink(this.file).catch(() => undefined);
  }

  /**
   * Appends one segment; false when the capture has ended. The payload is referenced until it is written.
   * @param time by the tap's clock (`now`)
   */
  segment(
    interfaceId: number,
    path: SegmentPath,
    flags: number,
    sequence: number,
    acknowledgment: number,
    time: number,
    payload: Uint8Array,
    options: readonly BlockOption[] = NO_OPTIONS,
  ): boolean {
    const length = headersLength(path, flags) + payload.length;
    const extra = optionsLength(options) + PACKET_TAIL_LENGTH;
    if (!this.#roomFor(PACKET_HEAD_LENGTH + length + extra)) {
      this.#dropped[interfaceId]! += 1;
      return false;
    }
    const spool = this.#spool;
    const stamp = this.#clock.stamp(time, this.#stamp);
    spool.reserve(PACKET_HEAD_LENGTH + LARGEST_HEADERS);
    const headers = writePacketHead(spool.view, spool.at, interfaceId, stamp, length, length, options);
    const sum = fastSum(payload);
    spool.at = writeSegmentHeaders(spool.view, headers, path, flags, sequence, acknowledgment, payload.length, sum);
    if (payload.length > 0) spool.append(payload);
    spool.reserve(extra);
    spool.at = writePacketTail(spool.view, spool.at, length, options);
    this.packets += 1;
    this.#received[interfaceId]! += 1;
    this.#blockEnd();
    return true;
  }

  /** A change of a tap's settings, from now on. */
  settings(interfaceId: number, settings: TapSettings): void {
    this.#statistics(interfaceId, { kind: 'settings', settings });
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<void> {
    await this.#spool.drain();
    await this.handle.close();
  }

  #roomFor(length: number): boolean {
    if (this.ended) return false;
    if (this.#spool.committed + this.#spool.unwritten + length <= this.maxSize - MARK_RESERVE) return true;
    this.#end(
      'size-limit',
      'warning',
      `the capture has reached its size limit of ${this.maxSize} octets and ends here`,
    );
    return false;
  }

  #blockEnd(): void {
    this.#spool.blockEnd();
    if (!this.#pressed && this.#spool.unwritten > MOST_UNWRITTEN) {
      this.#pressed = true;
      this.#mark(
        'disk-slow',
        'warning',
        'the disk is slower than the traffic: the tap stops reading until it catches up',
      );
      this.events.pressure(true);
    }
  }

  #committed(length: number): void {
    this.events.committed(length);
    if (this.#pressed && this.#spool.unwritten < MOST_UNWRITTEN / 2) this.#relieve();
  }

  #relieve(): void {
    this.#pressed = false;
    if (!this.ended) this.#mark('disk-caught-up', 'info', 'the disk has caught up: the tap reads again');
    this.events.pressure(false);
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (!this.ended) {
      this.#spool.restart();
      const full = error.code === 'ENOSPC' || error.code === 'EDQUOT';
      const reason = `cannot write ${this.file}: ${explain(error)}; the capture ends, forwarding goes on`;
      this.#end(full ? 'disk-full' : 'write-failed', 'error', reason);
    }
    if (this.#pressed) this.#relieve();
  }

  #end(end: End, severity: TapNotice['severity'], message: string): void {
    this.ended = end;
    this.#mark(end, severity, message);
  }

  /** A mark concerns the whole file; its block must name an interface, so it is the first. */
  #mark(code: NoticeCode, severity: TapNotice['severity'], message: string): void {
    this.#statistics(0, { kind: 'mark', code, message });
    this.events.notice({ severity, code, message });
  }

  #statistics(interfaceId: number, comment: object): void {
    this.#spool.append(
      encodeStatistics({
        interfaceId,
        time: this.#clock.stamp(now(), this.#stamp),
        received: this.#received[interfaceId]!,
        dropped: this.#dropped[interfaceId]!,
        comment: JSON.stringify(comment),
      }),
    );
    this.#spool.blockEnd();
  }
}

const NO_OPTIONS: readonly BlockOption[] = [];
