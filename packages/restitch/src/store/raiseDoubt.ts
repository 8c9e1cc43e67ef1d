import type { Cell, Store } from './state.js';

/** Puts a row or list in doubt: what shows it is fetched again. The one owner of both maps. */
export function raiseDoubt(store: Store, cell: Cell, settle: number): void {
  store.doubted.set(cell, Math.max(settle, store.doubted.get(cell) ?? 0));
  store.doubts.set(cell, settle);
}
