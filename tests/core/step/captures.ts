import { conversation } from '../../support/conversation';
import {
  concat,
  continuation,
  data,
  goaway,
  grpcResponse,
  headersFrame,
  incremental,
  indexed,
  PREFACE,
  ping,
  pushPromise,
  rstStream,
  settings,
  settingsAck,
  sizeUpdate,
  splitHeaders,
  windowUpdate,
} from '../../support/encode';

/** A block that adds two entries of 42 and 45 octets: `x-a: value…`. */
function adds(tag: string): Uint8Array {
  return concat(
    indexed(3), // :method POST
    indexed(6), // :scheme http
    incremental(4, `/${tag}`), // :path
    incremental('x-call', tag),
  );
}

/** All kinds of frames, 10 ms each way: what is sent and what is delivered differ at nearly every frame. */
export function everything(): Uint8Array {
  const seen = new Uint8Array(8).fill(7);
  return conversation({ delay: 0.01 })
    .toServer(0.001, PREFACE, settings([[4, 20_000]]), headersFrame(1, adds('one')))
    .toClient(
      0.002,
      settings([
        [3, 2],
        [4, 30_000],
        [1, 100],
      ]),
    )
    .toServer(0.013, settingsAck(), data(1, new Uint8Array(5000), { padding: 10 }), ping(seen))
    .toClient(0.014, settingsAck(), windowUpdate(0, 5011))
    .toServer(0.02, headersFrame(3, concat(sizeUpdate(100), adds('two')), { endStream: true }))
    .toClient(0.025, ping(seen, { ack: true }), windowUpdate(1, 3000), headersFrame(1, grpcResponse()))
    .toServer(0.03, data(1, new Uint8Array(10_000)), ...splitHeaders(5, adds('three'), 4, { endStream: true }))
    .toClient(0.034, pushPromise(1, 2, adds('pushed')), data(1, new Uint8Array(20_000)), headersFrame(2, indexed(8)))
    .toServer(0.036, data(1, new Uint8Array(0), { endStream: true }), rstStream(2, 8))
    .toClient(0.04, data(2, new Uint8Array(100), { endStream: true }), data(1, new Uint8Array(50)))
    .toServer(0.045, settings([[4, 100]]), windowUpdate(1, 70_000), windowUpdate(0, 1000))
    .toClient(0.05, rstStream(3, 7), settingsAck(), goaway(5, 0))
    .toServer(0.07, data(1, new Uint8Array(5)), windowUpdate(9, 1), ping(new Uint8Array(8)))
    .toClient(0.08, data(1, new Uint8Array(1), { endStream: true }), headersFrame(5, indexed(8), { endStream: true }))
    .fin(0.1, 'toServer')
    .file();
}

/** Joined in the middle, with octets missing further on; no times of delivery. @param missing how many are */
export function middle(missing = 40): Uint8Array {
  return conversation({ handshake: false, penstock: false })
    .toServer(0, data(7, new Uint8Array(100)), windowUpdate(0, 50), settings([[4, 1000]]))
    .toClient(0.01, settingsAck(), headersFrame(7, concat(indexed(70), incremental('x-known', 'value'))))
    .toClient(0.02, data(5, new Uint8Array(30), { endStream: true }), settings([[4, 70_000]]))
    .toServer(0.03, settingsAck(), settings([[4, 3000]]), headersFrame(9, adds('nine'), { endHeaders: false }))
    .toServer(0.04, continuation(9, indexed(62)))
    .gap('toServer', missing)
    .toServer(0.05, headersFrame(11, concat(indexed(62), indexed(63))), data(11, new Uint8Array(10)))
    .toClient(0.06, windowUpdate(11, 5), rstStream(7, 2))
    .file();
}

/** Many short calls, pseudo-random but the same each time: streams come and go, tables and windows turn over. */
export function crowd(frames = 600): Uint8Array {
  let seed = 12_345;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const told = conversation({ delay: { toServer: 0.003, toClient: 0.007 } });
  told.toServer(0.001, PREFACE, settings([[1, 4096]])).toClient(0.001, settings());
  const open: number[] = [];
  let next = 1;
  for (let i = 0; i < frames; i++) {
    // No frame is sent at the very time at which another is delivered: which came first would then be the file's word alone.
    const t = 0.002 + i * 0.000713;
    const stream = open[random(open.length)];
    const kind = random(10);
    if (stream === undefined || (kind < 2 && open.length < 12)) {
      told.toServer(t, headersFrame(next, adds(`call-${next}-${'x'.repeat(random(60))}`)));
      open.push(next);
      next += 2;
    } else if (kind < 5) {
      const endStream = random(4) === 0;
      if (endStream) open.splice(open.indexOf(stream), 1);
      told.toServer(t, data(stream, new Uint8Array(random(900)), { endStream }));
    } else if (kind < 7) told.toClient(t, windowUpdate(0, 1 + random(2000)), windowUpdate(stream, 1 + random(500)));
    else if (kind < 8)
      told.toClient(t, data(stream, new Uint8Array(random(300))), ping(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, i & 255)));
    else if (kind < 9) told.toClient(t, settings([[4, 60_000 + random(5000)]]));
    else {
      open.splice(open.indexOf(stream), 1);
      told.toServer(t, settingsAck(), rstStream(stream, 8));
    }
  }
  return told.file();
}
