import { type RefObject, useCallback, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { MAX_HEIGHT, type RowWindow, revealing, rowWindow, scrollTopFor } from './fixed-rows';

export interface RowScroll extends RowWindow {
  /** @returns whether the last row is in sight */
  onScroll(): boolean;
  /** Brings a row into sight with the least movement. */
  reveal(row: number): void;
  /** Rows that fit. */
  page: number;
}

/**
 * Follows an element's scrolling and size. The element is asked for neither while React is at work, since a browser
 * answers only after it has laid the page out anew: what was last heard of them is kept here.
 * @param ref the element that scrolls
 * @param atEnd the last row stays in sight however many come
 */
export function useRowWindow(
  ref: RefObject<HTMLElement | null>,
  total: number,
  rowHeight: number,
  atEnd = false,
): RowScroll {
  const [viewport, setViewport] = useState(0);
  const scrollTop = useRef(0);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useLayoutEffect(() => {
    const element = ref.current!;
    const observer = new ResizeObserver(() => setViewport(element.clientHeight));
    observer.observe(element);
    setViewport(element.clientHeight);
    return () => observer.disconnect();
  }, [ref]);

  // Already in this rendering, so that rows are drawn once and where they stay.
  if (atEnd && viewport > 0) scrollTop.current = Math.ceil(scrollTopFor(total, rowHeight, viewport, total));
  const wanted = atEnd ? scrollTop.current : null;
  useLayoutEffect(() => {
    if (wanted !== null && ref.current !== null) ref.current.scrollTop = wanted;
  }, [ref, wanted]);

  const to = useCallback(
    (top: number) => {
      const element = ref.current;
      if (element === null || scrollTop.current === top) return;
      element.scrollTop = top;
      scrollTop.current = element.scrollTop;
      redraw();
    },
    [ref],
  );

  // A list in proportion would jump by many rows with each notch of the wheel.
  useLayoutEffect(() => {
    const element = ref.current!;
    if (total * rowHeight <= MAX_HEIGHT) return;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const perRow = (MAX_HEIGHT - element.clientHeight) / (total - element.clientHeight / rowHeight);
      element.scrollTop += (event.deltaY / rowHeight) * perRow;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [ref, total, rowHeight]);

  const drawn = rowWindow(total, rowHeight, viewport, scrollTop.current);
  return {
    ...drawn,
    onScroll: () => {
      const top = ref.current?.scrollTop ?? 0;
      if (top !== scrollTop.current) {
        scrollTop.current = top;
        redraw();
      }
      return top + viewport >= drawn.height - rowHeight;
    },
    page: Math.max(1, Math.floor(viewport / rowHeight)),
    reveal: (row) => {
      // Zero when this is the first rendering, which is asked before the element was measured.
      const height = viewport === 0 ? (ref.current?.clientHeight ?? 0) : viewport;
      to(revealing(total, rowHeight, height, scrollTop.current, row));
    },
  };
}
