import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  concat,
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  incremental,
  indexed,
  uint32,
} from '../../support/encode';
import { found, opened, unary } from './findings';

describe('small DATA frames', () => {
  /** Messages of 995 octets in `pieces` frames of the same length. */
  const inPieces = (messages: number, pieces: number, length = 995) => {
    const talk = opened().toServer(0.01, headersFrame(1, grpcRequest('/a.B/C')));
    const message = concat(Uint8Array.of(0), uint32(length), new Uint8Array(length));
    const size = message.length / pieces;
    for (let i = 0; i < messages; i++) {
      for (let piece = 0; piece < pieces; piece++) {
        talk.toServer(0.02 + i / 1000, data(1, message.slice(piece * size, (piece + 1) * size)));
      }
    }
    return talk;
  };

  test('are found where a message takes four or more', () => {
    expect(found(inPieces(25, 4), 'small-frames')).toMatchObject([
      { severity: 'info', numbers: { frames: 100, messages: 25, meanLength: 250, smallFrames: 100 } },
    ]);
  });

  test('are none with two a message, with fewer than 100 frames, or when they are large', () => {
    expect(found(inPieces(50, 2), 'small-frames')).toEqual([]);
    expect(found(inPieces(24, 4), 'small-frames')).toEqual([]);
    expect(found(inPieces(25, 4, 4 * 1024 - 5), 'small-frames')).toEqual([]); // 1,024 each
  });
});

describe('tiny chunks', () => {
  /** DATA frames whose header and payload are written apart. */
  const apart = (count: number, payload: number) => {
    const talk = opened().toServer(0.01, headersFrame(1, grpcRequest('/a.B/C')));
    for (let i = 0; i < count; i++) {
      const frame = data(1, grpcMessage(new Uint8Array(payload)));
      talk.toServer(0.02 + i / 1000, frame.slice(0, 9)).toServer(0.0201 + i / 1000, frame.slice(9));
    }
    return talk;
  };

  test('are found where fifty frames are split', () => {
    expect(found(apart(50, 10), 'tiny-chunks')).toMatchObject([{ severity: 'info', numbers: { splitFrames: 50 } }]);
  });

  test('are none where 49 are, or the rest is a large read', () => {
    expect(found(apart(49, 10), 'tiny-chunks')).toEqual([]);
    expect(found(apart(50, 251), 'tiny-chunks')).toEqual([]); // 256 with the prefix
  });
});

describe('headers', () => {
  const TOKEN = 'a'.repeat(120);

  test('that repeat as literals are waste', () => {
    const talk = opened();
    for (let i = 0; i < 50; i++) {
      talk.toServer(0.01 + i / 1000, headersFrame(2 * i + 1, grpcRequest('/a.B/C', [['authorization', TOKEN]])));
    }
    const [finding] = found(talk, 'header-waste');
    expect(finding).toMatchObject({ severity: 'info', numbers: { blocks: 50, messageOctets: 0 } });
    expect(finding!.detail).toContain('“authorization” (133 octets a block)'); // 13 + 120
  });

  test('that the dynamic table shortens are none', () => {
    const talk = opened();
    for (let i = 0; i < 50; i++) {
      const block = concat(grpcRequest('/a.B/C'), i === 0 ? incremental('authorization', TOKEN) : indexed(62));
      talk.toServer(0.01 + i / 1000, headersFrame(2 * i + 1, block));
    }
    expect(found(talk, 'header-waste')).toEqual([]);
  });

  test('that are shorter than their messages are none', () => {
    const talk = opened();
    for (let i = 0; i < 50; i++) {
      talk.toServer(
        0.01 + i / 1000,
        headersFrame(2 * i + 1, grpcRequest('/a.B/C', [['authorization', TOKEN]])),
        data(2 * i + 1, grpcMessage(new Uint8Array(1000)), { endStream: true }),
      );
    }
    expect(found(talk, 'header-waste')).toEqual([]);
  });
});

describe('compression', () => {
  const compressed = (plain: Uint8Array) =>
    opened()
      .toServer(0.01, headersFrame(1, grpcRequest('/a.B/C', [['grpc-encoding', 'gzip']])))
      .toServer(0.01, data(1, grpcMessage(new Uint8Array(gzipSync(plain)), 1), { endStream: true })) // row 7
      .toClient(0.02, headersFrame(1, grpcResponse()), headersFrame(1, grpcTrailers(0), { endStream: true }));

  test('that made a message longer is found', () => {
    expect(found(compressed(Uint8Array.of(1, 2, 3)), 'compression-grew')).toMatchObject([
      { severity: 'info', evidence: [7], numbers: { messages: 1, looked: 1, plainOctets: 3 } },
    ]);
  });

  test('that made it shorter is none', () => {
    expect(found(compressed(new Uint8Array(1000)), 'compression-grew')).toEqual([]);
    expect(found(unary(opened(), 0.01, 1), 'compression-grew')).toEqual([]);
  });
});
