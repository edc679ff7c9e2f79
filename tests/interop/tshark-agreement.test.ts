import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FrameType } from '../../src/shared/names';
import {
  corpusCaptures,
  corpusOctets,
  expectedConnections,
  fromBeginning,
  ReadCapture,
} from '../core/capture/corpus-file';
import { type Conversation, captureFile, conversation } from '../support/conversation';
import { corpusPath } from '../support/corpus';
import {
  continuation,
  data,
  frame,
  goaway,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  literals,
  PREFACE,
  ping,
  priority,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  splitHeaders,
  windowUpdate,
} from '../support/encode';
import { hasTshark } from '../support/tshark';
import { tsharkFrames } from '../support/tshark-frames';

/** A frame: the packet in which it ends, its TCP connection, its sender's port, type, flags, stream, length of payload. */
type Row = [packet: number, conn: number, from: number, type: number, flags: number, stream: number, length: number];

/** Every frame that tshark sees in a file, in order. */
async function framesOfTshark(file: string, ports: number[]): Promise<Row[]> {
  const frames = await tsharkFrames(file, ports);
  return frames.map(({ packet, conn, sourcePort, typeId, flagBits, stream, length }): Row => {
    return [packet, conn, sourcePort, typeId, flagBits, stream, length];
  });
}

function framesOfOurs(octets: Uint8Array): Row[] {
  const capture = new ReadCapture(octets);
  return capture.session
    .connections()
    .flatMap(({ conn, client, server }) =>
      capture.frames(conn).map((record): [number, Row] => {
        const { typeId, flagBits, stream, length } = record;
        const port = Number((record.dir === 'toServer' ? client : server).replace(/^.*:/, ''));
        return [record.n, [capture.packetOf(record), conn, port, typeId!, flagBits, stream, length]];
      }),
    )
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row);
}

/** Every type of frame, with what may stand in one: padding, priority, blocks over several frames, empty payloads. */
function everyFrame(to: Conversation): Conversation {
  const list = literals([['x-long', 'v'.repeat(3000)]]);
  return to
    .toServer(0.001, PREFACE, settings([[4, 1 << 20]]), windowUpdate(0, 1 << 20))
    .toClient(0.002, settings(), settingsAck())
    .toServer(0.003, settingsAck(), headersFrame(1, grpcRequest('/a.B/C'), { padding: 7 }))
    .toServer(0.004, data(1, grpcMessage(new Uint8Array(5)), { padding: 0 }), data(1, grpcMessage(new Uint8Array(0))))
    .toServer(0.005, headersFrame(3, grpcRequest('/a.B/D'), { priority: { dependency: 1, weight: 256 } }))
    .toServer(0.006, priority(5, { dependency: 3, weight: 1, exclusive: true }), ping())
    .toClient(0.007, ping(new Uint8Array(8), { ack: true }), headersFrame(1, grpcResponse()))
    .toClient(
      0.008,
      pushPromise(
        1,
        2,
        literals([
          [':method', 'GET'],
          [':path', '/'],
          [':scheme', 'http'],
        ]),
      ),
    )
    .toClient(0.009, data(1, grpcMessage(new Uint8Array(40_000)).slice(0, 16_384)))
    .toClient(0.01, data(1, new Uint8Array(16_384)), windowUpdate(1, 5), data(1, new Uint8Array(7237)))
    .toClient(0.011, ...splitHeaders(3, list, 1000), headersFrame(1, grpcTrailers(0), { endStream: true }))
    .toClient(0.012, headersFrame(2, literals([[':status', '200']]), { endHeaders: false }), continuation(2, list))
    .toClient(0.013, frame(0x0a, 0, 0), frame(0x0c, 0, 0), frame(0x10, 0, 0, new Uint8Array(4)), frame(0xfa, 0xff, 1))
    .toServer(0.014, data(1, undefined, { endStream: true }), rstStream(3, 8))
    .toClient(0.015, goaway(3, 0, Uint8Array.of(0x62, 0x79, 0x65)))
    .fin(0.016, 'toServer')
    .fin(0.017, 'toClient');
}

