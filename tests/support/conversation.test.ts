import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureFile, conversation } from './conversation';
import {
  concat,
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  PREFACE,
  settings,
  toHex,
} from './encode';
import { requireTool } from './require';

/** Values of the fields, a row for each packet, as tshark reads the file. */
function tshark(file: Uint8Array, fields: string[], options: string[] = []): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tshark-'));
  try {
    const path = join(folder, 'capture');
    writeFileSync(path, file);
    const chosen = fields.flatMap((field) => ['-e', field]);
    const text = execFileSync('tshark', ['-r', path, '-T', 'fields', ...chosen, ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ping = [
  headersFrame(1, grpcRequest('/demo.Echo/Say')),
  data(1, grpcMessage(hex('0a 02 68 69')), { endStream: true }),
];
const pong = [
  settings(),
  headersFrame(1, grpcResponse()),
  data(1, grpcMessage(hex('0a 02 68 69'))),
  headersFrame(1, grpcTrailers(0), { endStream: true }),
];

describe('octets that are sent out of the order of time', () => {
  test('are a mistake of the test', () => {
    expect(() => conversation().toServer(2, hex('00')).toServer(1, hex('00'))).toThrow('would go before');
  });
});

describe.skipIf(!requireTool('tshark'))('tshark reads a conversation', () => {
  const http2 = ['-d', 'tcp.port==50051,http2'];
  const checks = ['-o', 'tcp.check_checksum:TRUE', '-o', 'ip.check_checksum:TRUE'];

  for (const options of [
    { penstock: true },
    { penstock: false },
    { penstock: false, format: 'pcapng', link: 'raw' },
    { penstock: true, client: '[::1]:40001', server: '[::1]:50051' },
    { penstock: true, sequence: { toServer: 2 ** 32 - 10, toClient: 2 ** 32 - 3 } },
  ] as const) {
    test(`as sound TCP and the same HTTP/2 frames: ${JSON.stringify(options)}`, () => {
      const file = conversation(options)
        .toServer(0.001, PREFACE, settings(), ...ping)
        .toClient(0.002, ...pong)
        .fin(0.003, 'toServer')
        .fin(0.003, 'toClient')
        .file();
      expect(
        tshark(
          file,
          ['tcp.analysis.flags', '_ws.malformed', '_ws.expert.severity'],
          [
            ...checks,
            '-Y',
            'tcp.analysis.flags || _ws.malformed || tcp.checksum.status == 0 || ip.checksum.status == 0',
          ],
        ),
      ).toEqual([['']]);
      const types = tshark(file, ['http2.type', 'http2.streamid'], [...http2, '-Y', 'http2.type']);
      expect(types.flatMap(([type]) => type!.split(','))).toEqual(['4', '1', '0', '4', '1', '0', '1']);
    });
  }

  test('cut into chunks of seven octets, all of them and in order', () => {
    const file = conversation({ split: 7, delay: 0.0005 })
      .toServer(0.001, PREFACE, settings(), ...ping)
      .toClient(0.002, ...pong)
      .file();
    const payloads = (port: string) =>
      tshark(file, ['tcp.payload'], ['-Y', `tcp.srcport == ${port} && tcp.len > 0`]).map(([payload]) => payload!);
    expect(payloads('40001').join('')).toBe(toHex(concat(PREFACE, settings(), ...ping)));
    expect(payloads('50051').join('')).toBe(toHex(concat(...pong)));
    expect(Math.max(...payloads('50051').map((payload) => payload.length / 2))).toBe(7);
  });

  test('with the times as told, an ACK at each delivery, and positions that a gap moves on', () => {
    const file = conversation({ delay: { toServer: 0.01, toClient: 0.02 } })
      .toServer(0.001, hex('01 02'))
      .toClient(0.002, hex('03'), { delivered: null })
      .gap('toServer', 100)
      .toServer(0.003, hex('04'))
      .reset(0.02, 'toClient')
      .file();
    const rows = tshark(file, ['frame.time_relative', 'tcp.srcport', 'tcp.seq', 'tcp.ack', 'tcp.len', 'tcp.flags']);
    expect(rows).toEqual([
      ['0.000000000', '40001', '0', '0', '0', '0x0002'],
      ['0.000000000', '50051', '0', '1', '0', '0x0012'],
      ['0.000000000', '40001', '1', '1', '0', '0x0010'],
      ['0.001000000', '40001', '1', '1', '2', '0x0018'],
      ['0.002000000', '50051', '1', '1', '1', '0x0018'],
      ['0.003000000', '40001', '103', '1', '1', '0x0018'],
      ['0.011000000', '50051', '2', '3', '0', '0x0010'],
      ['0.013000000', '50051', '2', '104', '0', '0x0010'],
      ['0.020000000', '50051', '2', '104', '0', '0x0014'],
    ]);
  });

  test('cut into segments with PSH on a chunk’s last, beside another connection of the same file', () => {
    const first = conversation({ segment: 2 }).toServer(0.002, hex('01 02 03'));
    const second = conversation({ client: '127.0.0.1:40002', handshake: 0.001 }).toServer(0.003, hex('05'));
    const rows = tshark(
      captureFile([first, second]),
      ['tcp.stream', 'tcp.len', 'tcp.flags.push'],
      ['-Y', 'tcp.len > 0'],
    );
    expect(rows).toEqual([
      ['0', '2', '0'],
      ['0', '1', '1'],
      ['1', '1', '1'],
    ]);
  });
});
