import { describe, expect, it } from 'vitest';
import { namePing } from '../../../src/core/grpc/pings';
import { hex } from '../../support/octets';

describe('PING payloads', () => {
  it.each([
    ['02 04 10 10 09 0e 07 07', 'grpc-go', 'bdp'],
    ['01 06 01 08 00 03 03 09', 'grpc-go', 'shutdown'],
    ['00 00 00 00 00 00 04 d2', 'grpc-java', 'bdp'],
    ['00 00 00 00 00 00 04 57', 'grpc-java', 'user'],
    ['00 00 00 00 00 00 de ad', 'grpc-java', 'keepalive'],
    ['00 00 00 09 7a ce f0 01', 'grpc-java', 'shutdown'],
    ['00 00 00 00 00 00 11 11', 'grpc-java', 'shutdown'],
    ['0b 7b a2 f0 8b 9b fe 54', 'h2 (Rust)', 'shutdown'],
    ['3b 7c db 7a 0b 87 16 b4', 'h2 (Rust)', 'user'],
    ['00 00 00 01 00 00 00 00', 'okhttp', 'keepalive'],
    ['00 00 00 02 00 00 00 00', 'okhttp', 'keepalive'],
    ['6e 65 76 65 72 67 6f 6e', 'Apache httpd', 'keepalive'],
    ['ff ff ff ff ff ff ff ff', '.NET HttpClient', 'bdp'],
    ['ff ff ff ff ff ff ff fe', '.NET HttpClient', 'bdp'],
    ['00 00 01 8b cf e5 68 00', 'envoy', 'keepalive'],
  ])('%s is %s, %s', (octets, implementation, purpose) => {
    const named = namePing(hex(octets), 0);
    expect(named).toMatchObject({ implementation, purpose });
    expect(named?.source).toMatch(/^[\w.-]+\/[\w.-]+ \S+\//);
  });

  it('says when Envoy sent it, by its own clock', () => {
    expect(namePing(hex('00 00 01 8b cf e5 68 00'), 0)?.words).toContain('2023-11-14T22:13:20.000Z');
  });

  it('zeros are a keepalive; of whom, only something else can tell', () => {
    expect(namePing(new Uint8Array(8), 0)).toMatchObject({ implementation: 'unknown', purpose: 'keepalive' });
    expect(namePing(new Uint8Array(8), 0, 'grpc-go')).toMatchObject({
      implementation: 'grpc-go',
      purpose: 'keepalive',
    });
    expect(namePing(new Uint8Array(8), 0, 'constructor')).toMatchObject({ implementation: 'unknown' });
  });

  it.each([
    ['a small counter', '00 00 00 00 00 00 00 01'],
    ['random octets', '9d 1c 22 f3 04 aa 71 08'],
    ['a negative number that no counter reaches', 'ff ff ff ff 00 00 00 00'],
  ])('%s has no name', (_what, octets) => {
    expect(namePing(hex(octets), 0)).toBeUndefined();
  });

  it('reads from where the payload starts, and needs eight octets', () => {
    expect(namePing(hex('00 | 02 04 10 10 09 0e 07 07'), 1)).toMatchObject({ purpose: 'bdp' });
    expect(namePing(hex('02 04 10 10 09 0e 07'), 0)).toBeUndefined();
  });
});
