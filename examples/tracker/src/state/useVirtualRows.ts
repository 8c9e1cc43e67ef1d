import type { RefObject } from 'react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';

const ROW_HEIGHT = 37;

interface VirtualRowsOptions {
  scroller: HTMLElement | null;
  keys: readonly string[];
  /** The key of the row that has the focus: it stays in the page wherever the list is scrolled to. */
  focused: RefObject<string | undefined>;
}

/**
 * Which rows are in the page, and where. Rows with failed changes are higher than the others, so heights are measured.
 * The virtualizer is one object that changes in place. It stays in here, because the React Compiler would take equal objects
 * for equal lists.
 */
export function useVirtualRows({ scroller, keys, focused }: VirtualRowsOptions) {
  'use no memo';
  const isScrolled = (scroller?.scrollTop ?? 0) > 0;
  // oxlint-disable-next-line react/incompatible-library -- only plain values leave this hook, which is not compiled
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 8,
    // Rows that come in front of those on the screen do not move them, unless the first row is on the screen.
    anchorTo: isScrolled ? 'end' : 'start',
    useFlushSync: false,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range);
      const kept = focused.current === undefined ? -1 : keys.indexOf(focused.current);
      if (kept < 0 || indexes.includes(kept)) return indexes;
      return [...indexes, kept].toSorted((a, b) => a - b);
    },
  });
  return {
    rows: virtualizer
      .getVirtualItems()
      .map(({ key, index, start }) => ({ key: String(key), index, start })),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    reveal: (index: number) => {
      if (index >= 0) virtualizer.scrollToIndex(index);
    },
  };
}
