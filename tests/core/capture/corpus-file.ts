import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MemorySource } from '../../../src/main/session/byte-source';
import { Session } from '../../../src/main/session/session';
import type { FrameRecord } from '../../../src/shared/records';
import { corpusPath } from '../../support/corpus';

/** `c2s` or `s2c`, as the corpus writes directions. */
export type Way = 'c2s' | 's2c';
type Headers = [name: string, value: string][];

/** One connection of FILE.expected.json, as tshark 4.0 reads it. */
export interface ExpectedConnection {
  tcp_stream: number;
  client: string;
  starts: string;
  frames: [packet: number, dir: Way, type: string, stream: number, length: number, flags: string][];
  settings: { packet: number; dir: Way; flags: string; values: [name: string, value: string][] }[];
  rst_stream: { packet: number; dir: Way; stream: number; error: string }[];
  goaway: { packet: number; dir: Way; last_stream: string; error: string; debug: string | null }[];
  push: { packet: number; dir: Way; stream: number; promised: string }[];
  header_blocks: {
    packet: number;
    dir: Way;
    stream: number;
    frame: string;
    headers: Headers;
    continued_in_packets?: number[];
  }[];
  grpc: {
    stream: number;
    path: string | null;
    c2s: { packet: number; compressed: number; length: number }[];
    s2c: { packet: number; compressed: number; length: number }[];
    status: string | null;
    message: string | null;
    encoding: string | null;
  }[];
}

/** FILE.messages.json: DATA joined and cut independently of tshark. */
export interface ExpectedMessage {
  tcp_stream: number;
  stream: number;
  dir: Way;
  path: string | null;
  index: number;
  compressed: number;
  length: number;
  captured: number;
  hex: string;
}

/** Captures of a folder of the corpus by name; empty where there is no corpus. */
export function corpusCaptures(folder: string): string[] {
  const root = corpusPath(folder);
  if (root === undefined) return [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.pcap(ng)?$/.test(name)).sort();
}

/** A capture's octets, decompressed. */
export function corpusOctets(folder: string, name: string): Uint8Array {
  const stored = readFileSync(join(corpusPath(folder)!, name));
  return stored[0] === 0x1f && stored[1] === 0x8b ? gunzipSync(stored) : stored;
}

export function expectedConnections(path: string): ExpectedConnection[] {
  return (JSON.parse(readFileSync(`${path}.expected.json`, 'utf8')) as { connections: ExpectedConnection[] })
    .connections;
}

export function expectedMessages(path: string): ExpectedMessage[] {
  try {
    return (JSON.parse(readFileSync(`${path}.messages.json`, 'utf8')) as { messages: ExpectedMessage[] }).messages;
  } catch {
    return []; // no gRPC in this one
  }
}

/** Whether both sides were seen from the beginning: header lists and calls are then whole. */
export function fromBeginning({ starts }: ExpectedConnection): boolean {
  return !starts.startsWith('mid-connection');
}

/** A capture read whole, and the packet that each of its rows ends in. */
export class ReadCapture {
  readonly session: Session;
  private readonly packets: number[] = [];

  constructor(octets: Uint8Array) {
    this.session = new Session(new MemorySource(octets));
    const { capture } = this.session;
    const { packets } = this;
    const packet = capture.packet.bind(capture);
    capture.packet = (...args) => {
      packets.push(args[6]);
      packet(...args);
    };
    capture.push(octets);
    capture.end();
  }

  static of(folder: string, name: string): ReadCapture {
    return new ReadCapture(corpusOctets(folder, name));
  }

  /** Number (from 1, as tshark's frame.number) of the packet with a row's last octet. */
  packetOf(record: FrameRecord): number {
    const { capture } = this.session;
    const offset = capture.chunks.arrivalOrder(record.chunk);
    let number = 0;
    while (number < this.packets.length && this.packets[number]! <= offset) number++;
    return number;
  }

  /** All rows of a connection in the order of their numbers. */
  rows(conn: number): FrameRecord[] {
    const rows: FrameRecord[] = [];
    for (let n = 1; n <= this.session.frameCount; n++) {
      const record = this.session.frame(n);
      if (record.conn === conn) rows.push(record);
    }
    return rows;
  }

  /** Those of them that are frames, whole. */
  frames(conn: number): FrameRecord[] {
    return this.rows(conn).filter(({ typeId, complete }) => typeId !== null && complete);
  }
}

export function wayOf({ dir }: Pick<FrameRecord, 'dir'>): Way {
  return dir === 'toServer' ? 'c2s' : 's2c';
}
