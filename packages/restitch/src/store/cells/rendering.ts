import type { Cell, Stored } from './Cell.js';
import type { Root } from '../views/Node.js';
import type { Store } from './Store.js';

/**
 * What a page is made from, on a server. A boundary is sent as soon as its own data is there; what comes later may say
 * something else of a record in it, and the browser, which takes each boundary over as it is, has to know both:
 *
 * ```
 *   list, rendered ("Ann") ──▶ the author's answer ("Anne") ──▶ author, rendered ("Anne")
 * ```
 */
export interface Rendering {
  /** What cells that somebody looked at were before each change, oldest first. */
  readonly log: (readonly [cell: Cell, before: Stored])[];
  /** What was read for the page last, and how long the log was then. */
  readonly roots: Map<Root, { readonly since: number; readonly value: unknown }>;
}

/** One page is far below this; a store that serves more than one must not grow without end. */
const LOG_LIMIT = 100_000;

/** Notes that a page is rendered from what a root shows now. */
export function noteRendered(store: Store, root: Root): void {
  if (!store.rendering || store.rendering.log.length > LOG_LIMIT) {
    store.rendering = { log: [], roots: new Map() };
  }
  const { log, roots } = store.rendering;
  roots.set(root, { since: log.length, value: root.value });
}
