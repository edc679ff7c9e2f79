import { connect, type Socket } from 'node:net';
import type { Side } from '../../core/tcp/types';
import { bareHost, hostPortText } from './addresses';
import { now } from './clock';
import { DelayLine, type LineOutlet, type LineSettings } from './delay-line';
import { codeOf, explain } from './errors';
import { keepReadingAfterWriteErrors } from './lenient-writes';
import { lookupUpstream } from './lookup';
import type { HostPort, TapNotice, TapSettings } from './messages';
import type { Recorder } from './recorder';
import { resetSocket } from './reset-socket';
import type { Scheduler } from './scheduler';
import { Track } from './track';

/** How long one address of a name may take before the next is tried as well (RFC 8305 §5 suggests 250 ms). */
const ATTEMPT_TIME = 250;

/**
 * Between a peer's last octets and its reset (ms). A program on libuv (Node among them) that finds both at once takes
 * the reset for an end: on POLLHUP it reports EOF after a partial read. So the octets get a head start.
 */
const RESET_PAUSE = 5;

/** What all connections of a tap share. */
export interface ConnectionContext {
  readonly interfaceId: number;
  readonly upstream: HostPort;
  readonly settings: TapSettings;
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  /** Octets that arrived, by sending side. */
  readonly octets: [number, number];
  /** By side; for tests. */
  initialSequence(): [number, number];
  lateness(milliseconds: number): void;
  notice(notice: TapNotice): void;
  /** Both sockets are closed. */
  closed(connection: Connection): void;
}

/** What is known of one side's socket. */
interface Peer {
  socket: Socket;
  /** What this side sends, on its way to the other. */
  line: DelayLine;
  /** Its FIN was read. */
  ended: boolean;
  /** A write to it failed: it is gone, though octets of its may be left to read. */
  deaf: boolean;
  /** It was reset or closed: nothing comes from it and nothing goes to it. */
  gone: boolean;
  /** Its line is full. */
  held: boolean;
  /** The other side's FIN was passed on to it. */
  endDelivered: boolean;
  /** When it was last given octets. */
  deliveredAt: number;
}

/**
 * One accepted client (side 0) and its connection to the upstream (side 1). Each side's octets, its end and its reset
 * go through a delay line to the other; the kernel's handshake, accepting at once, can't be delayed.
 */
export class Connection {
  readonly #peers: [Peer, Peer];
  readonly #track: Track;
  #connected = false;
  #pressed = false;
  #open = 2;

  /** `client` must have its addresses, that is, not have vanished before it was accepted. */
  constructor(
    client: Socket,
    private readonly context: ConnectionContext,
  ) {
    const time = now();
    const from = { address: client.remoteAddress!, port: client.remotePort! };
    const to = { address: client.localAddress!, port: client.localPort! };
    this.#track = new Track(context.recorder, context.interfaceId, from, to, time, context.initialSequence());
    const { host, port } = context.upstream;
    const server = connect({
      host: bareHost(host),
      port,
      allowHalfOpen: true,
      noDelay: true,
      // A name may stand for several addresses of which only one listens (localhost: 127.0.0.1 and ::1).
      lookup: lookupUpstream,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIME,
    });
    server.once('connect', () => {
      this.#connected = true;
    });
    this.#peers = [this.#peer(0, client), this.#peer(1, server)];
    const { delayConnect, delayToServer, delayToClient } = context.settings;
    if (delayConnect) {
      // A client behind the path could speak a round trip after its SYN, a server when it has the ACK of its SYN-ACK.
      const roundTrip = delayToServer + delayToClient;
      this.#peers[0].line.holdUntil = time + roundTrip;
      this.#peers[1].line.holdUntil = time + roundTrip + delayToServer;
    }
  }

