import { isAbout } from '../schema/signature.js';
import type { EntityShape, Shape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import { pkText } from '../schema/referenceText.js';
import { own } from '../store/cells/plainValues.js';
import type { Result } from '../store/cells/Result.js';
import { resultsIn } from '../store/cells/results.js';
import type { Store } from '../store/cells/Store.js';
import { rowTable } from '../store/cells/tables.js';
import { containersOf } from '../store/journal/outOfOrderMutations.js';
import type { Node } from '../store/views/Node.js';
import { isRoot, isStale } from '../store/views/nodes.js';
import { findCell } from '../store/views/queries.js';
import { readNode } from '../store/views/readNode.js';
import { collect } from '../store/views/walkReferences.js';

export function rowsOf(store: Store, shape: EntityShape, pk?: string | number): ReadonlySet<Cell> {
  const { cells } = rowTable(store, shape);
  const one = cells.get(pkText(pk) ?? '');
  return new Set(pk === undefined ? cells.values() : one ? [one] : []);
}

/**
 * The graph of nodes lacks links in lazy relations, and in results changed after their last read.
 * `unlinked` contains these links.
 */
export function resultsContaining(store: Store, rows: ReadonlySet<Cell>): Set<Result> {
  const unlinked: (readonly [owner: Result | Cell, links: readonly Node[]])[] = [];
  const found = new Set<Result>();
  const reached = new Set(rows);
  const take = (owner: Result | Cell): unknown =>
    'roots' in owner ? found.add(owner) : reached.add(owner);
  const build = (owner: Result | Cell, shape: Shape, value: unknown): void => {
    try {
      const links = collect(store, shape, value);
      links.forEach((link) => readNode(store, link));
      unlinked.push([owner, links]);
    } catch {
      // If a class throws, the unknown content counts as a match: at worst, one request too many.
      take(owner);
    }
  };
  for (const result of resultsIn(store)) {
    const { status, roots, shape, value } = result;
    if (status === 'value' && roots.every(isStale)) {
      build(result, shape, value);
    }
  }
  for (const { cells, shapes } of store.rows.values()) {
    for (const [field, part] of shapes.flatMap(({ related }) => related)) {
      if (part.kind === 'lazy') {
        cells.forEach((cell) => build(cell, part.member, own(Object(cell.current), field)));
      }
    }
  }
  const containers = new Set<Node>();
  for (let before = -1; before < containers.size;) {
    before = containers.size;
    for (const row of reached) {
      containersOf(row).forEach((node) => containers.add(node));
    }
    unlinked.forEach(([owner, links]) => links.some((link) => containers.has(link)) && take(owner));
  }
  for (const node of containers) {
    if (isRoot(node) && node.result) {
      found.add(node.result);
    }
  }
  return found;
}

/** Includes results without rows: an empty list (no `pk`), or a failed `GET /users/7` (`pk` 7). */
export function concernsRows(
  store: Store,
  { shape, status, named }: Result,
  entity: EntityShape,
  rows: ReadonlySet<Cell>,
  pk: string | number | undefined,
): boolean {
  if (pk === undefined || !isAbout(shape, entity)) {
    return pk === undefined && isAbout(shape, entity);
  }
  const cell = findCell(store, shape, named);
  return status !== 'value' && (cell ? rows.has(cell) : named === pkText(pk));
}
