import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FrameDetail } from '../../shared/detail';
import { useView } from '../state/view-store';
import { chooseField, setOpen, useDetail } from './detail-state';
import { FieldRow, rowId } from './FieldRow';
import { treeAction } from './tree-keys';
import { treeRows } from './tree-rows';

const ROW_HEIGHT = 22;

/** The fields as a tree of rows; only those in sight are drawn, however many settings a frame has. */
export function FieldTree({ detail, scroller }: { detail: FrameDetail; scroller: RefObject<HTMLDivElement | null> }) {
  const { fields, frame } = detail;
  const openings = useDetail((state) => state.openings);
  const chosen = useView((state) => state.field);
  const hovered = useDetail(({ hovered: now }) => (now !== null && 'field' in now ? now.field : null));
  const rows = useMemo(() => treeRows(fields, openings), [fields, openings]);
  const at = chosen === null ? -1 : rows.findIndex(({ kind, field }) => kind === 'field' && field.id === chosen);

  // What stands above the tree (faults) scrolls with it.
  const tree = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(tree.current?.offsetTop ?? 0));

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (i) => `${rows[i]!.kind} ${rows[i]!.field.id}`,
    overscan: 8,
    scrollMargin: above,
  });
  const latest = useRef(virtual);
  latest.current = virtual;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a field chosen by its octet comes into sight
  useLayoutEffect(() => {
    if (at !== -1) latest.current.scrollToIndex(at, { align: 'auto' });
  }, [chosen, frame.n]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const action = treeAction(event.key, rows, at, page);
    if (action === undefined) return;
    event.preventDefault();
    if ('choose' in action) chooseField(rows[action.choose]!.field.id);
    else setOpen(action.open, action.expanded);
  };

  const items = virtual.getVirtualItems();
  const drawn = at !== -1 && items.some(({ index }) => index === at);
  return (
    <div
      ref={tree}
      className={`tree type-${frame.type}`}
      role="tree"
      aria-label={`Fields of frame ${frame.n}`}
      aria-activedescendant={drawn ? rowId(chosen!) : undefined}
      tabIndex={0}
      style={{ height: virtual.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {items.map(({ index, start, key }) => {
        const row = rows[index]!;
        return (
          <FieldRow
            key={key}
            row={row}
            top={start - above}
            chosen={index === at}
            hovered={row.kind === 'field' && row.field.id === hovered}
            index={index}
            measure={virtual.measureElement}
          />
        );
      })}
    </div>
  );
}
