import { settingName } from '../../shared/names';
import type { Direction, FrameRecord } from '../../shared/records';
import type {
  StepFlight,
  StepPeer,
  StepSetting,
  StepSettings,
  StepState,
  StepStream,
  StepTable,
  StepWindow,
} from '../../shared/step';
import type { Capture } from '../capture/capture';
import type { Connection } from '../capture/connection';
import { RowBit } from '../capture/frames';
import type { HeaderStore } from '../hpack/header-store';
import { Half } from '../http2/stream';
import type { Side } from '../tcp/types';
import type { StepOctets } from './block-octets';
import type { ConnectionState } from './connection-state';
import type { HeaderTable } from './header-table';
import { INITIAL_SETTINGS, type StepSideSettings } from './side-settings';
import type { Stepper } from './stepper';
import { type StepStreamState, stateOf } from './stream-table';
import { stepWords } from './words';

/** What is told of each at most; there may be more, and their number is told too. */
const STREAMS_TOLD = 200;
const ENTRIES_TOLD = 200;
const PINGS_TOLD = 32;
const TEXT_TOLD = 256;

/** The state that a stepper stands at, as the window shows it. @param frame the record of the row at `position` */
export function stepState(
  capture: Capture,
  connection: Connection,
  octets: StepOctets,
  stepper: Stepper,
  position: number,
  frame: FrameRecord,
): StepState {
  const { state, notes } = stepper;
  const row = stepper.rowAt(position);
  const client = connection.clientSide;
  const server = (client ^ 1) as Side;
  const id = capture.frames.isNonFrame(row) ? 0 : capture.frames.stream.get(row);
  const own = state.streams.get(id);
  const toRecord = (stream: StepStreamState) => streamRecord(capture, state, client, stream);
  const directions = <T>(of: (sender: Side) => T): Record<Direction, T> => ({
    toServer: of(client),
    toClient: of(server),
  });
  const peers = <T>(of: (side: Side) => T): Record<StepPeer, T> => ({ client: of(client), server: of(server) });
  const after = own === undefined && !state.streams.isIdle(id) ? 'closed' : stateOf(own, client);
  return {
    frame,
    position: position + 1,
    count: stepper.count,
    meanwhile: stepWords(capture, connection, notes?.meanwhile ?? []),
    words: stepWords(capture, connection, notes?.own ?? []),
    stream: id === 0 ? null : { stream: id, before: notes?.before ?? 'idle', after },
    streams: openStreams(state, id).map(toRecord),
    streamCount: state.streams.open.size,
    closed: [...state.streams.closed.values()].reverse().map(toRecord),
    windows: directions((side) => windowRecord(state, side)),
    inFlight: capture.hasDeliveries ? directions((side) => flight(state, side)) : null,
    settings: peers((side) => settingsRecord(capture, state.settings[side], state.relative)),
    tables: directions((side) => tableRecord(capture.headers, state.tables[side])),
    pings: state.pings.slice(-PINGS_TOLD).map((ping) => {
      const side = (capture.frames.bits.get(ping) & RowBit.SIDE) as Side;
      return {
        n: capture.numberOf(ping),
        by: side === client ? 'client' : 'server',
        payload: hex(octets.payload(ping, 8)),
        age: (state.time - capture.chunks.time.get(capture.frames.lastChunk.get(ping))) / 1e9,
      };
    }),
    pingCount: state.pings.length,
    relative: state.relative,
    lost: state.lost,
  };
}

/** The frame's own stream first, then the newest ones. */
function openStreams({ streams }: ConnectionState, id: number): StepStreamState[] {
  const { open } = streams;
  const own = open.get(id);
  const found: StepStreamState[] = own === undefined ? [] : [own];
  // Streams stand in the order in which they opened.
  let skip = Math.max(0, open.size - STREAMS_TOLD);
  const newest: StepStreamState[] = [];
  for (const stream of open.values()) {
    if (skip-- > 0 || stream === own) continue;
    newest.push(stream);
  }
  return [...found, ...newest.reverse()];
}

function streamRecord(capture: Capture, state: ConnectionState, client: Side, stream: StepStreamState): StepStream {
  const server = (client ^ 1) as Side;
  const known = stateOf(stream, client);
  const reset = stream.half.includes(Half.RESET);
  return {
    stream: stream.id,
    state: known,
    windows: {
      toServer: state.windowOf(stream, client) ?? null,
      toClient: state.windowOf(stream, server) ?? null,
    },
    last: capture.numberOf(stream.lastRow),
    closed: known !== 'closed' ? null : reset ? 'reset' : 'ended',
  };
}

function windowRecord(state: ConnectionState, side: Side): StepWindow {
  return {
    window: state.window[side],
    initial: state.initialSize[side] ?? null,
    largest: state.largest[side],
  };
}

function flight(state: ConnectionState, side: Side): StepFlight {
  return {
    frames: state.sentCount[side] - state.deliveredCount[side],
    octets: state.flightOctets[side],
    data: state.flightData[side],
  };
}

function settingsRecord(capture: Capture, settings: StepSideSettings, relative: boolean): StepSettings {
  const said = [...settings.inForce].map(([id, value]) => setting(id, value));
  // Joined in the middle, what was not said may have been said before.
  const initial = relative
    ? []
    : INITIAL_SETTINGS.filter(([id]) => !settings.inForce.has(id)).map(([id, value]) => setting(id, value, true));
  return {
    inForce: [...said, ...initial].sort((a, b) => a.id - b.id),
    pending: settings.pending.map(({ row, delivered, values }) => ({
      n: capture.numberOf(row),
      delivered: capture.hasDeliveries ? delivered : null,
      settings: [...values].map(([id, value]) => setting(id, value)),
    })),
  };
}

function setting(id: number, value: number | undefined, initial = false): StepSetting {
  const name = settingName(id);
  return { id, name, value: value ?? null, initial };
}

function tableRecord(headers: HeaderStore, table: HeaderTable): StepTable {
  const told = Math.min(table.count, ENTRIES_TOLD);
  return {
    size: table.size,
    maxSize: table.maxSize,
    count: table.count,
    entries: Array.from({ length: told }, (_, position) => {
      const field = table.entry(position);
      return {
        index: 62 + position,
        name: cut(headers.name(field)),
        value: cutValue(headers.value(field)),
        size: headers.size(field),
        added: position < table.added,
      };
    }),
    addedCount: table.added,
    evictedCount: table.evictedCount,
    evicted: table.evicted.map((field) => ({
      name: cut(headers.name(field)),
      value: cutValue(headers.value(field)),
    })),
    unknown: table.unknown,
  };
}

function cut(text: string): string {
  return text.length <= TEXT_TOLD ? text : `${text.slice(0, TEXT_TOLD - 1)}…`;
}

function cutValue(value: string | null): string | null {
  return value === null ? null : cut(value);
}

function hex(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += octet.toString(16).padStart(2, '0');
  return text;
}
