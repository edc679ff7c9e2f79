import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { MAX_HEIGHT, type RowWindow, revealing, rowWindow, scrollTopFor } from './fixed-rows';

export interface RowScroll extends RowWindow {
  onScroll(): void;
  /** Brings a row into sight with the least movement. */
  reveal(row: number): void;
  toEnd(): void;
  /** The last row is in sight. */
  atEnd(): boolean;
  /** Rows that fit. */
  page: number;
}

/** Follows an element's scrolling and size. @param ref the element that scrolls */
export function useRowWindow(ref: RefObject<HTMLElement | null>, total: number, rowHeight: number): RowScroll {
  const [viewport, setViewport] = useState(0);
  const [scrollTop, setScrollTop] = useState(0);

  useLayoutEffect(() => {
    const element = ref.current!;
    const observer = new ResizeObserver(() => setViewport(element.clientHeight));
    observer.observe(element);
    setViewport(element.clientHeight);
    return () => observer.disconnect();
  }, [ref]);

  const onScroll = useCallback(() => setScrollTop(ref.current?.scrollTop ?? 0), [ref]);
  const to = useCallback(
    (top: number) => {
      const element = ref.current;
      if (element === null || element.scrollTop === top) return;
      element.scrollTop = top;
      setScrollTop(element.scrollTop);
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

  return {
    ...rowWindow(total, rowHeight, viewport, scrollTop),
    onScroll,
    page: Math.max(1, Math.floor(viewport / rowHeight)),
    reveal: (row) => {
      const element = ref.current;
      if (element !== null) to(revealing(total, rowHeight, element.clientHeight, element.scrollTop, row));
    },
    toEnd: () => {
      const element = ref.current;
      if (element !== null) to(Math.ceil(scrollTopFor(total, rowHeight, element.clientHeight, total)));
    },
    atEnd: () => {
      const element = ref.current;
      return element === null || element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight;
    },
  };
}