  /** Octets in the two delay lines. */
  get held(): { notDue: number; notTaken: number } {
    const [a, b] = [this.#peers[0].line.held, this.#peers[1].line.held];
    return { notDue: a.notDue + b.notDue, notTaken: a.notTaken + b.notTaken };
  }

  /** The tap's settings have changed. */
  configure(): void {
    for (const side of SIDES) this.#peers[side].line.configure(lineSettings(this.context.settings, side));
  }

  /** Stops reading while the disk can't keep up. */
  press(pressed: boolean): void {
    this.#pressed = pressed;
    for (const side of SIDES) this.#applyPause(side);
  }

  /** Ends both sides by a reset, at once: the tap is stopping. */
  stop(): void {
    const over = this.#peers.every((peer) => peer.gone || peer.endDelivered);
    if (!over)
      this.#track.reset(1, now(), JSON.stringify({ kind: 'mark', code: 'stopped', message: 'the tap was stopped' }));
    for (const side of SIDES) {
      this.#peers[side].gone = true;
      this.#peers[side].line.close();
      resetSocket(this.#peers[side].socket);
    }
  }

  #peer(side: Side, socket: Socket): Peer {
    const line = new DelayLine(
      this.context.scheduler,
      this.#outlet(side),
      this.context.lateness,
      lineSettings(this.context.settings, side),
    );
    keepReadingAfterWriteErrors(socket, (error) => this.#writeFailed(side, error));
    socket.on('data', (chunk: Buffer) => this.#arrived(side, chunk));
    socket.on('end', () => this.#ended(side));
    socket.on('error', (error) => this.#failed(side, error));
    socket.on('close', () => this.#closed(side));
    return { socket, line, ended: false, deaf: false, gone: false, held: false, endDelivered: false, deliveredAt: 0 };
  }

  /** Where the octets of `side` come out: at the other side. */
  #outlet(side: Side): LineOutlet {
    const other = otherSide(side);
    return {
      write: (octets, taken) => {
        this.#peers[other].socket.write(octets, taken);
      },
      delivered: (octets) => {
        const peer = this.#peers[other];
        if (peer.deaf || peer.gone) return;
        peer.deliveredAt = now();
        this.#track.delivered(side, octets, peer.deliveredAt);
      },
      end: () => {
        const { socket } = this.#peers[other];
        socket.once('finish', () => {
          const peer = this.#peers[other];
          if (peer.deaf || peer.gone) return;
          peer.endDelivered = true;
          this.#track.finDelivered(side, now());
        });
        socket.end();
      },
      reset: () => {
        const peer = this.#peers[other];
        peer.gone = true;
        peer.line.close();
        if (now() - peer.deliveredAt < RESET_PAUSE) setTimeout(() => resetSocket(peer.socket), RESET_PAUSE);
        else resetSocket(peer.socket);
      },
      hold: (held) => {
        this.#peers[side].held = held;
        this.#applyPause(side);
      },
    };
  }

  #arrived(side: Side, chunk: Uint8Array): void {
    const peer = this.#peers[side];
    if (peer.gone) return;
    const time = now();
    this.context.octets[side] += chunk.length;
    this.#track.data(side, chunk, time);
    peer.line.push(chunk, time);
  }

  /**
   * libuv reports a reset that it finds together with the last octets as an end (see RESET_PAUSE). A write tells: on
   * a reset socket it fails, even one of no octets, which sends nothing otherwise.
   */
  #ended(side: Side): void {
    const { socket, gone } = this.#peers[side];
    if (gone) return;
    if (socket.writableLength > 0) {
      // A write is under way; where it must fail, it does so before this turn of the loop is over.
      setImmediate(() => this.#reallyEnded(side));
      return;
    }
    if (!socket.writableEnded) socket.write(NOTHING);
    this.#reallyEnded(side);
  }

  #reallyEnded(side: Side): void {
    const peer = this.#peers[side];
    if (peer.gone) return;
    if (peer.deaf) {
      // The failed write has taken the kernel's ECONNRESET; what is left to read ends like a FIN, but is none.
      this.#reset(side);
      return;
    }
    const time = now();
    peer.ended = true;
    this.#track.fin(side, time);
    peer.line.end(time);
  }

  #writeFailed(side: Side, error: Error): void {
    const peer = this.#peers[side];
    if (peer.deaf || peer.gone || (side === 1 && !this.#connected)) return;
    peer.deaf = true;
    this.#peers[otherSide(side)].line.close();
    // Its FIN was read before: no read will bring the reset.
    if (peer.ended) this.#failed(side, error);
  }

  #failed(side: Side, error: Error): void {
    if (this.#peers[side].gone) return;
    if (side === 1) this.#tellUpstreamFailure(error);
    this.#reset(side);
  }

  /** `side` reset the connection, or can't be reached any more, which the other side sees in the same way. */
  #reset(side: Side): void {
    const peer = this.#peers[side];
    const time = now();
    peer.gone = true;
    this.#track.reset(side, time);
    this.#peers[otherSide(side)].line.close();
    peer.line.reset(time);
    peer.socket.destroy();
  }

  #closed(side: Side): void {
    this.#peers[side].gone = true;
    this.#peers[otherSide(side)].line.close();
    this.#open -= 1;
    if (this.#open === 0) this.context.closed(this);
  }

  #applyPause(side: Side): void {
    const { socket, held, gone } = this.#peers[side];
    if (gone) return;
    if (held || this.#pressed) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  #tellUpstreamFailure(error: Error): void {
    const upstream = hostPortText(this.context.upstream);
    if (!this.#connected) {
      const message = `cannot connect to the upstream ${upstream}: ${explain(error)}`;
      this.context.notice({ severity: 'error', code: 'upstream-refused', message });
    } else if (codeOf(error) !== 'ECONNRESET') {
      const message = `the upstream ${upstream} was lost: ${explain(error)}`;
      this.context.notice({ severity: 'warning', code: 'upstream-lost', message });
    }
  }
}

const SIDES = [0, 1] as const;

const NOTHING = new Uint8Array(0);

function otherSide(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** The settings for what `side` sends. */
function lineSettings(settings: TapSettings, side: Side): LineSettings {
  return side === 0
    ? { delay: settings.delayToServer, rate: settings.rateToServer }
    : { delay: settings.delayToClient, rate: settings.rateToClient };
}
