import { appendFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../../src/main/session/engine';
import type { EngineProgress, FilterAnswer, WindowsQuery } from '../../../src/shared/contract';
import { conversation } from '../../support/conversation';
import { data, headersFrame, literals, PREFACE, ping, settings, toHex } from '../../support/encode';
import { afterThisTest, everything, sessionOf, temporaryFile, unaryCalls } from './helpers';

const ALL = { from: 0, count: 5000 };

class Events {
  readonly all: EngineProgress[] = [];
  readonly times: number[] = [];
  private wake = () => {};

  progress(progress: EngineProgress): void {
    this.all.push(progress);
    this.times.push(performance.now());
    this.wake();
  }

  /** The first event from now on for which `test` holds. */
  async until(test: (progress: EngineProgress) => boolean): Promise<EngineProgress> {
    for (;;) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const last = this.all.at(-1)!;
      if (test(last)) return last;
    }
  }
}

function engine(): { engine: Engine; events: Events } {
  const events = new Events();
  const made = new Engine(events);
  afterThisTest(() => made.close());
  return { engine: made, events };
}

function viewOf(answer: FilterAnswer): number {
  if ('error' in answer) throw new Error(answer.error.message);
  return answer.view;
}

const whole = unaryCalls(6).file();

describe('a whole file', () => {
  test.each([
    ['plain', whole],
    ['compressed', gzipSync(whole)],
  ])('%s is read, and all its records can be asked for', async (_, octets) => {
    const { engine: api, events } = engine();
    const file = temporaryFile(octets);
    await api.open(file);
    const session = sessionOf(whole);
    expect(await api.status()).toMatchObject({
      state: 'complete',
      failure: null,
      file,
      read: octets.length,
      committed: octets.length,
      lag: 0,
      frames: session.frameCount,
      calls: 6,
      messages: 12,
      connections: 1,
      faults: 0,
      troubles: 0,
    });
    expect(events.all.at(-1)).toMatchObject({ state: 'complete', frames: session.frameCount, views: [] });
    expect({
      frames: (await api.frames(ALL)).items,
      connections: (await api.connections(ALL)).items,
      calls: (await api.calls(ALL)).items,
      messages: (await api.messages(ALL)).items,
    }).toEqual(everything(session));
    expect(await api.summary()).toMatchObject({
      format: 'pcapng',
      application: 'Penstock 0.1.0',
      size: whole.length,
      firstTime: '1704067200000000000',
      interfaces: [{ id: 0, linkType: 101 }],
    });
  });

  test('answers by range, and clamps what goes beyond', async () => {
    const { engine: api } = engine();
    await api.open(temporaryFile(whole));
    const all = (await api.frames(ALL)).items;
    const part = await api.frames({ from: 3, count: 2 });
    expect(part).toEqual({ total: all.length, from: 3, items: all.slice(3, 5), revision: 0 });
    expect((await api.frames({ from: all.length - 1, count: 10 })).items).toHaveLength(1);
    for (const range of [
      { from: all.length, count: 1 },
      { from: 0, count: -1 },
      { from: Number.NaN, count: Number.NaN },
    ]) {
      expect((await api.frames(range)).items).toEqual([]);
    }
    expect((await api.frames({ from: -5, count: 1 })).items).toEqual(all.slice(0, 1));
  });

  test('shows a frame, its octets, its chunk’s, and its call with messages', async () => {
    const { engine: api } = engine();
    await api.open(temporaryFile(whole));
    const request = (await api.frames(ALL)).items.find(({ type, stream }) => type === 'DATA' && stream === 3)!;
    const detail = await api.frame(request.n);
    expect(detail.frame).toEqual(request);
    expect(detail.captured).toBe(18);
    const octets = '000009' + '00' + '01' + '00000003' + '00' + '00000004' + '0a026869';
    const frame = await api.frameOctets(request.n, { from: 0, count: 100 });
    expect({ ...frame, octets: toHex(frame.octets) }).toEqual({ total: 18, from: 0, octets });
    const slice = await api.frameOctets(request.n, { from: 9, count: 5 });
    expect(toHex(slice.octets)).toBe('0000000004');
    const chunk = await api.chunkOctets(request.chunk, { from: 0, count: 100 });
    expect(toHex(chunk.octets)).toBe(octets);
    expect(await api.call(1, 3)).toMatchObject({ stream: 3, statusName: 'OK' });
    expect(await api.call(1, 99)).toBeNull();
    expect(await api.call(9, 1)).toBeNull();
    const messages = await api.messagesOf(1, 3, ALL);
    expect(messages.items.map(({ dir, index, length }) => [dir, index, length])).toEqual([
      ['toServer', 0, 4],
      ['toClient', 0, 4],
    ]);
    expect((await api.messagesOf(1, 3, { from: 1, count: 1 })).items).toEqual(messages.items.slice(1));
    await expect(api.frame(0)).rejects.toThrow('there is no frame 0');
    await expect(api.frame(9999)).rejects.toThrow('there is no frame 9999');
    await expect(api.chunkOctets(9999, ALL)).rejects.toThrow('there is no chunk 9999');
  });

  test('shows frames through a filter', async () => {
    const { engine: api } = engine();
    await api.open(temporaryFile(whole));
    const all = (await api.frames(ALL)).items;
    const view = viewOf(await api.setFilter('status == NOT_FOUND'));
    const page = await api.frames({ ...ALL, view, settled: true });
    expect(page.items).toEqual(all.filter(({ stream }) => stream === 5 || stream === 11));
    expect(await api.view(view)).toMatchObject({ count: 10, evaluated: all.length });
    expect(await api.positionOf(page.items[4]!.n, view)).toBe(4);
    expect(await api.positionOf(7)).toBe(6);
    const { framesToServer, framesToClient } = await api.overview(1, view);
    expect([framesToServer, framesToClient]).toEqual([[4], [6]]);
    await api.dropView(view);
    await expect(api.view(view)).rejects.toThrow(`there is no view ${view}`);
    expect(await api.setFilter('statsu == 1')).toMatchObject({ error: { at: 0, length: 6 } });
  });

  test('shows windows over time', async () => {
    const { engine: api } = engine();
    await api.open(temporaryFile(whole));
    const query: WindowsQuery = {
      conn: 1,
      dir: 'toServer',
      streams: [0, 1],
      view: 'sender',
      from: 0,
      to: 1,
      buckets: 100,
    };
    const answer = await api.windows(query);
    expect(answer.series.map(({ stream, window }) => [stream, window.at(-1)])).toEqual([
      [0, 65_535 - 6 * 9],
      [1, 65_535 - 9],
    ]);
    await expect(api.windows({ ...query, conn: 2 })).rejects.toThrow('there is no connection 2');
  });

  test('tells findings, and the same ones again while there are no more frames', async () => {
    const { engine: api } = engine();
    await api.open(temporaryFile(whole));
    const { findings, leftOut } = await api.findings();
    expect(leftOut).toBe(0);
    expect((await api.findings()).findings).toBe(findings);
  });

  test('gives nothing of a gap, however long it claims to be', async () => {
    const { engine: api } = engine();
    const file = conversation({ penstock: false })
      .toServer(0.001, PREFACE, settings())
      .gap('toServer', 1_000_000_000)
      .toServer(0.002, ping())
      .file();
    await api.open(temporaryFile(file));
    const gap = (await api.frames(ALL)).items.find(({ type }) => type === 'GAP')!;
    expect(gap.length).toBe(1_000_000_000);
    expect((await api.frameOctets(gap.n, ALL)).octets).toHaveLength(0);
    expect((await api.frame(gap.n)).frame).toEqual(gap);
  });
});

