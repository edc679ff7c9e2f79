import { expect } from 'vitest';
import type { Session } from '../../src/main/session/session';
import type { CallRecord, Direction, FrameRecord } from '../../src/shared/records';
import { hasTshark, tsharkComplaints } from '../support/tshark';
import { type TsharkSide, tsharkHttp2 } from '../support/tshark-frames';

/** What must hold of every session that a tap wrote, whoever spoke through it. */

const FRAME_HEADER_LENGTH = 9;

/** Seconds, below the file's nanoseconds: times are sums of binary fractions. */
const ROUNDING = 1e-9;

export function allFrames(session: Session): FrameRecord[] {
  return Array.from({ length: session.frameCount }, (_, i) => session.frame(i + 1));
}

export function allCalls(session: Session): CallRecord[] {
  return Array.from({ length: session.callCount }, (_, i) => session.call(i));
}

/**
 * No fault, no trouble, no gap; every octet in exactly one row and readable; nothing delivered before its delay was
 * over, and no answer sooner than a round trip.
 * @param rtt of the tap, milliseconds
 */
export function expectSound(session: Session, rtt = 0): void {
  const frames = allFrames(session);
  expect(session.capture.troubles).toEqual([]);
  expect(session.capture.frames.faultCount).toBe(0);
  expect(frames.filter(({ complete }) => !complete)).toEqual([]);
  expect(frames.map(({ n }) => n)).toEqual(frames.map((_, i) => i + 1));
  for (const connection of session.connections()) {
    for (const dir of ['toServer', 'toClient'] as const) {
      const rows = frames.filter((frame) => frame.conn === connection.conn && frame.dir === dir);
      expect(endOf(session, rows), `octets of connection ${connection.conn} ${dir}`).toBe(connection.bytes[dir]);
    }
  }
  const oneWay = rtt / 2000 - ROUNDING;
  expect(frames.filter(({ delivered, t }) => delivered == null || delivered - t < oneWay)).toEqual([]);
  // A call that its client gave up ends when the client says so; a pushed stream (an even one) nobody asked for.
  const answered = allCalls(session).filter(({ state, stream }) => state !== 'reset' && stream % 2 === 1);
  expect(answered.filter(({ start, end }) => end === null || end - start < 2 * oneWay)).toEqual([]);
}

/** Where one direction's rows end; throws where one does not begin at the end of the one before it. */
function endOf(session: Session, rows: FrameRecord[]): number {
  let end = 0;
  for (const row of [...rows].sort((a, b) => a.offset - b.offset)) {
    if (row.offset !== end) throw new Error(`row ${row.n} begins at ${row.offset}, the one before ended at ${end}`);
    end += session.frameOctets(row.n).length;
    const extent = row.length + (row.typeId === null ? 0 : FRAME_HEADER_LENGTH);
    if (end !== row.offset + extent) throw new Error(`row ${row.n} has not its ${extent} octets in the file`);
  }
  return end;
}

/** Content of all DATA frames of one direction of a stream. */
export function bodyOf(session: Session, conn: number, stream: number, dir: Direction): Buffer {
  const rows = allFrames(session).filter(
    (frame) => frame.conn === conn && frame.stream === stream && frame.dir === dir,
  );
  return Buffer.concat(rows.filter(({ type }) => type === 'DATA').map((row) => content(session, row)));
}

/** A DATA frame without its padding (RFC 9113 §6.1). */
function content(session: Session, { n, flags, dataLength }: FrameRecord): Uint8Array {
  const start = FRAME_HEADER_LENGTH + (flags.includes('PADDED') ? 1 : 0);
  return session.frameOctets(n).subarray(start, start + dataLength!);
}

/**
 * tshark sees the same frames in the same order, the same header fields and the same gRPC messages, and finds nothing
 * to complain of. Passes where there is no tshark (that is told).
 */
export async function expectTsharkAgrees(session: Session, file: string, ports: number[]): Promise<void> {
  if (!hasTshark()) return;
  const [complaints, { frames, sides }] = await Promise.all([tsharkComplaints(file, ports), tsharkHttp2(file, ports)]);
  expect(complaints).toEqual([]);
  const ours = allFrames(session).filter(({ typeId }) => typeId !== null);
  expect(ours.map(frameText)).toEqual(frames.map(frameText));
  expect(sidesOf(session, ours)).toEqual(sides.sort(bySide));
}

function frameText(frame: Pick<FrameRecord, 'conn' | 'dir' | 'type' | 'stream' | 'length' | 'flagBits'>): string {
  const { conn, dir, type, stream, length, flagBits } = frame;
  return `${conn} ${dir} ${type} stream ${stream} length ${length} flags ${flagBits}`;
}

/** Our header fields and messages in tshark's form. */
function sidesOf(session: Session, frames: FrameRecord[]): TsharkSide[] {
  const sides = new Map<
    string,
    { conn: number; dir: Direction; fields: [string, string | null][]; lengths: number[] }
  >();
  const sideOf = ({ conn, dir }: { conn: number; dir: Direction }) => {
    const side = sides.get(`${conn} ${dir}`) ?? { conn, dir, fields: [], lengths: [] };
    sides.set(`${conn} ${dir}`, side);
    return side;
  };
  for (const frame of frames) {
    if (frame.headers !== undefined) sideOf(frame).fields.push(...frame.headers);
  }
  const messages = Array.from({ length: session.messageCount }, (_, i) => session.message(i));
  // tshark shows a message with the DATA frame that completes it.
  messages.sort((a, b) => a.frames.at(-1)! - b.frames.at(-1)! || a.index - b.index);
  for (const message of messages) sideOf(message).lengths.push(message.wireLength);
  return [...sides.values()].sort(bySide).map(({ conn, dir, fields, lengths }) => ({
    conn,
    dir,
    headerNames: fields.map(([name]) => name).join(','),
    headerValues: fields.map(([, value]) => value).join(','),
    messageLengths: lengths,
  }));
}

function bySide(a: { conn: number; dir: Direction }, b: { conn: number; dir: Direction }): number {
  return a.conn - b.conn || a.dir.localeCompare(b.dir);
}
