import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { frameTypeName, NON_FRAME_KINDS } from '../../../src/shared/names';
import { corpusPath } from '../../support/corpus';

interface Expected {
  connections: {
    tcp_stream: number;
    starts: string;
    frames: [packet: number, dir: 'c2s' | 's2c', type: string, stream: number, length: number, flags: string][];
  }[];
}

/** Rows of one connection as [direction, type, stream, length, flags], without what is no frame. */
export function framesOf(capture: Capture, conn: number): unknown[] {
  const { frames } = capture;
  const connection = capture.connections[conn - 1]!;
  const rows: unknown[] = [];
  for (let n = 1; n <= frames.count; n++) {
    const row = capture.rowOf(n);
    if (frames.conn.get(row) !== conn || frames.isNonFrame(row)) continue;
    const dir = (frames.bits.get(row) & 1) === connection.clientSide ? 'c2s' : 's2c';
    const flags = `0x${frames.flags.get(row).toString(16).padStart(2, '0')}`;
    rows.push([dir, frameTypeName(frames.type.get(row)), frames.stream.get(row), frames.length.get(row), flags]);
  }
  return rows;
}

const root = corpusPath('captures');
const files =
  root === undefined
    ? []
    : readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.pcap(ng)?$/.test(name));

describe.skipIf(root === undefined)('captures made by others', () => {
  it.each(files)('%s has the frames that tshark sees', (name) => {
    const expected = JSON.parse(readFileSync(join(root!, `${name}.expected.json`), 'utf8')) as Expected;
    const capture = new Capture();
    capture.push(readFileSync(join(root!, name)));
    capture.end();
    for (const { tcp_stream, frames, starts } of expected.connections) {
      const ours = framesOf(capture, tcp_stream + 1);
      const theirs = frames.map(([, dir, type, stream, length, flags]) => [dir, type, stream, length, flags]);
      expect(ours, `tcp.stream ${tcp_stream}, ${starts}; ${NON_FRAME_KINDS}`).toEqual(theirs);
    }
  });
});
