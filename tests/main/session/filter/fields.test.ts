import { describe, expect, test } from 'vitest';
import { captureFile, conversation } from '../../../support/conversation';
import {
  concat,
  continuation,
  data,
  frame,
  goaway,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  literals,
  PREFACE,
  ping,
  settings,
  settingsAck,
  windowUpdate,
} from '../../../support/encode';
import { filterOf, matches, rowsOf } from './rows';

const HEALTH = '/grpc.health.v1.Health/Check';
const ECHO = '/demo.Echo/Say';

const first = conversation({ delay: 0.01 })
  .toServer(0.001, PREFACE, settings([[4, 65_535]])) //                                             rows 1, 2
  .toClient(0.002, settings(), settingsAck()) //                                                    rows 3, 4
  .toServer(0.02, headersFrame(1, grpcRequest(HEALTH, [['user-agent', 'grpc-Go/1.60']]))) //        row 5
  .toServer(0.021, data(1, grpcMessage(new Uint8Array(2000)), { endStream: true })) //              row 6
  .toClient(0.03, headersFrame(1, grpcTrailers(5, 'no such service'), { endStream: true })) //      row 7
  .toServer(
    0.04,
    headersFrame(3, grpcRequest(ECHO).slice(0, 20), { endHeaders: false }), //                      row 8
    continuation(3, grpcRequest(ECHO).slice(20)), //                                                row 9
  )
  .toClient(0.05, headersFrame(3, grpcResponse())) //                                               row 10
  .toClient(0.06, data(3, grpcMessage(Uint8Array.of(1, 2, 3)), { padding: 4 })) //                  row 11
  .toClient(0.07, headersFrame(3, grpcTrailers(0), { endStream: true }), { delivered: null }) //    row 12
  .toServer(0.08, ping(), windowUpdate(0, 0), frame(0xfa, 0x01, 0)); //                             rows 13 to 15

/** Another connection: a call that is still open, and a frame whose end never comes. */
const second = conversation({ client: '127.0.0.1:40002', handshake: 0.1 })
  .toServer(0.101, PREFACE, settings()) //                                                          rows 16, 17
  .toServer(
    0.11,
    headersFrame(
      1,
      literals([
        [':method', 'GET'],
        [':path', '/x'],
        ['te', 'a'],
      ]),
    ),
  ) // row 18
  .toClient(0.12, settings(), goaway(1), data(1).slice(0, 5)); //                                   rows 19 to 21

const SHOWN: Record<number, string> = { 4: 'GET of "Health"', 10: 'max 100, Größe', 18: 'last stream 1' };
const rows = rowsOf(captureFile([first, second]), (row) => SHOWN[row] ?? '');
const ALL = Array.from({ length: 21 }, (_, i) => i + 1);
const STREAM_1 = [5, 6, 7];
const STREAM_3 = [8, 9, 10, 11, 12];

describe('an expression selects, of 21 rows of two connections,', () => {
  test.each<[string, number[]]>([
    ['', ALL],
    [' \t\n', ALL],

    ['n <= 3', [1, 2, 3]],
    ['n == 0x10', [16]],
    ['n in {1, 2,99}', [1, 2]],
    ['conn == 2', ALL.slice(15)],
    ['conn != 2', ALL.slice(0, 15)],
    ['CONN == 2 AND Stream == 1', [18]],
    ['conn == 1 && stream in {1, 3}', [...STREAM_1, ...STREAM_3]],
    ['stream > 1', STREAM_3],
    ['stream >= 3', STREAM_3],
    ['length > 1000', [6]],
    ['length >= 2005', [6]],
    ['length > 1.9KiB', [6]],
    ['length > 2kib', []],
    ['length < 9 && type == SETTINGS', [2, 3, 4, 17, 19]],
    ['chunk == 1', [1, 2]],
    ['t < 2ms', [1, 2]],
    ['t <= 2ms', [1, 2, 3, 4]],
    ['t == 0.021', [6]],
    ['t >= 0.1', ALL.slice(15)],
    ['t > 20000us && t < 3e-2', [6]],

    ['type == data', [6, 11, 21]],
    ['type == DATA || type in {HEADERS, CONTINUATION}', [...STREAM_1, ...STREAM_3, 18, 21]],
    ['type == PREFACE', [1, 16]],
    ['type == UNKNOWN', [15]],
    ['type == 0xfa', [15]],
    ['type == 6', [13]],
    ['type != SETTINGS && n < 6', [1, 5]],
    ['dir == toClient', [3, 4, 7, 10, 11, 12, 19, 20, 21]],
    ['dir != toClient && conn == 2', [16, 17, 18]],
    ['dir in {toClient, toServer}', ALL],

    ['flags == END_STREAM', [6, 7, 12]],
    ['flags == ack', [4]],
    ['flags in {ACK, PADDED}', [4, 11]],
    ['flags == {END_STREAM, END_HEADERS}', [7, 12]],
    ['flags != END_HEADERS && type == HEADERS', [8]],
    ['flags == 0x01', [4, 6, 7, 12, 15]],
    ['flags == 0 && type == DATA', [21]],
    ['flags == 0 && n < 4', [2, 3]],
    ['flags != END_STREAM && n == 1', [1]],

    ['fault', [14]],
    ['!FAULT && type == WINDOW_UPDATE', []],
    ['complete', ALL.slice(0, 20)],
    ['!complete', [21]],
    ['not delivered', [12]],
    ['delivered > 40ms && delivered <= 0.06', [8, 9, 10]],
    ['delivered != 0 && n == 12', []],

    ['method contains "health"', STREAM_1],
    [`method == "${HEALTH}"`, STREAM_1],
    [`method == ${ECHO}`, STREAM_3],
    [`method == "${ECHO.toLowerCase()}"`, []],
    [`method in {${HEALTH}, '${ECHO}'}`, [...STREAM_1, ...STREAM_3]],
    [`method != ${HEALTH}`, [...STREAM_3, 18]],
    ['status == NOT_FOUND', STREAM_1],
    ['status == 5', STREAM_1],
    ['status in {ok, not_found}', [...STREAM_1, ...STREAM_3]],
    ['status != OK', STREAM_1],
    ['status >= 0', [...STREAM_1, ...STREAM_3]],
    ['!(status == OK) && stream != 0', [...STREAM_1, 18]],

    ['header "user-agent" contains "go"', [5]],
    ['HEADER User-Agent contains go', [5]],
    ['header te', [5, 9, 18]],
    ['header "te" == "trailers"', [5, 9]],
    ['header te != trailers', [18]],
    ['header :path in {/x, /y}', [18]],
    ['header te && conn == 2', [18]],
    ['!header te && type == HEADERS', [7, 8, 10, 12]],
    ['headers contains "grpc-status: 5"', [7]],
    ['headers contains go/1', [5]],

    ['info contains "MAX"', [11]],
    ['info == "last stream 1"', [19]],
    ['info != "" && conn == 1', [5, 11]],
    ['health', [5]],
    ['"of \\"health\\""', [5]],
    ["'of \"H'", [5]],
    ['größe', [11]],
    ['goaway', [20]],
    ['"last stream"', [19]],
    ['window_update || max', [11, 14]],
    ['"complete"', []],
    ['nothingofthekind', []],
  ])('%s', (expression, expected) => {
    expect(matches(rows, expression)).toEqual(expected);
  });
});

