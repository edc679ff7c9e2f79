import type { FrameRecord } from '../../shared/records';
import { grouped, visible } from '../session/text';
import type { Paint, Style } from './style';
import { type Cell, Table } from './table';

/** What is known of the rows to come, so that columns need not grow on the way. */
export interface FrameTableWidths {
  lastNumber?: number;
  /** Seconds. */
  lastTime?: number;
  lastConnection?: number;
  highestStream?: number;
  longestFlags?: number;
}

/** The timeline as text: a line for each frame, as they come. */
export class FrameTable {
  private readonly table: Table;
  private before: number | undefined;

  constructor(
    private readonly style: Style,
    width: number | undefined,
    known: FrameTableWidths = {},
  ) {
    const numberWidth = grouped(known.lastNumber ?? 9999).length;
    this.table = new Table(
      [
        { title: '#', align: 'right', width: numberWidth },
        { title: 'Time s', align: 'right', width: (known.lastTime ?? 0).toFixed(9).length },
        { title: 'Δ ms', align: 'right', width: '+1000.000'.length },
        { title: 'Conn', align: 'right', width: String(known.lastConnection ?? 0).length },
        { title: ' ' },
        { title: 'Stream', align: 'right', width: String(known.highestStream ?? 0).length },
        { title: 'Type', width: 'WINDOW_UPDATE'.length },
        { title: 'Flags', width: known.longestFlags ?? 'END_HEADERS END_STREAM'.length },
        { title: 'Length', align: 'right', width: '16,384'.length },
        { title: 'Info' },
      ],
      style.dim,
      width,
    );
  }

  header(): string {
    return this.table.header();
  }

  row(frame: FrameRecord): string {
    const { style } = this;
    const { before } = this;
    this.before = frame.t;
    const toServer = frame.dir === 'toServer';
    const paintType = typePaint(style, frame.type);
    return this.table.row([
      { text: grouped(frame.n), paint: style.dim },
      frame.t.toFixed(9),
      { text: before === undefined ? '' : delta(frame.t - before), paint: style.dim },
      { text: String(frame.conn), paint: style.dim },
      { text: toServer ? '→' : '←', paint: toServer ? style.green : style.blue },
      frame.typeId === null ? '' : String(frame.stream),
      { text: typeText(frame), paint: paintType },
      { text: frame.flags.join(' '), paint: style.dim },
      grouped(frame.length),
      infoCell(frame, style),
    ]);
  }
}

/** A type that no RFC names shows its number. */
function typeText({ type, typeId }: FrameRecord): string {
  return type === 'UNKNOWN' && typeId !== null ? `UNKNOWN 0x${typeId.toString(16).padStart(2, '0')}` : type;
}

/** Faults first: a terminal may be too narrow for all. */
function infoCell({ info, faults = [] }: FrameRecord, style: Style): Cell {
  const text = visible(info);
  if (faults.length === 0) return { text };
  const words = faults.map(({ code, message }) => `${code}: ${visible(message)}`).join('; ');
  return { text: `! ${words}${text === '' ? '' : ` · ${text}`}`, paint: style.yellow };
}

/** Milliseconds since the row before, to the microsecond. */
function delta(seconds: number): string {
  const milliseconds = (seconds * 1000).toFixed(3);
  return seconds < 0 ? milliseconds : `+${milliseconds}`;
}

function typePaint(style: Style, type: string): Paint {
  switch (type) {
    case 'HEADERS':
    case 'CONTINUATION':
    case 'PUSH_PROMISE':
      return style.green;
    case 'DATA':
      return style.blue;
    case 'WINDOW_UPDATE':
      return style.yellow;
    case 'PING':
    case 'SETTINGS':
      return style.magenta;
    case 'RST_STREAM':
    case 'GOAWAY':
    case 'GAP':
      return style.red;
    default:
      return style.cyan;
  }
}
