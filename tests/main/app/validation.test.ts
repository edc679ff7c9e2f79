import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import { checkArguments, isWindowMethod, type WindowApi } from '../../../src/main/app/validation';
import { serveWindow } from '../../../src/main/app/window-channel';
import { MAX_REQUEST } from '../../../src/shared/bridge';

const SETTINGS = {
  listen: '127.0.0.1:0',
  upstream: '127.0.0.1:1',
  delayToServer: 0,
  delayToClient: 0,
  rateToServer: null,
  rateToClient: null,
  delayConnect: false,
};

describe('arguments of a window', () => {
  test.each<[keyof WindowApi, unknown[], unknown[]]>([
    ['status', [], []],
    ['setFilter', ['stream == 1'], ['stream == 1', undefined]],
    ['setFilter', ['stream == 1', null], ['stream == 1', undefined]],
    ['setFilter', ['stream == 1', 3], ['stream == 1', 3]],
    ['frames', [{ from: 0, count: 10, view: null }], [{ from: 0, count: 10 }]],
    ['startCapture', [SETTINGS], [SETTINGS]],
    ['updateCapture', [{ delayToServer: 5 }], [{ delayToServer: 5 }]],
    ['saveAs', [null], [null]],
  ])('%s takes %j', (method, given, taken) => {
    expect(checkArguments(method, given)).toEqual(taken);
  });

  test.each<[keyof WindowApi, unknown[]]>([
    ['status', [1]],
    ['frames', []],
    ['frames', [{ from: -1, count: 1 }]],
    ['frames', [{ from: 0, count: Number.NaN }]],
    ['frames', [{ from: 0, count: 1, more: true }]],
    ['frame', ['1']],
    ['frame', [1.5]],
    ['frame', [2 ** 60]],
    ['setFilter', ['x'.repeat(1 << 15)]],
    ['openPath', ['']],
    ['openPath', ['/a\0b']],
    ['openRecent', ['../../etc/passwd']],
    ['startCapture', [{ ...SETTINGS, command: 'rm' }]],
    ['startCapture', [{ ...SETTINGS, delayToServer: '5' }]],
    ['startCapture', [{ ...SETTINGS, listen: undefined }]],
    ['updateCapture', [{ upstream: '127.0.0.1:1' }]],
    ['exportAs', [{ format: 'exe', filter: null }, null]],
    ['saveAs', []],
    ['overview', [1e9]],
    ['windows', [{ conn: 1 }]],
    ['flow', [{ conn: 1 }]],
    ['accounts', [{ from: '0', to: null, first: 0, count: 1 }]],
    ['concurrency', [{ conn: 1, from: 0 }]],
    ['rounds', ['1', { from: 0, count: 1 }]],
    ['stepTo', [1, 'minute', 1]],
    ['stepTo', [1, 'frame', 2]],
  ])('%s refuses %j', (method, given) => {
    expect(() => checkArguments(method, given)).toThrow(new RegExp(`^${method} is refused: `));
  });

  test.each(['open', 'follow', 'committed', 'finish', 'close', 'shutdown', 'constructor', '__proto__', 'toString', ''])(
    'there is no method %j',
    (name) => {
      expect(isWindowMethod(name)).toBe(false);
    },
  );
});

describe('a window’s channel', () => {
  /** A served window: what it is told, and a way to send. */
  function served(api: object) {
    const told: Record<string, unknown>[] = [];
    let waiting: (() => void) | undefined;
    let send: (message: Uint8Array) => void = () => undefined;
    const end = serveWindow(
      { api: api as WindowApi, on: () => undefined, off: () => undefined },
      {
        post: (message) => {
          told.push(decode(message) as Record<string, unknown>);
          waiting?.();
        },
        on: (listener) => {
          send = listener;
        },
      },
    );
    return {
      told,
      end,
      send: (message: unknown) => send(message instanceof Uint8Array ? message : encode(message)),
      async answer(message: unknown): Promise<Record<string, unknown>> {
        const come = new Promise<void>((resolve) => {
          waiting = resolve;
        });
        send(encode(message));
        await come;
        return told.at(-1)!;
      },
    };
  }

  test('answers, octets as octets', async () => {
    const octets = new Uint8Array([0, 1, 254, 255]);
    const { answer } = served({ frameOctets: async (...given: unknown[]) => ({ given, octets }) });
    const question = { t: 'q', i: '1', m: 'frameOctets', a: [7, { from: 0, count: 4 }] };
    const reply = await answer(question);
    expect(reply).toEqual({ t: 's', i: '1', r: { given: question.a, octets } });
  });

  test('refuses in words what it does not know, and never calls it', async () => {
    let called = 0;
    const { answer } = served({
      open: async () => called++,
      frame: async () => called++,
    });
    expect(await answer({ t: 'q', i: '1', m: 'open', a: ['/etc/passwd'] })).toEqual({
      t: 's',
      i: '1',
      e: { message: 'there is no method "open" for a window' },
    });
    expect(await answer({ t: 'q', i: '2', m: 'frame', a: ['1'] })).toMatchObject({ i: '2', e: {} });
    expect(await answer({ t: 'q', i: '3', m: '__proto__', a: [] })).toMatchObject({ i: '3', e: {} });
    expect(called).toBe(0);
  });

  test('tells an error’s message and nothing more of it', async () => {
    const { answer } = served({
      frame: async () => {
        throw new RangeError('there is no frame 9');
      },
    });
    const reply = await answer({ t: 'q', i: '1', m: 'frame', a: [9] });
    expect(reply).toEqual({ t: 's', i: '1', e: { message: 'there is no frame 9' } });
  });

  test('drops what is no question, and goes on', async () => {
    const { answer, send, told } = served({ status: async () => 'fine' });
    const nested = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 1);
    for (const rubbish of [
      new Uint8Array([0xc1]),
      new Uint8Array(0),
      new Uint8Array(MAX_REQUEST + 1),
      null,
      'status',
      [1, 2],
      { t: 's', i: '1', r: 'an answer to nothing' },
      { t: 'q', i: '1', m: 'status' },
      { t: 'q', i: '1', m: 7, a: [] },
      { t: 'q', i: '1', m: 'status', a: 'x' },
      { t: 'q', i: 'x'.repeat(100), m: 'status', a: [] },
      { t: 'q', m: 'status', a: [nested, 2, 3, 4, 5, 6, 7, 8, 9] },
    ]) {
      send(rubbish);
    }
    expect(await answer({ t: 'q', i: 'good', m: 'status', a: [] })).toEqual({ t: 's', i: 'good', r: 'fine' });
    expect(told).toHaveLength(1);
  });

  test('is silent once it has ended', async () => {
    const { send, end, told } = served({ status: async () => 'fine' });
    end();
    send({ t: 'q', i: '1', m: 'status', a: [] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
  });
});
