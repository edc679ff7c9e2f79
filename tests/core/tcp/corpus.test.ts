import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CaptureReader } from '../../../src/core/pcapng/reader';
import type { CaptureInterface } from '../../../src/core/pcapng/types';
import { TcpDemux } from '../../../src/core/tcp/demux';
import { corpusPath } from '../../support/corpus';
import { skipReason } from '../../support/skips';
import { RecordingSink } from '../pcapng/recording-sink';
import { RecordingTcpSink } from './conversation';

interface Expected {
  capture: { file_type: 'pcap' | 'pcapng'; packets: number; tcp_connections: number };
  connections: {
    tcp_stream: number;
    /** `127.0.0.1 port 45918` */
    client: string;
    server: string;
    tcp: {
      payload_bytes: { c2s: number; s2c: number };
      syn_seen: boolean;
      analysis: Record<string, number>;
    };
  }[];
}

/** Repeated octets count in tshark's payload sums; what is left when they are not. */
const WITHOUT_REPEATED: Record<string, Record<number, { c2s: number; s2c: number }>> = {
  'transform-base64-7296.pcap': { 0: { c2s: 259, s2c: 0 } },
};

/**
 * The last packet of this crafted file has SYN, FIN, RST and a header length of 8: tshark starts a second connection
 * for it. No TCP sends that, so it must not cut a running connection in two; it is told as trouble instead.
 */
const CONNECTIONS: Record<string, number> = { 'drop-protocol-change.pcap': 1 };

const root = corpusPath();
const files = root === undefined ? [] : [...expectations(join(root, 'captures')), ...expectations(join(root, 'tls'))];
if (root === undefined) skipReason('real captures', 'the corpus of captures is not beside the checkout');

function expectations(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => join(folder, name));
}

function read(octets: Uint8Array, pieces: number) {
  const tcp = new RecordingTcpSink();
  const demux = new TcpDemux(tcp);
  const interfaces: CaptureInterface[] = [];
  const file = new RecordingSink();
  file.interface = (captureInterface) => interfaces.push(captureInterface);
  file.packet = (data, start, end, time, original, id, offset, comment) =>
    demux.packet(data, start, end, time, original, id, offset, comment, interfaces[id]!.linkType);
  const reader = new CaptureReader(file);
  for (let at = 0; at < octets.length; at += pieces) reader.push(octets.slice(at, at + pieces));
  reader.end();
  demux.end();
  return { tcp, reader, file };
}

describe.skipIf(root === undefined)('real captures', () => {
  test.each(files.map((path) => [join(basename(dirname(path)), basename(path, '.expected.json')), path]))(
    '%s: packets, connections, SYN and octets per direction as tshark counts them',
    (_name, path) => {
      const expected = JSON.parse(readFileSync(path, 'utf8')) as Expected;
      const capture = path.replace('.expected.json', '');
      const stored = readFileSync(capture);
      const octets = stored[0] === 0x1f && stored[1] === 0x8b ? gunzipSync(stored) : stored;
      const { tcp, reader, file } = read(octets, octets.length);
      expect(file.troubles).toEqual([]);
      expect(reader.format).toBe(expected.capture.file_type);
      expect(reader.packetCount).toBe(expected.capture.packets);
      expect(tcp.connections).toHaveLength(CONNECTIONS[basename(capture)] ?? expected.capture.tcp_connections);
      for (const stream of expected.connections) {
        const { id, client, endpoints } = tcp.connections[stream.tcp_stream]!;
        const names = endpoints.map((end) => `${end.address} port ${end.port}`);
        expect([...names].sort()).toEqual([stream.client, stream.server].sort());
        const clientSide = names.indexOf(stream.client);
        expect(client).toBe(stream.tcp.syn_seen ? clientSide : undefined);
        const seen = [0, 0];
        for (const event of tcp.of('octets')) if (event.id === id) seen[event.side]! += event.text.length;
        const repeated = WITHOUT_REPEATED[basename(capture)]?.[stream.tcp_stream];
        expect('retransmission' in stream.tcp.analysis).toBe(repeated !== undefined);
        const { c2s, s2c } = repeated ?? stream.tcp.payload_bytes;
        expect({ c2s: seen[clientSide], s2c: seen[1 - clientSide] }).toEqual({ c2s, s2c });
        // stream() throws unless octets and gaps cover each side without overlap.
        tcp.stream(0, id);
        tcp.stream(1, id);
      }
      expect(read(octets, 77).tcp.events).toEqual(tcp.events);
    },
  );
});
