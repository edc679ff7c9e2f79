import { describe, expect, test } from 'vitest';
import { isUpstreamTrouble, sentence, wayOut, withAnyPort } from '../../../src/renderer/capture-bar/way-out';

describe('the way out of a refusal', () => {
  test('of a port in use is another port, which a button finds', () => {
    const message = 'cannot listen on 127.0.0.1:9800: port 9800 is already in use';
    expect(wayOut({ field: 'listen', message })).toEqual({
      words: expect.stringContaining('another port'),
      deed: 'any-port',
    });
  });

  test('of an address that is not this machine’s names one that is', () => {
    const message = 'cannot listen on 192.0.2.1:9800: 192.0.2.1 is not an address of this machine';
    expect(wayOut({ field: 'listen', message }).words).toContain('127.0.0.1');
  });

  test('is left out where the message says all there is to say', () => {
    const message = 'Name the server as HOST:PORT, such as 127.0.0.1:50051 or [::1]:50051.';
    expect(wayOut({ field: 'upstream', message })).toEqual({ words: '', deed: null });
    expect(wayOut({ field: null, message: 'There is no file a.pcapng.' })).toEqual({ words: '', deed: null });
  });
});

test.each([
  ['127.0.0.1:9800', '127.0.0.1:0'],
  ['[::1]:9800', '[::1]:0'],
  [' localhost ', 'localhost:0'],
])('%j with a port of the system’s choice is %j', (address, expected) => {
  expect(withAnyPort(address)).toBe(expected);
});

test('a tap that cannot reach its server is told from other notices', () => {
  const notice = { id: 1, severity: 'error' as const, message: 'cannot connect to the upstream 127.0.0.1:1' };
  expect(isUpstreamTrouble({ ...notice, about: 'upstream' })).toBe(true);
  expect(isUpstreamTrouble(notice)).toBe(false);
});

test('what the tap says becomes a sentence, and a sentence stays one', () => {
  expect(sentence('the disk is full')).toBe('The disk is full.');
  expect(sentence('No capture is running.')).toBe('No capture is running.');
});
