/** The rows of a windowed list by index. Each change creates a new object. */
export interface SparseList<T> {
  /** The number of rows in the whole list; 0 until the first response. */
  readonly length: number;
  /**
   * Returns a row. Returns undefined while the row is not loaded, and for a hidden row, such as a row
   * that `process` drops.
   */
  at(index: number): T | undefined;
  /**
   * Returns true while a row is not loaded. Returns false for a hidden row, if its page failed to
   * load, and for an index behind the end of the list.
   */
  isLoading(index: number): boolean;
  /** Returns the error of the page that contains a row, until the page is loaded again. */
  errorAt(index: number): Error | undefined;
  /**
   * Fetches the pages in the open ranges again, and drops all other pages. The promise never
   * rejects.
   */
  readonly refresh: () => Promise<void>;
}

/** A range of rows: from the index `start` up to, but not including, the index `end`. */
export interface WindowRange {
  readonly start: number;
  readonly end: number;
  /** The number of pages that stay loaded. Pages in the range always stay. Default: 10. */
  readonly keep?: number | undefined;
}

/** An open range of a windowed list. */
export interface OpenWindow {
  /** Replaces the range, for example while the user scrolls. */
  readonly move: (range: WindowRange) => void;
  /** Releases the pages of the range. */
  readonly close: () => void;
}