describe('a file that is no capture', () => {
  test('rejects, says why in the status, and makes room for another', async () => {
    const { engine: api } = engine();
    await expect(api.open('/no/such/file')).rejects.toThrow('no such file: /no/such/file');
    expect(await api.status()).toMatchObject({ state: 'failed', failure: 'no such file: /no/such/file' });
    await expect(api.follow('/no/such/file')).rejects.toThrow('no such file');
    await api.open(temporaryFile(whole));
    expect((await api.status()).state).toBe('complete');
    await expect(api.open(temporaryFile(whole))).rejects.toThrow('close it first');
    await api.close();
    expect(await api.status()).toMatchObject({ state: 'idle', file: null, frames: 0, committed: null });
    await expect(api.frames(ALL)).rejects.toThrow('no capture is open');
    expect(await api.summary()).toBeNull();
    await api.open(temporaryFile(whole));
    expect((await api.status()).frames).toBe(sessionOf(whole).frameCount);
  });

  test('that is closed while it is read is given up', async () => {
    const { engine: api, events } = engine();
    const large = unaryCalls(4000).file();
    for (const octets of [large, gzipSync(large)]) {
      for (const moment of ['before the first octets', 'after them']) {
        const reading = api.open(temporaryFile(octets));
        const refused = expect(reading).rejects.toThrow('given up');
        if (moment === 'after them') await events.until(({ frames }) => frames > 0);
        await api.close();
        await refused;
        expect(await api.status()).toMatchObject({ state: 'idle', failure: null });
      }
    }
  });
});

