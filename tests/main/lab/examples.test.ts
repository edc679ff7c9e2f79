import { describe, expect, test } from 'vitest';
import { gatewayExample } from '../../../src/main/lab/examples/gateway-example';
import { windowExample } from '../../../src/main/lab/examples/window-example';
import { EXAMPLES } from '../../../src/shared/examples';
import { at, sessionOf } from '../../core/step/steps';

describe.each([
  ['window', windowExample()],
  ['gateway', gatewayExample()],
] as const)('the example of a %s', (name, file) => {
  const session = sessionOf(file);

  test('is a capture without faults, with times of delivery', () => {
    const { capture } = session;
    expect(capture.frames.faultCount).toBe(0);
    expect(capture.troubles).toEqual([]);
    expect(capture.hasDeliveries).toBe(true);
    expect(capture.connections.map(({ protocol, joined }) => [protocol, joined])).toEqual([['h2', 'start']]);
    expect(capture.connections[0]!.closed).toBeDefined();
  });

  test('is the same each time', () => {
    const again = name === 'window' ? windowExample() : gatewayExample();
    expect(Buffer.compare(again, file)).toBe(0);
  });

  test('says of itself that it is one', () => {
    expect(session.capture.interfaces[0]!.comment).toMatch(/^An example, played through by a script/);
  });

  test('has a guide in order, to frames that are there', () => {
    const stops = EXAMPLES[name].guide.map(({ n }) => n);
    expect(stops).toEqual([...stops].sort((a, b) => a - b));
    expect(stops[stops.length - 1]).toBeLessThanOrEqual(session.frameCount);
  });
});

describe('the guide to the window tells what is there', () => {
  const session = sessionOf(windowExample());
  const windows = (n: number) => {
    const { windows, streams } = at(session, n);
    return [windows.toClient.window, streams[0]?.windows.toClient];
  };
  const time = (n: number) => at(session, n).frame.t;

  test('stop by stop', () => {
    expect(at(session, 4).words[0]).toBe('Opens stream 1.');
    expect(windows(4)).toEqual([65_535, 65_535]);
    expect(at(session, 8).words).toEqual(['Answers the ping of frame 3, sent 10 ms before.']);
    expect(windows(13)).toEqual([0, 0]);
    expect(time(13) - time(10)).toBeCloseTo(0.0003, 9);
    expect(at(session, 15).words[0]).toMatch(/^Grants 32,768 octets on the connection's window/);
    expect(windows(15)).toEqual([0, 0]);
    expect(time(17) - time(13)).toBeCloseTo(0.02, 9);
    expect(time(39) - time(10)).toBeCloseTo(0.1213, 9);
  });

  test('seven bursts of DATA', () => {
    const sent = Array.from({ length: session.frameCount }, (_, i) => session.frame(i + 1))
      .filter(({ type, dir }) => type === 'DATA' && dir === 'toClient')
      .map(({ t }) => t);
    expect(sent.filter((t, i) => i === 0 || t - sent[i - 1]! > 0.005)).toHaveLength(7);
  });
});

describe('the guide to the gateway tells what is there', () => {
  const session = sessionOf(gatewayExample());

  test('stop by stop', () => {
    expect(at(session, 3).settings.server.pending[0]?.settings).toMatchObject([{ id: 3, value: 3 }]);
    expect(at(session, 10)).toMatchObject({ streamCount: 3, stream: { stream: 5, before: 'idle' } });
    expect(at(session, 14).stream).toMatchObject({ stream: 1, after: 'closed' });
    expect(at(session, 21).stream).toMatchObject({ stream: 7, before: 'idle' });
    expect(at(session, 21).frame.t - at(session, 6).frame.t).toBeCloseTo(0.04, 9);
    expect(at(session, 36).settings.server.pending[0]?.settings).toMatchObject([{ id: 3, value: 6 }]);
    expect(at(session, 48)).toMatchObject({ streamCount: 6, stream: { stream: 23, before: 'idle' } });
  });

  test('never more streams than the limit in force', () => {
    for (let n = 1; n <= session.frameCount; n++) {
      const { streamCount, settings } = at(session, n);
      const limit = settings.server.inForce.find(({ id }) => id === 3)?.value ?? 0;
      expect(streamCount, `at frame ${n}`).toBeLessThanOrEqual(limit);
    }
  });
});
