import type { Listing } from '../store/cells/Cell.js';
import type { ReplaceMembers } from '../store/journal/operations.js';
import type { RoundPage } from './Round.js';

/** The list of a `PageLoader`, as its view has it. */
export interface LoaderHost {
  readonly changed: () => void;
  readonly confirmed: () => Listing | undefined;
  /** Returns the rows that readers see, with optimistic updates. */
  readonly rows: () => readonly unknown[];
  /** Returns the page size of this reader, if its requests have one. */
  readonly size: () => number | undefined;
  readonly isCurrent: () => boolean;
  /** Returns true if no mutation that moves rows of the list is in flight. */
  readonly isQuiet: () => boolean;
  readonly untilQuiet: () => Promise<void>;
  readonly watch: (listener: () => void) => () => unknown;
  /** Garbage collection keeps the rows until the returned function is called. */
  readonly retain: (members: () => readonly unknown[]) => () => void;
  readonly replace: (operation: ReplaceMembers) => void;
  /** Returns the first page if it has just arrived, and other pages must be loaded again. */
  readonly opening: () => RoundPage | undefined;
  /** The returned function tests if rows have become outdated since this call. */
  readonly noteOutdated: () => (members: readonly unknown[]) => boolean;
}
