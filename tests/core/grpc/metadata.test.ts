import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, decodeBinaryMetadata } from '../../../src/core/grpc/base64';
import { decodePercent } from '../../../src/core/grpc/percent';
import { statusFromHttp, statusFromReset } from '../../../src/core/grpc/status';
import { parseTimeout } from '../../../src/core/grpc/timeout';
import { ERROR_CODE_NAMES, grpcStatusName } from '../../../src/shared/names';
import { hex } from '../../support/octets';

describe('-bin metadata', () => {
  it.each([
    ['AAEC', ['00 01 02']],
    ['AAE', ['00 01']],
    ['AAE=,AAEC', ['00 01', '00 01 02']],
    ['AAE, AAEC', ['00 01', '00 01 02']],
    ['', ['']],
    ['+/8=', ['fb ff']],
  ])('%s', (value, expected) => {
    expect(decodeBinaryMetadata(value)).toEqual(expected.map(hex));
  });

  it.each(['A', 'AAEC=', 'AA=', 'AAE==', '=', 'A-B_', 'AA=A', 'AAÿC'])('%s is no Base64', (value) => {
    expect(decodeBase64(value)).toBeUndefined();
  });

  it('a broken value leaves its neighbours', () => {
    expect(decodeBinaryMetadata('A,AAEC')).toEqual([undefined, hex('00 01 02')]);
  });

  it('reads back what Base64 writes, padded and not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => {
        const padded = Buffer.from(octets).toString('base64');
        expect(decodeBase64(padded)).toEqual(octets);
        expect(decodeBase64(padded.replace(/=+$/, ''))).toEqual(octets);
      }),
    );
  });
});

describe('grpc-message', () => {
  it.each([
    ['no such key', 'no such key'],
    ['50%25 gone', '50% gone'],
    ['gr%C3%BC%c3%9fe', 'grüße'],
    ['broken %zz and %4', 'broken %zz and %4'],
    ['%', '%'],
    ['not UTF-8: %E9', 'not UTF-8: é'],
    ['raw octets: Ã¼', 'raw octets: ü'],
  ])('%s', (value, expected) => {
    expect(decodePercent(value)).toBe(expected);
  });

  it('reads back any percent-encoded text, and never throws on any other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodePercent(encodeURIComponent(text))).toBe(text);
        expect(typeof decodePercent(text)).toBe('string');
      }),
    );
  });
});

describe('grpc-timeout', () => {
  it.each([
    ['100m', 0.1, '100 milliseconds'],
    ['1S', 1, '1 second'],
    ['2H', 7200, '2 hours'],
    ['5M', 300, '5 minutes'],
    ['250u', 0.00025, '250 microseconds'],
    ['99999999n', 0.099999999, '99999999 nanoseconds'],
    ['0n', 0, '0 nanoseconds'],
  ])('%s', (value, seconds, words) => {
    const timeout = parseTimeout(value);
    expect(timeout?.seconds).toBeCloseTo(seconds, 12);
    expect(timeout?.words).toBe(words);
  });

  it.each(['', 'S', '10', '1s', '123456789S', '-1S', '1.5S', '1 S', '1S\n'])('%j is none', (value) => {
    expect(parseTimeout(value)).toBeUndefined();
  });
});

describe('statuses that follow from HTTP', () => {
  it.each([
    [200, 'UNKNOWN'],
    [400, 'INTERNAL'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'UNIMPLEMENTED'],
    [429, 'UNAVAILABLE'],
    [431, 'INTERNAL'],
    [500, 'UNKNOWN'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'UNAVAILABLE'],
  ])('HTTP %i without grpc-status is %s', (http, name) => {
    expect(grpcStatusName(statusFromHttp(http)!.status)).toBe(name);
  });

  it('an interim response has none', () => {
    expect(statusFromHttp(103)).toBeUndefined();
  });

  it('a reset code gives the status of the Errors table, where it has one', () => {
    const table = ERROR_CODE_NAMES.map((name, code) => {
      const inferred = statusFromReset(code);
      return `${name} ${inferred === undefined ? '-' : grpcStatusName(inferred.status)}`;
    });
    expect(table).toEqual([
      'NO_ERROR INTERNAL',
      'PROTOCOL_ERROR INTERNAL',
      'INTERNAL_ERROR INTERNAL',
      'FLOW_CONTROL_ERROR INTERNAL',
      'SETTINGS_TIMEOUT INTERNAL',
      'STREAM_CLOSED -',
      'FRAME_SIZE_ERROR INTERNAL',
      'REFUSED_STREAM UNAVAILABLE',
      'CANCEL CANCELLED',
      'COMPRESSION_ERROR INTERNAL',
      'CONNECT_ERROR INTERNAL',
      'ENHANCE_YOUR_CALM RESOURCE_EXHAUSTED',
      'INADEQUATE_SECURITY PERMISSION_DENIED',
      'HTTP_1_1_REQUIRED -',
    ]);
    expect(statusFromReset(0xff)).toBeUndefined();
  });
});
