import type { Capture } from '../../../core/capture/capture';
import { type Round, roundsOf } from '../../../core/flow/rounds';
import { namePing } from '../../../core/grpc/pings';
import type { RoundRecord } from '../../../shared/records';
import type { Payloads } from '../payloads';
import { implementationOf } from './connections';

/** The rounds of a connection, each put into words when it is asked for. */
export class Rounds {
  private readonly names: (string | undefined)[];

  /** @param conn from 1; `rounds` are its own */
  constructor(
    private readonly capture: Capture,
    private readonly payloads: Payloads,
    private readonly conn: number,
    private readonly rounds: readonly Round[],
  ) {
    const connection = capture.connections[conn - 1];
    this.names = ([0, 1] as const).map((side) =>
      connection === undefined ? undefined : implementationOf(capture, connection, side)?.name,
    );
  }

  get count(): number {
    return this.rounds.length;
  }

  /** @param index from 0, in the order of the PINGs */
  record(index: number): RoundRecord {
    const { capture, conn } = this;
    const round = this.rounds[index]!;
    const client = round.side === capture.connections[conn - 1]!.clientSide;
    const named = namePing(this.payloads.payload(round.pingRow, 8), 0, this.names[round.side]);
    const value = (number: number) => (Number.isNaN(number) ? null : number);
    return {
      conn,
      by: client ? 'client' : 'server',
      implementation: named?.implementation ?? 'unknown',
      purpose: named?.purpose ?? 'unknown',
      ping: capture.numberOf(round.pingRow),
      ack: round.ackRow < 0 ? null : capture.numberOf(round.ackRow),
      t: round.time / 1e9,
      rtt: value(round.roundTrip / 1e9),
      ...(!capture.hasDeliveries && { lowerBound: true }),
      bytes: round.octets,
      calls: value(round.streams),
      sameChunk: round.sameChunk ?? null,
      windowBefore: value(round.windowBefore),
      windowAfter: value(round.windowAfter),
      ...(round.growthRow >= 0 && {
        growth: { frame: capture.numberOf(round.growthRow), connectionIncrement: round.connectionGrowth },
      }),
      ...(client && { sinceAnswer: round.sinceAnswer }),
    };
  }
}

/** The rounds of all connections, connection by connection. */
export function* roundRecords(capture: Capture, payloads: Payloads): Iterable<RoundRecord> {
  for (const [conn, found] of [...roundsOf(capture)].sort(([a], [b]) => a - b)) {
    const rounds = new Rounds(capture, payloads, conn, found);
    for (let i = 0; i < rounds.count; i++) yield rounds.record(i);
  }
}
