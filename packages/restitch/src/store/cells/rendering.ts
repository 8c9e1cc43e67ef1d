import type { Cell, Stored } from './Cell.js';
import type { Root } from '../views/Node.js';
import type { Store } from './Store.js';

/**
 * A server renders a list with the author "Ann". A later response renames the author to "Anne". The
 * browser hydrates the list as it was sent, so it needs the author from before the change.
 */
export interface Rendering {
  /** Each changed cell that has readers, with its value before the change, oldest first. */
  readonly log: (readonly [cell: Cell, before: Stored])[];
  /** The last value of each root that was rendered, and the length of `log` at that time. */
  readonly roots: Map<Root, { readonly since: number; readonly value: unknown }>;
}

/** `note` is undefined until a program imports the code that exports state. */
export const renderingHook: { note?: (store: Store, root: Root) => void } = {};