describe('precedence', () => {
  test.each<[string, string]>([
    ['n == 1 || n == 2 && n == 3', 'n == 1 || (n == 2 && n == 3)'],
    ['n == 2 && n == 3 || n == 1', '(n == 2 && n == 3) || n == 1'],
    ['!n == 1 && n < 3', '(!(n == 1)) && n < 3'],
    ['not n == 1 or n == 1', '(not (n == 1)) or n == 1'],
    ['not not !! n == 1', 'n == 1'],
    ['! not ! complete', '!complete'],
    ['n==1||n==2', 'n == 1 or n == 2'],
  ])('%s means %s', (expression, grouped) => {
    const expected = matches(rows, grouped);
    expect(expected.length).toBeGreaterThan(0);
    expect(matches(rows, expression)).toEqual(expected);
  });

  test('parentheses are kept', () => {
    expect(matches(rows, '(n == 1 || n == 2) && n == 2')).toEqual([2]);
    expect(matches(rows, '!(n == 1 || n > 2)')).toEqual([2]);
  });
});

describe('a filter', () => {
  test.each([
    ['', 'row'],
    ['conn == 1 && header te', 'row'],
    ['n == 1 || !status == OK', 'call'],
    ['method contains x', 'call'],
  ])('of %s is tested again by %s', (expression, scope) => {
    expect(filterOf(expression).scope).toBe(scope);
  });

  test('tests a single row, and selects from a part of them behind what is there', () => {
    const filter = filterOf('type == SETTINGS');
    expect(filter.test(rows, 1)).toBe(true);
    expect(filter.test(rows, 0)).toBe(false);
    const out = [7];
    filter.select(rows, 2, 18, out);
    expect(out).toEqual([7, 2, 3, 16]);
  });

  test('sees what has changed since it was last asked', () => {
    const changing = { ...rows, callStatus: (): number | null => null };
    const filter = filterOf('status == OK');
    expect(filter.test(changing, 4)).toBe(false);
    changing.callStatus = () => 0;
    expect(filter.test(changing, 4)).toBe(true);
  });

  test('does not ask for the text of rows that the cheaper conditions rule out', () => {
    const asked: number[] = [];
    const watched = { ...rows, info: (row: number) => String(asked.push(row)) };
    matches(watched, 'info contains x && n == 3');
    expect(asked).toHaveLength(1);
  });
});

test('a value that was never seen passes no comparison, but its name is there', () => {
  // An index into the dynamic table of a connection that is joined in the middle.
  const file = conversation({ handshake: false, penstock: false })
    .toServer(0, headersFrame(1, concat(literals([[':method', 'POST']]), Uint8Array.of(0x80 | 62))))
    .file();
  const joined = rowsOf(file);
  expect(matches(joined, 'header ":method" == POST')).toEqual([1]);
  expect(matches(joined, 'headers contains unknown')).toEqual([1]);
  expect(matches(joined, 'header "unknown (dynamic 62)"')).toEqual([1]);
  expect(matches(joined, 'header "unknown (dynamic 62)" != x')).toEqual([]);
});
