import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_CODE_NAMES, Flag, FrameType } from '../../../src/shared/names';
import { conversation } from '../../support/conversation';
import { corpusPath } from '../../support/corpus';
import { Decoded } from '../../support/decoded';
import { continuation, headersFrame, hex, literals, PREFACE, ping, settings } from '../../support/encode';

interface Case {
  wire: string;
  error: number[] | null;
  description: string;
}

const BLOCKS = new Set<number>([FrameType.HEADERS, FrameType.PUSH_PROMISE]);

/** The frame among others: after SETTINGS, with streams 1 and 3 open, and a PING behind it. */
function decode(octets: Uint8Array): Decoded {
  const request = literals([
    [':method', 'GET'],
    [':path', '/'],
  ]);
  const talk = conversation()
    .toServer(0.1, PREFACE, settings(), headersFrame(1, request), headersFrame(3, request))
    .toClient(0.2, settings(), headersFrame(1, literals([[':status', '200']])));
  // A block that the frame leaves open is ended, so that the PING does not stand inside.
  const open = BLOCKS.has(octets[3]!) && (octets[4]! & Flag.END_HEADERS) === 0;
  const after = open ? [continuation(octets[8]!, new Uint8Array(0)), ping()] : [ping()];
  if (octets[3] === FrameType.PUSH_PROMISE) talk.toClient(0.3, octets, ...after);
  else talk.toServer(0.3, octets, ...after);
  return Decoded.of(talk.file());
}

const folder = corpusPath('frames', 'http2jp', 'error');

describe.skipIf(folder === undefined)('the http2jp frames that are wrong', () => {
  const files = folder === undefined ? [] : readdirSync(folder);

  it.each(files)('%s', (file) => {
    const { wire, error } = JSON.parse(readFileSync(join(folder!, file), 'utf8')) as Case;
    const octets = hex(wire);
    const rows = decode(octets).frames;
    const row = rows[5]!;
    const allowed = error!.map((code) => ERROR_CODE_NAMES[code]);
    if (file === 'data-frame-size.json') {
      // Its header claims 32,768 octets, of which 20 are there: with the rest of them it would be too long.
      const whole = new Uint8Array(9 + 32_768);
      whole.set(octets);
      expect(decode(whole).frames[5]!.faults.map(({ code }) => code)).toContain('FRAME_SIZE_ERROR');
      expect(row).toMatchObject({ type: 'DATA', length: 32_768, complete: false });
      return;
    }
    expect(row.length).toBe(octets.length - 9);
    expect(row.faults.length).toBeGreaterThan(0);
    expect(allowed).toContain(row.faults[0]!.code);
    expect(rows.at(-1)).toMatchObject({ type: 'PING', faults: [] });
  });
});

interface Walk {
  files: Record<
    string,
    {
      bytes: number;
      preface: boolean;
      frames: [type: string, stream: number, length: number, flags: number, cut?: 'truncated'][];
      trailing_bytes: number;
    }
  >;
}

const fuzz = corpusPath('frames', 'nghttp2-fuzz-corpus');

describe.skipIf(fuzz === undefined)("nghttp2's fuzzing corpus: what h2spec sent to a server", () => {
  const walks = fuzz === undefined ? {} : (JSON.parse(readFileSync(join(fuzz, 'frames.json'), 'utf8')) as Walk).files;

  it.each(Object.keys(walks))('%s', (name) => {
    const octets = new Uint8Array(readFileSync(join(fuzz!, name)));
    const { frames, preface } = walks[name]!;
    for (const split of [octets.length, 7]) {
      const decoded = Decoded.of(conversation({ split }).toServer(0.1, octets).file());
      // Every octet is in exactly one row.
      let at = 0;
      for (const row of decoded.rows) {
        expect(row.offset).toBe(at);
        at += extent(decoded, row.n);
      }
      expect(at).toBe(octets.length);
      if (!preface) continue;
      expect(decoded.protocols).toEqual(['h2']);
      const seen = decoded.frames.map(({ type, stream, length, flagBits, complete }) =>
        complete ? [type, stream, length, flagBits] : [type, stream, length, flagBits, 'truncated'],
      );
      expect(seen).toEqual(frames.map(([type, ...rest]) => [type.startsWith('UNKNOWN') ? 'UNKNOWN' : type, ...rest]));
    }
  });
});

/** Octets of a row that were seen. */
function extent({ capture }: Decoded, n: number): number {
  const row = capture.rowOf(n);
  return capture.frames.captured.get(row) ?? capture.frames.extent(row);
}
