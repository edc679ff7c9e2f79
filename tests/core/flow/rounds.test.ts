/** PINGs, their answers and what came between. The tap delays by 10 ms each way: a chunk sent at t is there at t + 0.01. */
import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/core/capture/capture';
import { type Round, roundsOf } from '../../../src/core/flow/rounds';
import { type Conversation, conversation } from '../../support/conversation';
import {
  data,
  grpcRequest,
  grpcResponse,
  headersFrame,
  hex,
  PREFACE,
  ping,
  settings,
  settingsAck,
  windowUpdate,
} from '../../support/encode';

const BDP = hex('02041010090e0707');
const INITIAL_WINDOW_SIZE = 4;
const octets = (count: number) => new Uint8Array(count);

function opened(options = {}): Conversation {
  return conversation({ delay: 0.01, ...options })
    .toServer(0.001, PREFACE, settings())
    .toClient(0.002, settings(), settingsAck())
    .toServer(0.013, settingsAck(), headersFrame(1, grpcRequest('/a.B/C')), headersFrame(3, grpcRequest('/a.B/D')))
    .toClient(0.024, headersFrame(1, grpcResponse()), headersFrame(3, grpcResponse()));
}

function read(talk: Conversation): readonly Round[] {
  const capture = new Capture();
  capture.push(talk.file());
  capture.end();
  return roundsOf(capture, 1).get(1)!;
}

const milliseconds = (time: number) => Math.round(time / 1e4) / 100;

describe('a round', () => {
  /** The PING answers the first DATA; two more come before its answer, one after it. */
  const download = (options = {}) =>
    opened(options)
      .toClient(0.1, data(1, octets(1000))) // with the client at 0.110
      .toServer(0.1101, windowUpdate(0, 11), ping(BDP))
      .toClient(0.112, data(1, octets(2000)))
      .toClient(0.118, data(3, octets(3000)))
      .toClient(0.1202, ping(BDP, { ack: true })) // with the client at 0.1302
      .toClient(0.125, data(1, octets(4000)));

  it('takes from the PING to the delivery of its answer, and samples the DATA before it and until then', () => {
    const [round] = read(download());
    // 130.2 - 110.1 = 20.1 ms; 1,000 + 2,000 + 3,000 octets on streams 1 and 3.
    expect(milliseconds(round!.roundTrip)).toBe(20.1);
    expect(round).toMatchObject({ octets: 6000, streams: 2, sameChunk: 'WINDOW_UPDATE', sinceAnswer: 1 });
  });

  it('is known beyond the capture point only where the file tells no deliveries', () => {
    const [round] = read(download({ penstock: false }));
    expect(milliseconds(round!.roundTrip)).toBe(10.1); // 120.2 - 110.1
  });

  it('samples from the first DATA after the answer before, when the PING followed it at once', () => {
    const talk = download()
      // With the client at 0.14 and 0.1405: it had sent its next PING for the first of them, with 4,000 from 0.135.
      .toClient(0.1305, data(1, octets(500)))
      .toServer(0.1402, ping(BDP))
      .toClient(0.1503, ping(BDP, { ack: true })); // with the client at 0.1603
    // 20.1 ms; 4,000 at the client at 0.135, 5.2 ms before the PING, and 500.
    expect(read(talk)[1]).toMatchObject({ octets: 4500 });
  });

  it('samples from the last DATA before the PING, when the answer before was longer ago', () => {
    const talk = download()
      .toClient(0.5, data(1, octets(700))) // with the client at 0.51
      .toServer(0.5101, ping(octets(8)))
      .toClient(0.5202, ping(octets(8), { ack: true }));
    // 4,000 came at 0.135, 375 ms before the PING.
    expect(read(talk)[1]).toMatchObject({ octets: 700 });
  });

  it('of a WINDOW_UPDATE and a PING in two chunks has no companion; nor has a bare PING', () => {
    const apart = opened().toServer(0.1, windowUpdate(0, 11)).toServer(0.1001, ping(BDP));
    expect(read(apart).map(({ sameChunk }) => sameChunk)).toEqual([undefined]);
    expect(read(opened().toServer(0.1, ping(BDP))).map(({ sameChunk }) => sameChunk)).toEqual([undefined]);
  });

  it('without an answer has no round trip', () => {
    const [round] = read(opened().toServer(0.1, ping(BDP)));
    expect(round).toMatchObject({ ackRow: -1, octets: 0 });
    expect(round!.roundTrip).toBeNaN();
  });
});

describe('growth', () => {
  it('is what the PING sender says before its next PING, the WINDOW_UPDATE beside it included', () => {
    const talk = opened()
      .toServer(0.1, ping(BDP))
      .toClient(0.111, ping(BDP, { ack: true }))
      // grpc-go: 2 × 60,000 sampled, as SETTINGS and for the connection.
      .toServer(0.122, windowUpdate(0, 120_000 - 65_535), settings([[INITIAL_WINDOW_SIZE, 120_000]]))
      .toServer(0.2, ping(BDP))
      .toClient(0.211, ping(BDP, { ack: true }))
      .toServer(0.3, ping(BDP));
    const windows = read(talk).map(({ windowBefore, windowAfter, connectionGrowth }) => ({
      windowBefore,
      windowAfter,
      connectionGrowth,
    }));
    expect(windows).toEqual([
      { windowBefore: 65_535, windowAfter: 120_000, connectionGrowth: 54_465 },
      { windowBefore: 120_000, windowAfter: 120_000, connectionGrowth: 0 },
      { windowBefore: 120_000, windowAfter: 120_000, connectionGrowth: 0 },
    ]);
  });

  it('of one side is not that of the other', () => {
    const talk = opened()
      .toServer(0.1, ping(BDP))
      .toClient(0.12, settings([[INITIAL_WINDOW_SIZE, 1_000_000]]));
    expect(read(talk)).toMatchObject([{ windowBefore: 65_535, windowAfter: 65_535, growthRow: -1 }]);
  });
});

describe("a client's PINGs", () => {
  it("are counted from the server's last HEADERS or DATA on; a server's are not", () => {
    const talk = opened()
      .toServer(0.1, ping(octets(8)))
      .toServer(0.2, ping(octets(8)))
      .toClient(0.3, ping(BDP))
      .toServer(0.4, ping(octets(8)))
      .toClient(0.5, data(1, octets(1)))
      .toServer(0.6, ping(octets(8)));
    expect(read(talk).map(({ sinceAnswer }) => sinceAnswer)).toEqual([1, 2, 0, 3, 1]);
  });
});
