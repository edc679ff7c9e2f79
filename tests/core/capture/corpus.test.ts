import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageOctets } from '../../../src/main/session/records/messages';
import type { FrameRecord } from '../../../src/shared/records';
import { corpusPath } from '../../support/corpus';
import { toHex } from '../../support/octets';
import {
  corpusCaptures,
  type ExpectedConnection,
  expectedConnections,
  expectedMessages,
  fromBeginning,
  ReadCapture,
  type Way,
  wayOf,
} from './corpus-file';

type FrameRow = ExpectedConnection['frames'][number];

/** Where tshark 4.0 is not the truth, by capture and tcp.stream: what is right, and why. */
const OURS: Record<string, Record<number, FrameRow[]>> = {
  // Made by a fuzzer: the client's octets have holes and one stream identifier is damaged. tshark gives the server's
  // side up behind its first frame; the octets of all its packets are whole frames.
  'suricata-verify/transform-base64-7296.pcap': {
    4: [
      [35, 'c2s', 'WINDOW_UPDATE', 0, 4, '0x00'],
      [39, 's2c', 'SETTINGS', 0, 24, '0x00'],
      [41, 's2c', 'WINDOW_UPDATE', 0, 4, '0x00'],
      [43, 'c2s', 'SETTINGS', 0, 0, '0x01'],
      [45, 's2c', 'HEADERS', 0x7eff06ff, 91, '0x04'],
      [47, 's2c', 'DATA', 1, 11, '0x01'],
      [47, 's2c', 'RST_STREAM', 1, 4, '0x00'],
    ],
  },
};

/** Frames that the end of a capture cuts: we show what there is of them, tshark does not. */
const CUT: Record<string, [dir: Way, type: string, stream: number, length: number, captured: number][]> = {
  // The last packet holds the header and 1,336 octets of a DATA frame of 16,384.
  'deepflow/grpc-unary.pcap': [['s2c', 'DATA', 1, 16384, 9 + 1336]],
};

/** tshark's names of settings. */
const SETTING_IDS: Record<string, number> = {
  'Header table size': 1,
  'Enable PUSH': 2,
  'Max concurrent streams': 3,
  'Initial Windows size': 4,
  'Max frame size': 5,
  'Max header list size': 6,
  'Extended CONNECT': 8,
};

const captures = corpusCaptures('captures');

function frameRow(capture: ReadCapture, record: FrameRecord): FrameRow {
  const flags = `0x${record.flagBits.toString(16).padStart(2, '0')}`;
  return [capture.packetOf(record), wayOf(record), record.type, record.stream, record.length, flags];
}

/** Settings that tshark has no name for are left out of both. */
function knownSettings(values: readonly [number, string, number][]): [number, number][] {
  const known = Object.values(SETTING_IDS);
  return values.filter(([id]) => known.includes(id)).map(([id, , value]) => [id, value]);
}

const isBlock = ({ type }: FrameRecord): boolean => type === 'HEADERS' || type === 'PUSH_PROMISE';

