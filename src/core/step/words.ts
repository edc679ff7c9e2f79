import { errorCodeName } from '../../shared/names';
import { formatDuration } from '../../shared/units';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import type { Side } from '../tcp/types';
import type { StepNote } from './notes';

/** What a step does in words, a sentence each. */
export function stepWords(capture: Capture, connection: Connection, notes: readonly StepNote[]): string[] {
  return notes.map((note) => sentence(note, (side) => (side === connection.clientSide ? 'client' : 'server'), capture));
}

function sentence(note: StepNote, who: (side: Side) => string, capture: Capture): string {
  const frame = (row: number) => `frame ${grouped(capture.numberOf(row))}`;
  switch (note.kind) {
    case 'opens':
      return `Opens stream ${note.stream}.`;
    case 'reserves':
      return `Reserves stream ${note.stream} for a push.`;
    case 'unseen':
      return `Stream ${note.stream} was opened unseen, and is taken as open from here on.`;
    case 'ends':
      return note.state === 'closed'
        ? `Ends the ${who(note.side)}'s half of stream ${note.stream}: it is closed.`
        : `Ends the ${who(note.side)}'s half of stream ${note.stream}: it is ${note.state}.`;
    case 'resets':
      return `Closes stream ${note.stream} at once: ${errorCodeName(note.code)}.`;
    case 'no-stream':
      return `Stream ${note.stream} is ${note.state}: nothing changes on it.`;
    case 'spends':
      return spends(note, who);
    case 'grants': {
      const arrives = Number.isNaN(note.delivered)
        ? 'and was not delivered'
        : `which has it at ${(note.delivered / 1e9).toFixed(6)} s`;
      return `Grants ${octets(note.octets)} on ${whose(note.stream)} to the ${who(note.to)}, ${arrives}.`;
    }
    case 'credited': {
      const size = `${grouped(note.before)} → ${grouped(note.window)}`;
      return `The ${who(note.side)} gets ${octets(note.octets)} of credit from ${frame(note.row)}: ${whose(note.stream)} ${size}.`;
    }
    case 'credit-unused':
      return `The credit of ${frame(note.row)} comes to nothing: the ${who(note.side)} has no use for ${octets(note.octets)} on stream ${note.stream}.`;
    case 'shifts': {
      const shift = `${note.change > 0 ? '+' : '−'}${grouped(Math.abs(note.change))}`;
      const many = note.streams === 1 ? 'the open stream' : `all ${grouped(note.streams)} open streams`;
      const all = note.streams === 0 ? 'no stream is open yet' : `${shift} on ${many}`;
      return `The ${who(note.side)} learns of an initial window of ${octets(note.initial)}: ${all}.`;
    }
    case 'settings':
      return note.count === 0
        ? `The ${who(note.side)}'s settings: nothing but the initial values.`
        : `${grouped(note.count)} ${note.count === 1 ? 'setting' : 'settings'} of the ${who(note.side)}, pending until acknowledged.`;
    case 'settings-acknowledged':
      return `Acknowledges the settings of ${frame(note.row)}: they are in force.`;
    case 'settings-ack-unasked':
      return 'Acknowledges settings that were not seen.';
    case 'ping':
      return `The ${who(note.side)} waits for an answer from here on.`;
    case 'pong':
      return `Answers the ping of ${frame(note.row)}, sent ${formatDuration(note.time / 1e9)} before.`;
    case 'pong-unasked':
      return 'Answers a ping that was not seen.';
    case 'goaway':
      return `The ${who(note.side)} takes no new streams: those above ${note.last} are not processed (${errorCodeName(note.code)}).`;
    case 'block-goes-on':
      return `The header block of stream ${note.stream} goes on in CONTINUATION.`;
    case 'table':
      return table(note, who);
    case 'table-lost':
      return `What the ${who(note.side)}'s header table holds is not known from here on.`;
    case 'lost':
      return `Octets of the ${who(note.side)} are missing before this: what they said is not known.`;
    case 'delivered': {
      const frames = note.frames === 1 ? '1 frame' : `${grouped(note.frames)} frames`;
      const to = who((note.side ^ 1) as Side);
      return `${frames} (${octets(note.octets)}) ${note.frames === 1 ? 'has' : 'have'} reached the ${to}.`;
    }
    default: {
      const never: never = note;
      return never;
    }
  }
}

function spends(note: Extract<StepNote, { kind: 'spends' }>, who: (side: Side) => string): string {
  const { stream, window, connection } = note;
  const ofStream = window === undefined ? '' : `, ${left(window)} of stream ${stream}'s`;
  return `Spends ${octets(note.octets)} of what the ${who(note.side)} may send: ${left(connection)} of the connection's window left${ofStream}.`;
}

function table(note: Extract<StepNote, { kind: 'table' }>, who: (side: Side) => string): string {
  const parts: string[] = [];
  if (note.resized !== undefined) parts.push(`its size is limited to ${octets(note.resized)}`);
  if (note.added > 0) parts.push(`${entries(note.added)} added`);
  if (note.evicted > 0) parts.push(`${entries(note.evicted)} evicted`);
  return `The ${who(note.side)}'s header table: ${parts.join(', ')}; it holds ${octets(note.size)}.`;
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${grouped(count)} entries`;
}

function left(window: number): string {
  return window < 0 ? `−${grouped(-window)}` : grouped(window);
}

function whose(stream: number): string {
  return stream === 0 ? "the connection's window" : `stream ${stream}'s window`;
}

function octets(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'octet' : 'octets'}`;
}

/** 16384 → `16,384`. */
function grouped(value: number): string {
  return (value < 0 ? '−' : '') + String(Math.abs(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
