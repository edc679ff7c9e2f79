import { Fragment, memo } from 'react';
import type { ChunkPart } from '../../shared/detail';
import { asciiOf, type HexRun, hexOf, OCTETS_PER_ROW } from './hex-runs';

interface HexRowProps {
  row: number;
  /** Pixels below the top of the first row that is drawn. */
  top: number;
  /** Of the offset. */
  digits: number;
  /** Undefined until they have come. */
  octets: Uint8Array | undefined;
  runs: readonly HexRun[];
  parts: readonly ChunkPart[];
  /** The chosen frame's number: the octets of other frames are tinted. */
  own: number;
  cursor: number | null;
}

/** Offset, sixteen octets in two groups of eight, and the same as ASCII. */
export const HexRow = memo(
  function HexRow({ row, top, digits, octets, runs, parts, own, cursor }: HexRowProps) {
    const start = row * OCTETS_PER_ROW;
    return (
      <div className="hex-row wire" role="row" aria-rowindex={row + 1} style={{ top }}>
        <span className="hex-offset" role="presentation">
          {start.toString(16).padStart(digits, '0')}
        </span>
        <span className="hex-octets" role="presentation">
          {runs.map((run) => (
            <Fragment key={run.from}>
              {gapBefore(run.from)}
              <span className={runClass(run, parts, own)} role="presentation">
                {columnsOf(run).map((column) => (
                  <Fragment key={column}>
                    {column === run.from ? '' : gapBefore(column)}
                    <span
                      id={`octet-${start + column}`}
                      role="gridcell"
                      data-at={start + column}
                      data-cursor={cursor === start + column || undefined}
                    >
                      {octets === undefined ? '··' : hexOf(octets[column] ?? 0)}
                    </span>
                  </Fragment>
                ))}
              </span>
            </Fragment>
          ))}
        </span>
        <span className="hex-ascii" aria-hidden>
          {runs.map((run) => (
            <span key={run.from} className={runClass(run, parts, own)}>
              {columnsOf(run).map((column) => (
                <span key={column} data-at={start + column}>
                  {octets === undefined ? ' ' : asciiOf(octets[column] ?? 0)}
                </span>
              ))}
            </span>
          ))}
        </span>
      </div>
    );
  },
  (a, b) =>
    a.row === b.row &&
    a.top === b.top &&
    a.digits === b.digits &&
    a.own === b.own &&
    a.parts === b.parts &&
    sameOctets(a.octets, b.octets) &&
    sameRuns(a.runs, b.runs) &&
    cursorIn(a) === cursorIn(b),
);

function columnsOf({ from, to }: HexRun): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function gapBefore(column: number): string {
  return column === 0 ? '' : column === OCTETS_PER_ROW / 2 ? '  ' : ' ';
}

function runClass({ part: index, lit, hovered }: HexRun, parts: readonly ChunkPart[], own: number): string {
  const part = parts[index];
  if (part === undefined) return 'hex-run';
  const names = ['hex-run', `type-${part.type}`];
  if (lit) names.push('lit');
  else if (part.n !== own) names.push('other');
  if (hovered) names.push('hovered');
  return names.join(' ');
}

function cursorIn({ row, cursor }: HexRowProps): number | null {
  return cursor !== null && Math.floor(cursor / OCTETS_PER_ROW) === row ? cursor : null;
}

/** Pages are cut anew for each drawing; what counts is what they are cut from. */
function sameOctets(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;
}

function sameRuns(a: readonly HexRun[], b: readonly HexRun[]): boolean {
  return (
    a.length === b.length &&
    a.every((run, i) => {
      const other = b[i]!;
      return (
        run.from === other.from &&
        run.to === other.to &&
        run.part === other.part &&
        run.lit === other.lit &&
        run.hovered === other.hovered
      );
    })
  );
}
