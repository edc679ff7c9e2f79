import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FlowIndex } from '../../../src/core/flow/flow-index';
import { corpusPath } from '../../support/corpus';
import { sessionOf, stateAt, stepperOf } from './steps';

const folder = corpusPath('captures');

/** Frames of one connection that are stepped through; the rest of a long one tells nothing new. */
const MOST = 400;

describe.skipIf(folder === undefined)('captures of others', () => {
  const files =
    folder === undefined
      ? []
      : readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.pcap(ng)?$/.test(name))
          .sort();

  test.each(files)('%s: back is as forward, and ends with the tables and windows that decoding left', (name) => {
    const session = sessionOf(readFileSync(join(folder!, name)));
    const { capture } = session;
    for (const connection of capture.connections) {
      const { id } = connection;
      const forward = stepperOf(session, id, Number.POSITIVE_INFINITY);
      const stepper = stepperOf(session, id, 7);
      const count = Math.min(MOST, stepper.count);
      const states = Array.from({ length: count }, (_, i) => JSON.stringify(stateAt(session, forward, i, id)));
      for (let i = count - 1; i >= 0; i--) {
        expect(JSON.stringify(stateAt(session, stepper, i, id)), `connection ${id}, step ${i + 1}`).toBe(states[i]);
      }
      const { http2 } = capture.decoder(connection);
      if (http2 === undefined) continue;
      stepper.seek(stepper.count - 1);
      const { samples } = new FlowIndex(capture, 'sender').connection(id);
      for (const side of [0, 1] as const) {
        const table = stepper.state.tables[side];
        const fields = Array.from({ length: table.count }, (_, i) => table.entry(i));
        expect({ fields, size: table.size, maxSize: table.maxSize }).toEqual(http2.hpack(side).table());
        let last: number | undefined;
        for (let i = 0; i < samples.count; i++) {
          if (samples.stream.get(i) === 0 && samples.side.get(i) === side) last = samples.window.get(i);
        }
        if (last !== undefined) expect(stepper.state.window[side]).toBe(last);
      }
    }
  });
});
