/** The rows of a windowed list by index. Each change creates a new object. */
export interface SparseList<T> {
  /** The number of rows in the whole list; 0 until the first response. */
  readonly length: number;
  /** Returns a row, or undefined while it is not loaded. */
  at(index: number): T | undefined;
  /** Returns true while a row is missing and its page is loading, or about to load. */
  isLoading(index: number): boolean;
  /** Returns the error of the page of a row, until it is loaded again. */
  errorAt(index: number): Error | undefined;
  /**
   * Fetches the pages in the open ranges again, and drops the others. The promise never rejects.
   */
  readonly refresh: () => Promise<void>;
}

/** The rows that a reader shows: from `start` up to `end`, without `end`. */
export interface WindowRange {
  readonly start: number;
  readonly end: number;
  /** The number of pages that stay loaded. Pages in the range always stay. Default: 10. */
  readonly keep?: number | undefined;
}

/** An open range of a windowed list. */
export interface OpenWindow {
  /** Moves the window to another range. */
  readonly move: (range: WindowRange) => void;
  /** Releases the pages of the range. */
  readonly close: () => void;
}
