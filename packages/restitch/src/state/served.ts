import { collect, collectCell } from '../store/views/references.js';
import { type Lens, readThrough } from '../store/views/readThrough.js';
import { nodeList } from '../store/views/nodes.js';
import { equal } from '../store/cells/plainValues.js';
import { membersBy } from '../store/lists/selections.js';
import type { Served } from '../store/cells/hydrated.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { CellNode, Root } from '../store/views/Node.js';
import type { Store } from '../store/cells/Store.js';
import { answerFor } from './answers.js';
import type { HydratedState } from './hydrated.js';
import { cellName, rootName } from './rendered.js';

/** What the page that came with state shows for a root; undefined where it brought no answer to its question. */
export function readServed(store: Store, hydrated: HydratedState, root: Root): Served | undefined {
  const { shape, result, value } = root;
  const answer = result && answerFor(hydrated, result);
  const reference = answer ? answer.value : root.current();
  const links = nodeList(collect(store, shape, reference));
  const { cells, rendered } = hydrated;
  const older = rendered.size > 0 ? rendered.get(rootName(root)) : undefined;
  const isServed = (cell: Cell): boolean => cells.has(cell) || cell.table.kind === 'selection';
  if (!answer && !older && !links.some(({ cell }) => isServed(cell))) {
    return undefined;
  }
  const shownBy = (cell: Cell): Stored => {
    const name = older && cellName(cell);
    if (name && older.has(name)) {
      // The cast: what was exported of a cell is what it showed.
      return older.get(name) as Stored;
    }
    if (cell.table.kind !== 'selection') {
      return cells.has(cell) ? cells.get(cell) : cell.shown;
    }
    const members = membersBy(cell, (row) => cells.get(row));
    return equal(cell.shown, members) ? cell.shown : members;
  };
  if (equal(root.current(), reference) && isSame(store, links, shownBy)) {
    return { isCurrent: true, value };
  }
  const lens: Lens = {
    args: root.args,
    goneIn: 1,
    shown: shownBy,
  };
  try {
    return { isCurrent: false, value: readThrough(store, shape, reference, lens) };
  } catch {
    // What the page brought of it is damaged.
    return undefined;
  }
}

/** Whether cells, and all that they contain, are shown as `shownBy` says. */
function isSame(
  store: Store,
  links: readonly CellNode[],
  shownBy: (cell: Cell) => Stored,
): boolean {
  const seen = new Set(links);
  // A set that grows while it is walked is walked to its new end.
  for (const node of seen) {
    if (node.cell.shown !== shownBy(node.cell)) {
      return false;
    }
    for (const child of nodeList(collectCell(store, node))) {
      seen.add(child);
    }
  }
  return true;
}