describe('a file that grows', () => {
  test('is followed with its lag, its views and its end', async () => {
    const { engine: api, events } = engine();
    const path = temporaryFile(new Uint8Array(0));
    await api.follow(path);
    expect(await api.status()).toMatchObject({ state: 'following', read: 0, committed: 0, lag: 0 });
    const view = viewOf(await api.setFilter('status == NOT_FOUND'));

    const first = whole.length - 300;
    appendFileSync(path, whole.subarray(0, first));
    await api.committed(first);
    expect((await api.status()).lag).toBe(first);
    expect((await events.until(({ lag }) => lag === 0)).read).toBe(first);

    appendFileSync(path, whole.subarray(first));
    await api.committed(whole.length);
    await api.finish();
    const last = events.all.at(-1)!;
    expect(last).toMatchObject({ state: 'complete', read: whole.length, lag: 0 });
    expect(last.views).toMatchObject([{ view, count: 10, evaluated: last.frames }]);
    expect((await api.frames(ALL)).items).toEqual((everything(sessionOf(whole)) as { frames: unknown[] }).frames);
  });

  test('tells from which frame on something reads differently', async () => {
    const { engine: api, events } = engine();
    const octets = conversation({ delay: { toServer: 0.02, toClient: 0 } })
      .toServer(0.001, PREFACE, settings())
      .toServer(
        0.002,
        headersFrame(
          1,
          literals([
            [':method', 'POST'],
            [':path', '/'],
          ]),
        ),
      )
      .toServer(0.003, data(1, new Uint8Array(4)))
      .file();
    const path = temporaryFile(octets);
    await api.follow(path);
    // Three ACKs at the end bring the deliveries of the three chunks, in Enhanced Packet Blocks of 72 octets each.
    const block = 32 + 40;
    await api.committed(octets.length - 2 * block);
    const one = await events.until(({ lag }) => lag === 0);
    expect(one.frames).toBe(4);
    await api.committed(octets.length - block);
    expect((await events.until(({ lag }) => lag === 0)).changedFrom).toBe(3);
    await api.committed(octets.length);
    expect((await events.until(({ lag }) => lag === 0)).changedFrom).toBe(4);
    expect((await api.frames({ from: 3, count: 1 })).items[0]).toMatchObject({ t: 0.003, delivered: 0.023 });
  });

  test('that was cut behind its writer’s back fails clearly', async () => {
    const { engine: api } = engine();
    await api.follow(temporaryFile(whole.subarray(0, 1000)));
    await api.committed(5000);
    await expect(api.finish()).rejects.toThrow('ends at octet 1000, although 5000 were written');
    expect((await api.status()).state).toBe('failed');
    expect((await api.frames(ALL)).items.length).toBeGreaterThan(0);
  });

  test('is told of at most every 50 ms, and once more at the end', async () => {
    const { engine: api, events } = engine();
    const large = unaryCalls(3000).file();
    await api.follow(temporaryFile(large));
    for (let length = 0; length < large.length; length += 10_000) {
      await api.committed(length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await api.committed(large.length);
    await api.finish();
    const gaps = events.times.slice(1, -1).map((time, i) => time - events.times[i]!);
    // A timer may fire a little early by its own clock.
    for (const gap of gaps) expect(gap).toBeGreaterThan(48);
    expect(events.all.at(-1)).toMatchObject({ state: 'complete', lag: 0 });
  });
});
