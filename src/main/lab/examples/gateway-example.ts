import { Setting } from '../../../shared/names';
import { data, HeaderWriter, headers, message, PREFACE, settings, settingsAck } from './frames';
import { Script } from './script';

const CALLS = 12;
/** Streams that the server allows at first, and from its sixth answer on. */
const LIMIT = 3;
const RAISED = 6;
/** Milliseconds that the server takes for a call. */
const WORK = 30;

/**
 * A gateway has twelve calls to hand on at once over one connection, and the server allows three streams: the calls go
 * in waves, each as soon as an answer has ended. After six answers the server allows six, and the rest go together.
 * That calls wait at the gateway does not show on this wire: only that it opens streams when others end.
 */
export function gatewayExample(): Uint8Array {
  const script = new Script({
    delay: 5,
    comment: 'An example, played through by a script and written by Penstock: streams at a gateway',
  });
  const asking = new HeaderWriter();
  const answering = new HeaderWriter();
  let allowed = 0;
  let open = 0;
  let begun = 0;
  let answered = 0;
  let handing = false;

  /** The gateway opens as many streams as it may, one every 0.2 ms. */
  const hand = () => {
    if (handing || open >= allowed || begun === CALLS) return;
    handing = true;
    const stream = begun * 2 + 1;
    const call = ++begun;
    open++;
    const fields = asking.block([
      [':method', 'POST'],
      [':scheme', 'http'],
      [':path', '/example.Orders/Place'],
      [':authority', 'orders.example'],
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ['x-order', String(1000 + call)],
    ]);
    const frames = [headers(stream, fields), data(stream, message(new Uint8Array(40)), true)];
    script.send('client', frames, () => script.after(WORK, () => answer(stream)));
    script.after(0.2, () => {
      handing = false;
      hand();
    });
  };
  const answer = (stream: number) => {
    const first = answering.block([
      [':status', '200'],
      ['content-type', 'application/grpc'],
    ]);
    const last = answering.block([['grpc-status', '0']]);
    const frames = [headers(stream, first), data(stream, message(new Uint8Array(12))), headers(stream, last, true)];
    script.send('server', frames, () => {
      open--;
      hand();
    });
    if (++answered === CALLS / 2) allow(RAISED);
  };
  const allow = (limit: number, ...also: Uint8Array[]) => {
    script.send('server', [settings([Setting.MAX_CONCURRENT_STREAMS, limit]), ...also], () => {
      allowed = limit;
      script.send('client', [settingsAck()]);
      hand();
    });
  };

  script.after(0.5, () => {
    script.send('client', [PREFACE, settings()], () => allow(LIMIT, settingsAck()));
  });
  return script.play();
}
