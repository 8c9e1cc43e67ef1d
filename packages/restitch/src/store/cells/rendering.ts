import type { Cell, Stored } from './Cell.js';
import type { Root } from '../views/Node.js';
import type { Store } from './Store.js';

/**
 * The data that a page is rendered from on a server. A boundary is sent once its own data is
 * available. A later response can change a record in it. The browser hydrates each boundary as it
 * was sent, so it needs the values before and after the change:
 *
 * ```
 *   list, rendered ("Ann") ──▶ response of author ("Anne") ──▶ author, rendered ("Anne")
 * ```
 */
export interface Rendering {
  /** The values of read cells before each change, oldest first. */
  readonly log: (readonly [cell: Cell, before: Stored])[];
  /**
   * The last value of each root that was read for the page, with the length of the log at that
   * time.
   */
  readonly roots: Map<Root, { readonly since: number; readonly value: unknown }>;
}

/**
 * Records that a page is rendered from the current value of a root. Undefined until a program loads
 * the code that exports state.
 */
export const renderingHook: { note?: (store: Store, root: Root) => void } = {};
