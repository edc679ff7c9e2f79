import type { FrameRecord } from '../../shared/records';
import { formatDuration, formatSize } from '../../shared/units';
import { grouped, visible } from '../session/text';
import type { HostPort } from '../tap/messages';
import type { Context } from './context';
import { FrameTable } from './frame-table';
import type { LiveSummary } from './live';
import { shellWord } from './session-file';

export interface Listening {
  host: string;
  port: number;
  file: string;
  upstream: string;
}

/** What a capture in progress prints: lines for people, or JSON Lines. Batches are written before more is asked for. */
export interface LiveOutput {
  listening(listening: Listening): Promise<void>;
  frames(frames: FrameRecord[]): Promise<void>;
  summary(summary: LiveSummary, seconds: number): Promise<void>;
}

export function jsonOutput({ out }: Context): LiveOutput {
  const print = async (values: object[]) => {
    await out.lines(values.map((value) => JSON.stringify(value)));
    await out.flush();
  };
  return {
    listening: (listening) => print([{ event: 'listening', ...listening }]),
    frames: print,
    summary: ({ tap, engine, statuses }, seconds) =>
      print([
        {
          event: 'summary',
          file: tap.file,
          length: tap.length,
          packets: tap.packets,
          connections: tap.connections,
          bytes: tap.octets,
          duration: seconds,
          ended: tap.ended ?? null,
          frames: engine?.frames ?? null,
          calls: engine?.calls ?? null,
          messages: engine?.messages ?? null,
          faults: engine?.faults ?? null,
          statuses: Object.fromEntries(statuses),
        },
      ]),
  };
}

export function humanOutput(context: Context): LiveOutput {
  const { out, style } = context;
  const table = new FrameTable(style, context.width);
  let started = false;
  return {
    async listening({ host, port, file, upstream }) {
      context.note(`listening on ${addressText({ host, port })}, forwarding to ${upstream}, writing ${visible(file)}`);
    },
    async frames(frames) {
      if (!started) await out.line(table.header());
      started = true;
      await out.lines(frames.map((frame) => table.row(frame)));
      await out.flush();
    },
    async summary(summary, seconds) {
      if (started) await out.line('');
      await out.lines(summaryLines(summary, seconds));
      await out.flush();
    },
  };
}

function summaryLines({ tap, engine, statuses }: LiveSummary, seconds: number): string[] {
  const count = (number: number, what: string) => `${grouped(number)} ${what}${number === 1 ? '' : 's'}`;
  const { toServer, toClient } = tap.octets;
  const lines = [
    `${formatDuration(seconds)}, ${count(tap.connections, 'connection')}: ${formatSize(toServer)} to the server, ${formatSize(toClient)} to the client`,
  ];
  if (engine !== undefined) {
    const ends = [...statuses].map(([name, number]) => `${grouped(number)} ${name}`).join(', ');
    const faults = engine.faults === 0 ? 'no faults' : count(engine.faults, 'fault');
    const callWords = `${count(engine.calls, 'call')}${ends === '' ? '' : ` (${ends})`}`;
    lines.push(`${count(engine.frames, 'frame')}, ${callWords}, ${count(engine.messages, 'message')}, ${faults}`);
  }
  lines.push(`${visible(tap.file)}: ${formatSize(tap.length)}, ${count(tap.packets, 'packet')}`);
  return lines;
}

/** What to do with a file of Penstock's. */
export function nextSteps(program: string, file: string, { port }: HostPort): string[] {
  const name = visible(shellWord(file));
  return [
    `${program} frames ${name} --filter 'type == HEADERS'`,
    `${program} calls ${name}`,
    `wireshark -d tcp.port==${port},http2 ${name}`,
  ];
}

export function addressText({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
