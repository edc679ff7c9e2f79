import { describe, expect, test } from 'vitest';
import { clientAddress, snippets } from '../../../src/renderer/start/snippets';

describe('the address that clients use', () => {
  test.each([
    ['127.0.0.1:9800', '127.0.0.1:9800'],
    ['0.0.0.0:9800', '127.0.0.1:9800'],
    ['[::]:9800', '[::1]:9800'],
    [':9800', '127.0.0.1:9800'],
    ['localhost:0', 'localhost:PORT'],
    ['127.0.0.1:00', '127.0.0.1:PORT'],
    ['', '127.0.0.1:PORT'],
    ['half', 'half'],
  ])('of a tap on %j is %j', (listen, expected) => {
    expect(clientAddress(listen)).toBe(expected);
  });
});

test('every client is pointed at it, in one line each', () => {
  const all = snippets('127.0.0.1:9800');
  expect(all.map(({ label }) => label)).toEqual(['grpc-go', 'grpc-java', 'grpc-js', 'Python', 'curl']);
  for (const { code } of all) {
    expect(code).toContain('127.0.0.1:9800');
    expect(code).not.toContain('\n');
  }
});
