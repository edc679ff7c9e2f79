import { describe, expect, test } from 'vitest';
import { Steps } from '../../../src/main/session/steps';
import { crowd, everything } from '../../core/step/captures';
import { sessionOf } from '../../core/step/steps';

describe('steps through a session', () => {
  test('the state at a frame, and where moves from it lead', async () => {
    const steps = new Steps(sessionOf(everything()));
    const state = await steps.step(22);
    expect(state).toMatchObject({ position: 22, count: 38, frame: { n: 22, type: 'DATA' } });
    expect(await steps.move(22, 'frame', 1)).toBe(23);
    expect(await steps.move(22, 'chunk', -1)).toBe(20);
    expect(await steps.move(22, 'call', -1)).toBe(15);
    // Frame 22 leaves stream 1's window at 0; frame 25 is RST_STREAM.
    expect(await steps.move(21, 'interesting', 1)).toBe(22);
    expect(await steps.move(22, 'interesting', 1)).toBe(25);
    expect(await steps.move(38, 'frame', 1)).toBeNull();
    expect(await steps.move(1, 'frame', -1)).toBeNull();
  });

  test('many at once get each its own', async () => {
    const session = sessionOf(crowd(3000));
    const steps = new Steps(session);
    const wanted = [3000, 5, 2000, 2999, 1, 1500];
    const states = await Promise.all(wanted.map((n) => steps.step(n)));
    expect(states.map(({ frame }) => frame.n)).toEqual(wanted);
  });

  test('a frame that is not there is refused, and the next step goes on', async () => {
    const steps = new Steps(sessionOf(everything()));
    await expect(steps.step(39)).rejects.toThrow('there is no frame 39');
    await expect(steps.move(0, 'frame', 1)).rejects.toThrow('there is no frame 0');
    expect((await steps.step(1)).frame.type).toBe('PREFACE');
  });
});
