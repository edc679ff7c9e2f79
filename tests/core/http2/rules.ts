import { describe, expect, it } from 'vitest';
import { frameTypeName } from '../../../src/shared/names';
import { conversation } from '../../support/conversation';
import { Decoded, type DecodedRow } from '../../support/decoded';
import { hex, literals, PREFACE, ping, settings, settingsAck } from '../../support/encode';

type Peer = 'client' | 'server';

/** A frame that one peer sends, and the faults that its row must have: `STREAM_CLOSED stream §5.1`. */
export interface Step {
  by: Peer;
  octets: Uint8Array;
  faults: string[];
}

export function client(octets: Uint8Array, ...faults: string[]): Step {
  return { by: 'client', octets, faults };
}

export function server(octets: Uint8Array, ...faults: string[]): Step {
  return { by: 'server', octets, faults };
}

export interface Setup {
  /** Settings of each side's first frame; they are acknowledged. */
  clientSettings?: [number, number][];
  serverSettings?: [number, number][];
}

export type Case = [title: string, steps: Step[], setup?: Setup];

export const REQUEST = literals([
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/'],
  [':authority', 'localhost'],
]);
export const RESPONSE = literals([[':status', '200']]);
export const TRAILERS = literals([['x-checksum', '1']]);

/** The PING that each peer sends when all is said: the frame after the fault. */
const LAST = { client: hex('63 6c 69 65 6e 74 00 00'), server: hex('73 65 72 76 65 72 00 00') };

/** `code scope §clause` of each fault. */
export function faultsOf({ faults }: DecodedRow): string[] {
  return faults.map(({ code, scope, clause }) => `${code} ${scope} ${clause.replace('RFC 9113 ', '')}`);
}

/** A connection whose settings are exchanged, then the steps in their order, a frame a chunk; then a PING of each. */
export function exchange(steps: readonly Step[], setup: Setup = {}): DecodedRow[] {
  const talk = conversation()
    .toServer(0.001, PREFACE, settings(setup.clientSettings))
    .toClient(0.002, settings(setup.serverSettings), settingsAck())
    .toServer(0.003, settingsAck());
  const all = [...steps, client(ping(LAST.client)), server(ping(LAST.server))];
  all.forEach(({ by, octets }, i) => {
    if (by === 'client') talk.toServer(0.01 + i * 0.001, octets);
    else talk.toClient(0.01 + i * 0.001, octets);
  });
  return Decoded.of(talk.file()).frames.slice(4);
}

/** Each case: its frames are rows with exactly these faults, and so are the PINGs after them. */
export function check(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', (_title, steps, setup) => {
      const rows = exchange(steps, setup);
      const seen = rows.map((row) => [row.dir, row.type, row.length, ...faultsOf(row)]);
      const told = steps.map(({ by, octets, faults }) => [
        by === 'client' ? 'toServer' : 'toClient',
        frameTypeName(octets[3]!),
        octets.length - 9,
        ...faults,
      ]);
      expect(seen).toEqual([...told, ['toServer', 'PING', 8], ['toClient', 'PING', 8]]);
    });
  });
}
