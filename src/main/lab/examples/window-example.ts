import { data, HeaderWriter, headers, message, PREFACE, ping, settings, settingsAck, windowUpdate } from './frames';
import { joined, Script } from './script';

/** RFC 9113 §6.9.2: both windows, as nobody has changed them. */
const WINDOW = 65_535;
const MAX_FRAME = 16_384;
const MESSAGE = 256 * 1024;

/**
 * A server sends a message of 256 KiB over a way of 10 ms each, and both windows are 64 KiB: four times it stands still
 * for want of credit. The client returns what it has read when half of a window has come together.
 */
export function windowExample(): Uint8Array {
  const script = new Script({
    delay: 10,
    comment: 'An example, played through by a script and written by Penstock: a 64 KiB window at RTT 20 ms',
  });
  const asking = new HeaderWriter();
  const answering = new HeaderWriter();
  const body = message(new Uint8Array(MESSAGE));
  let window = WINDOW;
  let sent = 0;
  let unreturned = 0;

  const read = (octets: number) => {
    unreturned += octets;
    if (unreturned < WINDOW / 2) return;
    const increment = unreturned;
    unreturned = 0;
    script.after(0.2, () =>
      script.send('client', [windowUpdate(0, increment), windowUpdate(1, increment)], () => {
        window += increment;
        write();
      }),
    );
  };
  /** The server writes a frame as soon as it may: 0.1 ms each. */
  const write = () => {
    const octets = Math.min(MAX_FRAME, window, body.length - sent);
    if (octets === 0) return;
    window -= octets;
    script.send('server', [data(1, body.subarray(sent, sent + octets))], () => read(octets));
    sent += octets;
    if (sent === body.length) {
      script.send('server', [headers(1, answering.block([['grpc-status', '0']]), true)]);
      return;
    }
    if (window > 0) script.after(0.1, write);
  };
  const answer = () => {
    const fields = answering.block([
      [':status', '200'],
      ['content-type', 'application/grpc'],
    ]);
    script.send('server', [headers(1, fields)]);
    script.after(0.5, write);
  };
  const greet = () => {
    script.send('server', [settings(), settingsAck()], () => script.send('client', [settingsAck()]));
    script.send('server', [ping(PING, true)]);
    script.after(1, answer);
  };

  script.after(0.5, () => {
    const request = asking.block([
      [':method', 'POST'],
      [':scheme', 'http'],
      [':path', '/example.Files/Download'],
      [':authority', 'files.example'],
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
    ]);
    const first = [PREFACE, settings(), ping(PING), headers(1, request), data(1, message(new Uint8Array(8)), true)];
    script.send('client', [joined(first)], greet);
  });
  return script.play();
}

const PING = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
