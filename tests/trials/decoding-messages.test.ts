/** Faults that users of other inspectors have met, as inputs with the right answer: messages and what is in them. */
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBinaryMetadata } from '../../src/core/grpc/base64';
import { decodeRaw } from '../../src/core/protobuf/raw';
import {
  concat,
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  rstStream,
  windowUpdate,
} from '../support/encode';
import { CANCEL, END, faults, HELLO, opened, Trial } from './session';

describe('compressed messages', () => {
  const text = new Uint8Array(500).fill(0x61);
  const plain = concat(hex('0a f4 03'), text); // field 1 of 500 octets

  it.each([
    ['gzip', (octets: Uint8Array) => new Uint8Array(gzipSync(octets))],
    ['deflate', (octets: Uint8Array) => new Uint8Array(deflateSync(octets))], // zlib's format
  ] as const)('%s, and uncompressed ones in the same stream: size on the wire and decoded', (encoding, compress) => {
    const packed = compress(plain);
    const body = concat(grpcMessage(packed, 1), grpcMessage(plain, 0), grpcMessage(packed, 1));
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C', [['grpc-encoding', encoding]])), data(1, body, END))
        .file(),
    );
    const small = { compressed: true, encoding, wireLength: packed.length, length: plain.length };
    expect(trial.messages).toMatchObject([
      small,
      { compressed: false, wireLength: plain.length, length: plain.length },
      small,
    ]);
    expect(trial.messages.map(({ fields }) => fields?.length)).toEqual([1, 1, 1]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
  });

  it('identity with flag 0', () => {
    const block = grpcRequest('/a.B/C', [['grpc-encoding', 'identity']]);
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, block), data(1, grpcMessage(HELLO), END))
        .file(),
    );
    expect(trial.messages).toMatchObject([{ compressed: false, encoding: 'identity', wireLength: 7, length: 7 }]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
  });

  it.each([
    ['without grpc-encoding', grpcRequest('/a.B/C')],
    ['with grpc-encoding: identity', grpcRequest('/a.B/C', [['grpc-encoding', 'identity']])],
  ])('flag 1 %s: the fault is named, on the frame and on the message, and the octets are there', (_what, block) => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, block), data(1, grpcMessage(HELLO, 1), END))
        .file(),
    );
    const named = ['GRPC_MESSAGE stream gRPC PROTOCOL-HTTP2 Length-Prefixed-Message'];
    expect(faults(trial.rowsOf('DATA')[0]!)).toEqual(named);
    expect(faults(trial.messages[0]!)).toEqual(named);
    expect(trial.messages[0]?.faults?.[0]?.message).toContain('without grpc-encoding');
    expect(trial.messages[0]).toMatchObject({ compressed: true, complete: true, wireLength: 7, length: null });
    const { n } = trial.rowsOf('DATA')[0]!;
    expect(trial.session.frameOctets(n).subarray(-HELLO.length)).toEqual(HELLO);
  });

  it('in an encoding that is not known: the size on the wire, and why there is no other', () => {
    const block = grpcRequest('/a.B/C', [['grpc-encoding', 'br']]);
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, block), data(1, grpcMessage(HELLO, 1), END))
        .file(),
    );
    expect(trial.messages).toMatchObject([{ encoding: 'br', wireLength: 7, length: null }]);
    expect(trial.messages[0]?.faults?.[0]?.message).toContain('br');
  });
});

describe('binary metadata', () => {
  it.each([
    ['AAEC', ['00 01 02']],
    ['AAE', ['00 01']], // no padding
    ['AAE=,AAEC', ['00 01', '00 01 02']],
  ])('x-bin: %s', (value, octets) => {
    const block = grpcRequest('/a.B/C', [['x-bin', value]]);
    const trial = new Trial(opened().toServer(0.2, headersFrame(1, block)).file());
    const [, seen] = trial.rowsOf('HEADERS')[0]!.headers!.at(-1)!;
    expect(seen).toBe(value);
    expect(decodeBinaryMetadata(seen!)).toEqual(octets.map(hex));
  });
});

