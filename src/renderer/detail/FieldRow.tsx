import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { chooseField, setOpen, useDetail } from './detail-state';
import type { TreeRow } from './tree-rows';
import { LONG_VALUE, shortened, visibleText } from './visible';

/** Of the row's element. */
export function rowId(field: string): string {
  return `field-${field}`;
}

/** Heads a part of the frame. */
function isGroup({ level, field: { children } }: TreeRow): boolean {
  return level === 1 && children?.[0] !== undefined && children[0].bit === undefined;
}

interface FieldRowProps {
  row: TreeRow;
  /** Pixels below the tree's top. */
  top: number;
  chosen: boolean;
  hovered: boolean;
  index: number;
  /** Learns the height of a row that is not as high as the others. */
  measure(element: Element | null): void;
}

export const FieldRow = memo(function FieldRow({ row, top, chosen, hovered, index, measure }: FieldRowProps) {
  const { field, level, expanded } = row;
  const indent = { paddingLeft: 8 + (level - 1) * 15 };
  if (row.kind === 'value') {
    return (
      <div
        ref={measure}
        data-index={index}
        className="tree-value wire"
        role="treeitem"
        aria-level={level}
        tabIndex={-1}
        style={{ top, ...indent }}
      >
        {visibleText(field.value)}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows
    <div
      id={rowId(field.id)}
      className={`tree-row ${isGroup(row) ? 'group' : ''} ${field.fault === true ? 'faulty' : ''}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={chosen}
      aria-expanded={expanded}
      tabIndex={-1}
      data-field={field.id}
      data-hovered={hovered || undefined}
      style={{ top, ...indent }}
      onClick={() => chooseField(field.id)}
      onDoubleClick={() => expanded !== undefined && setOpen(field.id, !expanded)}
      onMouseEnter={() => useDetail.setState({ hovered: { field: field.id } })}
      onMouseLeave={() => useDetail.setState({ hovered: null })}
    >
      <Twisty id={field.id} expanded={expanded} />
      <span className="tree-label" style={{ width: Math.max(72, 200 - (level - 1) * 15) }}>
        {visibleText(field.label)}
      </span>
      <span className="tree-text">
        <span className="tree-field-value wire">{shortened(visibleText(field.value), LONG_VALUE)}</span>
        {field.note === undefined ? null : <span className="tree-note">{shortened(visibleText(field.note), 200)}</span>}
      </span>
    </div>
  );
});

/** Opens and closes by pointer alone: the tree's keys do it too. */
function Twisty({ id, expanded }: { id: string; expanded: boolean | undefined }) {
  const Icon = expanded === true ? ChevronDown : ChevronRight;
  return (
    <span
      className="tree-twisty"
      aria-hidden
      onClick={(event) => {
        if (expanded === undefined) return;
        event.stopPropagation();
        setOpen(id, !expanded);
      }}
    >
      {expanded === undefined ? null : <Icon size={12} />}
    </span>
  );
}