const BUILT: [name: string, octets: () => Uint8Array][] = [
  ['every frame', () => everyFrame(conversation()).file()],
  // Smaller packets would cut the preface, and tshark then takes the client's side for no HTTP/2.
  ['every frame, 24 octets a packet', () => everyFrame(conversation({ split: 24 })).file()],
  ['every frame, 57 octets a packet', () => everyFrame(conversation({ split: 57 })).file()],
  // In a file of Penstock's, rows end with their chunk, which may be several packets: so a foreign one.
  ['in segments of 1,000 octets', () => everyFrame(conversation({ segment: 1000, penstock: false })).file()],
  ['a foreign pcap over Ethernet', () => everyFrame(conversation({ penstock: false, split: 1460 })).file()],
  ['IPv6', () => everyFrame(conversation({ client: '[::1]:40001', server: '[::1]:50051' })).file()],
  [
    'sequence numbers beyond 2^32',
    () => everyFrame(conversation({ sequence: { toServer: 2 ** 32 - 100, toClient: 2 ** 32 - 20_000 } })).file(),
  ],
  [
    'three connections at once',
    () =>
      captureFile([1, 2, 3].map((n) => everyFrame(conversation({ client: `127.0.0.1:4000${n}`, handshake: n / 1e4 })))),
  ],
];

/** What tshark 4.0 gets wrong in the corpus, and the test of the corpus states what is right. */
const NOT_THE_TRUTH = ['suricata-verify/transform-base64-7296.pcap'];

const present = hasTshark();
const folder = present ? mkdtempSync(join(tmpdir(), 'penstock-tshark-')) : '';
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true });
});

describe.skipIf(!present)('tshark and Penstock see the same frames', () => {
  it.each(BUILT)('in a built file: %s', async (name, octets) => {
    const file = join(folder, `${name.replace(/\W+/g, '-')}.pcapng`);
    writeFileSync(file, octets());
    const ours = framesOfOurs(octets());
    expect(ours.length).toBeGreaterThan(3);
    expect(ours).toEqual(await framesOfTshark(file, [50051]));
  });

  it('in a built file: segments out of order and sent twice', async () => {
    const octets = conversation({ penstock: false })
      .toServer(0.001, PREFACE)
      .segmentAt(0.003, 'toServer', 24 + 9, ping())
      .segmentAt(0.004, 'toServer', 24, settings())
      .segmentAt(0.005, 'toServer', 24 + 9, ping())
      .toClient(0.006, settings())
      .segmentAt(0.008, 'toServer', 24 + 9 + 17, settingsAck())
      .file();
    const file = join(folder, 'order.pcap');
    writeFileSync(file, octets);
    // tshark tells late octets where the hole before them is filled, we where they came: the packets are left out.
    const frames = (rows: Row[]) => rows.map(([, ...rest]) => rest.join(' ')).sort();
    expect(frames(framesOfOurs(octets))).toEqual(frames(await framesOfTshark(file, [50051])));
    expect(framesOfOurs(octets).map(([packet, , , type]) => [packet, type])).toEqual([
      [5, FrameType.PING],
      [6, FrameType.SETTINGS],
      [8, FrameType.SETTINGS],
      [9, FrameType.SETTINGS],
    ]);
  });

  it('in a built file, all types of frames', () => {
    const types = new Set(framesOfOurs(everyFrame(conversation()).file()).map(([, , , type]) => type));
    for (const type of Object.values(FrameType)) expect(types).toContain(type);
  });

  const captures = corpusCaptures('captures').filter((name) => !NOT_THE_TRUTH.includes(name));
  it.skipIf(captures.length === 0).each(captures)('in %s', async (name) => {
    const path = join(corpusPath('captures')!, name);
    const connections = expectedConnections(path);
    if (!connections.every(fromBeginning)) return;
    const { commands } = JSON.parse(readFileSync(`${path}.expected.json`, 'utf8')) as { commands: string[] };
    const ports = [...commands[0]!.matchAll(/tcp\.port==(\d+),http2/g)].map(([, port]) => Number(port));
    const theirs = await framesOfTshark(path, ports);
    expect(theirs.length).toBeGreaterThan(0);
    // HTTP/2 inside a CONNECT tunnel is found by us alone.
    const known = connections.map(({ tcp_stream }) => tcp_stream + 1);
    const ours = framesOfOurs(corpusOctets('captures', name)).filter(([, conn]) => known.includes(conn));
    expect(ours).toEqual(theirs);
  });
});