describe('long messages', () => {
  const TEN_MB = 10_000_000;

  it('two of 10 MB over some 640 DATA frames each, two streams interleaved, are two whole messages', () => {
    const talk = opened().toServer(
      0.2,
      headersFrame(1, grpcRequest('/a.B/One'), END),
      headersFrame(3, grpcRequest('/a.B/Two'), END),
      ...[0, 1, 3].map((stream) => windowUpdate(stream, 3 * TEN_MB)),
    );
    talk.toClient(0.3, headersFrame(1, grpcResponse()), headersFrame(3, grpcResponse()));
    const one = grpcMessage(new Uint8Array(TEN_MB).fill(1));
    const two = grpcMessage(new Uint8Array(TEN_MB).fill(2));
    for (let at = 0, i = 1; at < one.length; at += 16_384, i++) {
      const to = at + 16_384;
      talk.toClient(0.3 + i / 1000, data(1, one.subarray(at, to)), data(3, two.subarray(at, to)));
    }
    talk.toClient(2, headersFrame(1, grpcTrailers(0), END), headersFrame(3, grpcTrailers(0), END));
    const trial = new Trial(talk.file());
    const whole = { complete: true, wireLength: TEN_MB, length: TEN_MB, index: 0 };
    expect(trial.messages).toMatchObject([
      { stream: 1, ...whole },
      { stream: 3, ...whole },
    ]);
    for (const { frames } of trial.messages) expect(frames).toHaveLength(Math.ceil((TEN_MB + 5) / 16_384));
    const [ofOne, ofTwo] = trial.messages.map(({ frames }) => new Set(frames));
    expect([...ofOne!].filter((n) => ofTwo!.has(n))).toEqual([]);
    expect(trial.call(1)).toMatchObject({ status: 0, responseMessages: 1, responseBytes: TEN_MB + 5 });
    expect(trial.call(3)).toMatchObject({ status: 0, responseMessages: 1, responseBytes: TEN_MB + 5 });
    expect(trial.rows.flatMap(faults)).toEqual([]);
  });
});

describe('messages that are not whole', () => {
  it.each([
    ['by END_STREAM on DATA', [data(1, hex('00 00 00 00 0a 01 02 03'), END)]],
    ['by END_STREAM on an empty DATA', [data(1, hex('00 00 00 00 0a 01 02 03')), data(1, new Uint8Array(0), END)]],
    ['by trailers', [data(1, hex('00 00 00 00 0a 01 02 03')), headersFrame(1, grpcTrailers(0), END)]],
  ])('%s: truncated, 3 of 10', (_what, octets) => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C'), END))
        .toClient(0.3, headersFrame(1, grpcResponse()), ...octets)
        .file(),
    );
    const named = ['GRPC_MESSAGE stream gRPC PROTOCOL-HTTP2 Length-Prefixed-Message'];
    const first = trial.rowsOf('DATA')[0]!.n;
    expect(trial.messages).toMatchObject([
      { complete: false, wireLength: 10, captured: 3, length: null, frames: [first] },
    ]);
    expect(faults(trial.messages[0]!)).toEqual(named);
    expect(trial.messages[0]?.faults?.[0]?.message).toContain('3 of 10 octets');
    expect(faults(trial.rows.at(-1)!)).toEqual(named); // the frame that ended the stream
  });

  it('by a reset: not complete, and no fault of the message', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C')), data(1, hex('00 00 00 00 0a 01 02 03')))
        .toServer(0.3, rstStream(1, CANCEL))
        .file(),
    );
    expect(trial.messages).toMatchObject([{ complete: false, wireLength: 10, captured: 3 }]);
    expect(trial.rows.flatMap(faults)).toEqual([]);
    expect(trial.call(1)).toMatchObject({ state: 'reset', resetCode: 'CANCEL' });
  });

  it('with the prefix the wrong way round: it is said in words', () => {
    const reversed = hex('00 00 00 07 | 00'); // length 7, then the flag
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C')), data(1, concat(reversed, HELLO), END))
        .file(),
    );
    expect(trial.messages).toMatchObject([{ complete: false, wireLength: 0x700, captured: 7 }]);
    expect(trial.messages[0]?.faults?.[0]?.message).toContain('the wrong way round');
  });

  it('of one octet, cut before it, has a prefix that is as it should be', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C')), data(1, hex('00 00 00 00 01'), END))
        .file(),
    );
    expect(trial.messages[0]?.faults?.[0]?.message).toContain('0 of 1 octets');
  });
});

describe('protobuf without a schema', () => {
  it('0a 02 08 01 is offered as a message and as octets and text', () => {
    const trial = new Trial(
      opened()
        .toServer(0.2, headersFrame(1, grpcRequest('/a.B/C')), data(1, grpcMessage(hex('0a 02 08 01')), END))
        .file(),
    );
    const fields = trial.messages[0]!.fields as ReturnType<typeof decodeRaw>['fields'];
    expect(fields).toEqual(decodeRaw(hex('0a 02 08 01')).fields);
    const kinds = fields[0]!.readings.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['message', 'string', 'bytes']));
    expect(fields[0]!.readings.find(({ kind }) => kind === 'message')).toMatchObject({
      fields: [{ number: 1, wireType: 0 }],
    });
  });
});
