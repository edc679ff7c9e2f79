import type { Capture } from '../../../core/capture/capture';
import { RowBit } from '../../../core/capture/frames';
import { samplesOfRow } from '../../../core/flow/samples-of-row';
import type { WindowTracker } from '../../../core/flow/window-tracker';
import { namePing } from '../../../core/grpc/pings';
import type { Side } from '../../../core/tcp/types';
import { errorCodeName, Flag, FrameType } from '../../../shared/names';
import type { Payloads } from '../payloads';
import { implementationOf } from '../records/connections';
import { senderTime } from '../records/sender-time';
import { grouped, milliseconds, octetsInWords } from '../text';

/** What a frame means for the connection, a sentence each. */
export function frameWords(capture: Capture, payloads: Payloads, row: number, windows: WindowTracker): string[] {
  const { frames } = capture;
  if (frames.isNonFrame(row)) return [];
  switch (frames.type.get(row)) {
    case FrameType.DATA:
      return windowWords(capture, row, windows);
    case FrameType.WINDOW_UPDATE:
      return [...windowUpdateWords(capture, row), ...windowWords(capture, row, windows), ...pingBeside(capture, row)];
    case FrameType.PING:
      return pingWords(capture, payloads, row);
    case FrameType.SETTINGS:
      return [...settingsWords(capture, row), ...windowWords(capture, row, windows)];
    case FrameType.RST_STREAM:
      return [`Ends stream ${frames.stream.get(row)} at once: ${errorCodeName(frames.aux.get(row))}.`];
    default:
      return [];
  }
}

function windowUpdateWords({ frames }: Capture, row: number): string[] {
  const stream = frames.stream.get(row);
  const whose = stream === 0 ? "the connection's window" : `stream ${stream}'s window`;
  return [`Gives back ${octetsInWords(frames.aux.get(row))} of ${whose}.`];
}

/** Each window that the frame changed, before and after, as its sender of DATA sees it. */
function windowWords(capture: Capture, row: number, { samples, relative }: WindowTracker): string[] {
  const words: string[] = [];
  const dataSender = (side: number) =>
    side === capture.connections[capture.frames.conn.get(row) - 1]!.clientSide ? 'client' : 'server';
  for (const sample of samplesOfRow(samples, row, senderTime(capture, row))) {
    const stream = samples.stream.get(sample);
    const after = samples.window.get(sample);
    const before = after - samples.change.get(sample);
    if (before === after) continue;
    const whose = stream === 0 ? 'connection window' : `window of stream ${stream}`;
    const who = dataSender(samples.side.get(sample));
    const start = relative ? ', counted from where the capture begins' : '';
    words.push(
      `The ${who}'s ${whose}: ${grouped(before)} → ${grouped(after)} at ${(samples.time.get(sample) / 1e9).toFixed(6)} s${start}.`,
    );
    if (words.length >= 4) break;
  }
  return words;
}

/** grpc-go's server and client write both at once: the update that is due, and the ping of a bandwidth-delay round. */
function pingBeside({ frames }: Capture, row: number): string[] {
  const next = row + 1;
  const beside =
    next < frames.count &&
    !frames.isNonFrame(next) &&
    frames.type.get(next) === FrameType.PING &&
    frames.firstChunk.get(next) === frames.lastChunk.get(row);
  return beside ? ['Sent together with a PING: with it, a bandwidth-delay round starts.'] : [];
}

function pingWords(capture: Capture, payloads: Payloads, row: number): string[] {
  const { frames, chunks } = capture;
  const side = (frames.bits.get(row) & RowBit.SIDE) as Side;
  const other = frames.aux.get(row) - 1;
  if ((frames.flags.get(row) & Flag.ACK) !== 0) {
    return other < 0 ? [] : [`Answers the ping of frame ${capture.numberOf(other)}.`];
  }
  const sender = implementationOf(capture, payloads.connectionOf(row), side);
  const named = namePing(payloads.payload(row, 8), 0, sender?.name);
  const words = named === undefined ? [] : [`${capitalised(named.words)}, as in ${named.source}.`];
  if (other < 0) return [...words, 'No answer was seen.'];
  const sent = chunks.time.get(frames.lastChunk.get(row));
  const ackChunk = frames.lastChunk.get(other);
  const answered = capture.hasDeliveries ? chunks.delivered.get(ackChunk) : chunks.time.get(ackChunk);
  if (Number.isNaN(answered)) return [...words, `Answered by frame ${capture.numberOf(other)}, not delivered yet.`];
  const point = capture.hasDeliveries ? 'as its sender saw it' : 'at the capture point';
  const time = milliseconds((answered - sent) / 1e9);
  return [...words, `Answered by frame ${capture.numberOf(other)} after ${time}, ${point}.`];
}

function settingsWords(capture: Capture, row: number): string[] {
  const other = capture.frames.aux.get(row) - 1;
  if ((capture.frames.flags.get(row) & Flag.ACK) !== 0) return [];
  return [other < 0 ? 'Not acknowledged yet.' : `Acknowledged by frame ${capture.numberOf(other)}.`];
}

function capitalised(text: string): string {
  return text === '' ? text : text[0]!.toUpperCase() + text.slice(1);
}
