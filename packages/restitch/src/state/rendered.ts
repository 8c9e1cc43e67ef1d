import { resultSignature } from './resultSignature.js';
import { signatureOf } from '../schema/signature.js';
import type { RenderedState } from '../store/cells/StoreState.js';
import { type Encoding, NOT_JSON, toJson } from './json.js';
import { canonicalText } from '../schema/argText.js';
import { readNode } from '../store/views/readNode.js';
import type { Cell } from '../store/cells/Cell.js';
import { renderingHook } from '../store/cells/rendering.js';
import type { Root } from '../store/views/Node.js';
import type { Store } from '../store/cells/Store.js';

/** Limits the log of changed cells in a store that serves several pages. */
const LOG_LIMIT = 100_000;

renderingHook.note = (store: Store, root: Root): void => {
  if (!store.rendering || store.rendering.log.length > LOG_LIMIT) {
    store.rendering = { log: [], roots: new Map() };
  }
  const { log, roots } = store.rendering;
  roots.set(root, { since: log.length, value: root.value });
};

export function exportRendered(store: Store, encoding: Encoding): RenderedState[] {
  const { log, roots } = store.rendering ?? { log: [], roots: [] };
  return [...roots]
    .filter(([root, { value }]) => readNode(store, root) !== value)
    .map(([root, { since }]) => {
      const cells = new Map<string, unknown>();
      for (const [cell, before] of log.slice(since).reverse()) {
        cells.set(cellName(cell), toJson(before, encoding));
      }
      // For an undefined value, JSON would contain null, which stands for a deleted row. So a pair
      // without a value stands for an unknown row or list.
      const pairs = [...cells].map(([name, json]) => (json === undefined ? [name] : [name, json]));
      return { of: rootName(root), cells: pairs.filter(([, json]) => json !== NOT_JSON) };
    });
}

/** The name is the same in every program. */
export function rootName({ result, args, shape }: Root): string {
  return result
    ? `${result.key} ${resultSignature(result)}`
    : `${canonicalText(args)} ${signatureOf(shape)}`;
}

export function cellName({ table, pk }: Cell): string {
  const [key, field] = table.kind === 'selection' ? [table.rows.key, table.field] : [table.key];
  return JSON.stringify([table.kind, key, pk, field]);
}