describe.skipIf(captures.length === 0).each(captures)('%s', (name) => {
  const path = captures.length === 0 ? '' : join(corpusPath('captures')!, name);
  const expected = captures.length === 0 ? [] : expectedConnections(path);
  const capture = captures.length === 0 ? undefined! : ReadCapture.of('captures', name);
  const whole = expected.filter(fromBeginning);
  /** Rows of a connection's complete frames of some type, as `[packet, way, …]`. */
  const rows = <T>({ tcp_stream }: ExpectedConnection, type: string, more: (record: FrameRecord) => T[]) =>
    capture
      .frames(tcp_stream + 1)
      .filter((record) => record.type === type)
      .map((record) => [capture.packetOf(record), wayOf(record), ...more(record)]);

  it('has the frames that tshark sees, in the packets where they end', () => {
    for (const connection of expected) {
      const ours = capture.frames(connection.tcp_stream + 1).map((record) => frameRow(capture, record));
      const right = OURS[name]?.[connection.tcp_stream] ?? connection.frames;
      expect(ours, `tcp.stream ${connection.tcp_stream}`).toEqual(right);
    }
  });

  it('shows frames that were cut', () => {
    const cut = expected.flatMap(({ tcp_stream }) =>
      capture
        .rows(tcp_stream + 1)
        .filter(({ typeId, complete }) => typeId !== null && !complete)
        .map((record) => [wayOf(record), record.type, record.stream, record.length, record.captured]),
    );
    expect(cut).toEqual(CUT[name] ?? []);
  });

  it('has the settings that tshark sees', () => {
    for (const connection of expected) {
      const theirs = connection.settings.map(({ packet, dir, values }) => [
        packet,
        dir,
        values.flatMap(([label, value]) => (label in SETTING_IDS ? [[SETTING_IDS[label], Number(value)]] : [])),
      ]);
      const ours = rows(connection, 'SETTINGS', ({ settings }) => [knownSettings(settings ?? [])]);
      expect(ours).toEqual(theirs);
    }
  });

  it('has the resets, goodbyes and promises that tshark sees', () => {
    for (const connection of whole) {
      if (OURS[name]?.[connection.tcp_stream] !== undefined) continue;
      expect(rows(connection, 'RST_STREAM', (record) => [record.stream, record.errorCodeId])).toEqual(
        connection.rst_stream.map(({ packet, dir, stream, error }) => [packet, dir, stream, Number(error)]),
      );
      expect(rows(connection, 'GOAWAY', (record) => [record.lastStream, record.errorCodeId, record.debug])).toEqual(
        connection.goaway.map(({ packet, dir, last_stream, error, debug }) => [
          packet,
          dir,
          Number(last_stream),
          Number(error),
          (debug ?? '').replaceAll(':', ''),
        ]),
      );
      expect(rows(connection, 'PUSH_PROMISE', (record) => [record.stream, record.promised])).toEqual(
        connection.push.map(({ packet, dir, stream, promised }) => [packet, dir, stream, Number(promised)]),
      );
    }
  });

  it('has the header lists that tshark decodes, block by block', () => {
    for (const connection of whole) {
      if (OURS[name]?.[connection.tcp_stream] !== undefined) continue;
      const frames = capture.frames(connection.tcp_stream + 1);
      const ours = frames.filter(isBlock).map((first) => {
        const last = frames.find(({ headers, block }) => headers !== undefined && block!.includes(first.n));
        return [capture.packetOf(first), wayOf(first), first.stream, first.type, last?.headers];
      });
      const theirs = connection.header_blocks.map(({ packet, dir, stream, frame, headers }) => {
        return [packet, dir, stream, frame, headers];
      });
      expect(ours).toEqual(theirs);
    }
  });

  it('has the gRPC calls that tshark sees', () => {
    for (const { tcp_stream, grpc } of whole) {
      const { session } = capture;
      const calls = Array.from({ length: session.callCount }, (_, i) => ({ i, ...session.call(i) }));
      const ours = calls
        .filter(({ kind, conn }) => kind === 'grpc' && conn === tcp_stream + 1)
        .map(({ i, stream, method, status, statusMessage }) => {
          const messages = session.messagesOf(i);
          const of = (way: Way) =>
            messages
              .filter((message) => wayOf(message) === way)
              .map(({ compressed, wireLength }) => [compressed, wireLength]);
          return { stream, method, status, statusMessage, c2s: of('c2s'), s2c: of('s2c') };
        });
      const theirs = grpc.map(({ stream, path: method, status, message, c2s, s2c }) => ({
        stream,
        method,
        status: status === null ? null : Number(status),
        statusMessage: message,
        c2s: c2s.map(({ compressed, length }) => [compressed === 1, length]),
        s2c: s2c.map(({ compressed, length }) => [compressed === 1, length]),
      }));
      expect(ours).toEqual(theirs);
    }
  });

  it("has its gRPC messages' octets", () => {
    const { session } = capture;
    const all = Array.from({ length: session.messageCount }, (_, i) => ({ i, ...session.message(i) }));
    for (const message of expectedMessages(path)) {
      const { tcp_stream, stream, dir, index, compressed, length, captured } = message;
      const found = all.filter(
        (each) => each.conn === tcp_stream + 1 && each.stream === stream && wayOf(each) === dir && each.index === index,
      );
      expect(found, `message ${index} of stream ${stream}, ${dir}`).toHaveLength(1);
      const ours = found[0]!;
      expect([ours.compressed, ours.wireLength, ours.captured ?? ours.wireLength]).toEqual([
        compressed === 1,
        length,
        captured,
      ]);
      expect(toHex(messageOctets(session.capture, session.payloads, ours.i))).toBe(message.hex);
    }
  });
});

const encrypted = corpusCaptures('tls');

describe.skipIf(encrypted.length === 0).each(encrypted)('%s, encrypted', (name) => {
  it('is TLS records and nothing else', () => {
    const capture = ReadCapture.of('tls', name);
    for (const { tcp_stream, client } of expectedConnections(join(corpusPath('tls')!, name))) {
      const connection = capture.session.connections()[tcp_stream]!;
      expect(connection).toMatchObject({ protocol: 'tls', joined: 'start', client: client.replace(' port ', ':') });
      const rows = capture.rows(tcp_stream + 1);
      expect(new Set(rows.map(({ type, typeId }) => `${type} ${typeId}`))).toEqual(new Set(['TLS null']));
      for (const dir of ['toServer', 'toClient'] as const) {
        let end = 0;
        for (const { dir: own, offset, length } of rows) {
          if (own !== dir) continue;
          expect(offset).toBe(end);
          end += length;
        }
        expect(end).toBe(connection.bytes[dir]);
      }
    }
  });
});

describe.skipIf(captures.length === 0)('HTTP/2 inside a CONNECT tunnel', () => {
  it('is found behind the answer of the proxy (tshark stops there)', () => {
    const capture = ReadCapture.of('captures', 'suricata-verify/http2-errorcode.pcap');
    const shape = (conn: number, way: Way) =>
      capture
        .frames(conn)
        .filter((record) => wayOf(record) === way)
        .map(({ type, stream, length, flagBits }) => [type, stream, length, flagBits]);
    // The proxy's other leg is the capture's second connection: the same frames, and no tunnel.
    expect(capture.rows(1).filter(({ typeId }) => typeId === null)).toMatchObject([
      { type: 'HTTP1', dir: 'toServer' },
      { type: 'HTTP1', dir: 'toClient' },
      { type: 'PREFACE', dir: 'toServer' },
    ]);
    for (const way of ['c2s', 's2c'] as const) expect(shape(1, way)).toEqual(shape(2, way));
    expect(capture.session.connections()[0]!.protocol).toBe('h2');
  });
});
