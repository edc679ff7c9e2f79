import { describe, expect, test } from 'vitest';
import { Capture } from '../../src/core/capture/capture';
import { accountOf } from '../../src/core/flow/account';
import { accountLines } from '../../src/shared/account-lines';
import { conversation } from '../support/conversation';
import { data, grpcRequest, headersFrame, PREFACE, ping, settings } from '../support/encode';

/** Eight calls with a PING for all of them, or one for each. */
function account(pings: number) {
  const talk = conversation().toServer(0, PREFACE, settings()).toClient(0, settings());
  for (let i = 0; i < 8; i++) {
    talk.toServer(1 + i, headersFrame(2 * i + 1, grpcRequest('/a.B/C')), data(2 * i + 1, new Uint8Array(5)));
    if (i < pings) talk.toClient(1 + i, ping());
  }
  const capture = new Capture();
  capture.push(talk.file());
  capture.end();
  return accountOf(capture);
}

const lines = accountLines([account(8), account(1)]);
const cells = (label: string) => lines.find((line) => line.label === label)?.cells;

describe('accounts side by side', () => {
  test('tell 1 from 1/8', () => {
    expect(cells('PINGs per call')).toEqual([
      ['0.000', '1.000', '1.000'],
      ['0.000', '0.125', '0.125'],
    ]);
  });

  test('have calls under both directions together', () => {
    expect(cells('Calls')).toEqual([
      ['', '', '8'],
      ['', '', '8'],
    ]);
    // Eight in the 8 s from the first row to the last.
    expect(cells('Calls a second')![0]![2]).toBe('1.000');
  });

  test('count octets of DATA without frame headers, and messages with their prefixes', () => {
    expect(cells('DATA without frame headers')![0]).toEqual(['40 B', '0 B', '40 B']);
    expect(cells('Message bytes')![0]).toEqual(['40 B', '0 B', '40 B']);
  });

  test('have a mean of both directions where each has its own', () => {
    // To the server SETTINGS, 8 times HEADERS and DATA, in 9 chunks; to the client SETTINGS and 8 PINGs, in 9.
    expect(cells('Frames per chunk')![0]).toEqual(['1.889', '1.000', '1.444']);
    expect(cells('Frames per call')![0]).toEqual(['2.125', '1.125', '3.250']);
  });

  test('have no mean without anything to divide by', () => {
    const capture = new Capture();
    capture.push(conversation().file());
    capture.end();
    const none = accountLines([accountOf(capture)]).filter(({ label }) => label.endsWith('per call'));
    expect(none.length).toBeGreaterThan(3);
    for (const line of none) expect(line.cells).toEqual([['–', '–', '–']]);
  });

  test('have the types of either', () => {
    expect(lines.filter(({ group }) => group === 'Rows by type').map(({ label }) => label)).toEqual([
      'DATA',
      'HEADERS',
      'SETTINGS',
      'PREFACE',
      'PING',
    ]);
  });
});
