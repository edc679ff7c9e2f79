import { type MouseEvent, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { DetailField } from '../../shared/detail';
import { useRowWindow } from '../rows/use-row-window';
import { chooseOctet, type Shown, useDetail } from './detail-state';
import { fieldAt, pathTo } from './field-at';
import { HexRow } from './HexRow';
import { cursorTarget } from './hex-keys';
import { hexRuns, OCTETS_PER_ROW, offsetDigits, rowCount } from './hex-runs';
import { type HexSource, type OctetRange, partAt, rangesOf } from './hex-source';

const ROW_HEIGHT = 22;
const NO_RANGES: readonly OctetRange[] = [];

/** Rows of sixteen octets; those in sight are asked for and drawn. */
export function HexRows({ shown, field }: { shown: Shown; field: DetailField | undefined }) {
  const { source, detail, octets } = shown;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = rowCount(source.total);
  const scroll = useRowWindow(scroller, rows, ROW_HEIGHT);
  useSyncExternalStore(octets.subscribe, octets.version);
  const hovered = useHoveredRanges(shown);
  const cursor = useDetail((state) => state.cursor);
  const lit = useMemo(() => (field === undefined ? NO_RANGES : rangesOf(source, field.spans)), [source, field]);
  const litLength = lit.reduce((sum, { start: from, end }) => sum + end - from, 0);
  const own = source.parts.find(({ n }) => n === detail.frame.n);
  // Of a field in several frames, the shown frame's octets are meant.
  const ownLit = useMemo(
    () =>
      field === undefined
        ? NO_RANGES
        : rangesOf(
            source,
            field.spans.filter(({ n }) => n === detail.frame.n),
          ),
    [source, field, detail.frame.n],
  );
  const start = Math.max(0, ownLit[0]?.start ?? own?.start ?? 0);
  const end = ownLit.at(-1)?.end ?? Math.max(start + 1, Math.min(own?.end ?? 0, source.total));

  const latest = useRef(scroll);
  latest.current = scroll;
  // What was chosen elsewhere comes into sight. A field that was chosen by one of its octets is: it must not jump.
  const byOctet = cursor !== null && lit.some(({ start: from, end }) => from <= cursor && cursor < end);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is chosen, not whenever it can be seen
  useEffect(() => {
    if (byOctet) return;
    latest.current.reveal(Math.floor((end - 1) / OCTETS_PER_ROW));
    latest.current.reveal(Math.floor(start / OCTETS_PER_ROW));
  }, [start, end, octets]);
  useEffect(() => {
    if (cursor !== null) latest.current.reveal(Math.floor(cursor / OCTETS_PER_ROW));
  }, [cursor]);

  const choose = (position: number) => {
    useDetail.setState({ cursor: position });
    const part = source.parts[partAt(source.parts, position)];
    if (part !== undefined) chooseOctet(part.n, position - part.start);
  };
  const digits = offsetDigits(source.total);
  return (
    <div
      ref={scroller}
      className="hex-scroller"
      data-lit={litLength > 0 && litLength <= OCTETS_PER_ROW ? 'short' : undefined}
      style={{ minHeight: ROW_HEIGHT * Math.min(2, rows) }}
      role="grid"
      aria-label={`Octets of ${source.kind} ${source.id}`}
      aria-rowcount={rows}
      aria-colcount={OCTETS_PER_ROW}
      aria-activedescendant={cursor === null ? undefined : `octet-${cursor}`}
      tabIndex={0}
      onScroll={scroll.onScroll}
      onKeyDown={(event) => {
        const target = cursorTarget(event, cursor ?? start, cursor !== null, source.total, scroll.page);
        if (target === undefined) return;
        event.preventDefault();
        choose(target);
      }}
      onClick={(event) => {
        if (getSelection()?.isCollapsed === false) return;
        const position = positionOf(event);
        if (position !== undefined) choose(position);
      }}
      onMouseOver={(event) => hover(shown, positionOf(event))}
      onFocus={() => undefined}
      onMouseLeave={() => hover(shown, undefined)}
    >
      <div style={{ height: scroll.height }} role="presentation" />
      {/* A layer of its own: millions of pixels down, rows painted into the scroller's would be rounded by two. */}
      <div className="hex-rows" role="presentation" style={{ top: scroll.top }}>
        {Array.from({ length: scroll.count }, (_, i) => {
          const row = scroll.first + i;
          return (
            <HexRow
              key={row}
              row={row}
              top={i * ROW_HEIGHT}
              digits={digits}
              octets={octets.get(row * OCTETS_PER_ROW, OCTETS_PER_ROW)}
              runs={hexRuns(row, source, lit, hovered)}
              parts={source.parts}
              own={detail.frame.n}
              cursor={cursor}
            />
          );
        })}
      </div>
    </div>
  );
}

function positionOf({ target }: MouseEvent): number | undefined {
  const at = target instanceof HTMLElement ? target.dataset.at : undefined;
  return at === undefined ? undefined : Number(at);
}

/** Tells both panes what the pointer is on: a field of the shown frame, or another frame. */
function hover({ source, detail }: Shown, position: number | undefined): void {
  const part = position === undefined ? undefined : source.parts[partAt(source.parts, position)];
  const now = useDetail.getState().hovered;
  if (part === undefined || position === undefined) {
    if (now !== null) useDetail.setState({ hovered: null });
    return;
  }
  if (part.n !== detail.frame.n) {
    if (now === null || !('frame' in now) || now.frame !== part.n) useDetail.setState({ hovered: { frame: part.n } });
    return;
  }
  const field = fieldAt(detail.fields, part.n, position - part.start)?.at(-1);
  if (field === undefined) useDetail.setState({ hovered: null });
  else if (now === null || !('field' in now) || now.field !== field.id) {
    useDetail.setState({ hovered: { field: field.id } });
  }
}

function useHoveredRanges({ source, detail }: Shown): readonly OctetRange[] {
  const hovered = useDetail((state) => state.hovered);
  return useMemo(() => {
    if (hovered === null) return NO_RANGES;
    if ('field' in hovered) return rangesOf(source, pathTo(detail.fields, hovered.field)?.at(-1)?.spans ?? []);
    return rangesOfFrame(source, hovered.frame);
  }, [source, detail, hovered]);
}

function rangesOfFrame(source: HexSource, n: number): readonly OctetRange[] {
  return rangesOf(source, [{ n, start: 0, end: Number.MAX_SAFE_INTEGER }]);
}
