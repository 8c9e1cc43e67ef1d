import type { Shape } from '../../schema/shapes.js';
import { collect, collectCell } from './references.js';
import { denormalizeList, denormalizeRoot, NOTHING } from './denormalize.js';
import { setGoneSince } from './goneRows.js';
import { allocateRow, relateRow } from './instances.js';
import { createRoot, nodeList } from './nodes.js';
import { UNBUILT } from './Node.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

/** A view of the store with other values than the current ones. */
export interface Lens {
  /** The arguments of the query. */
  readonly args: readonly unknown[];
  /** The tick from which rows count as missing that are deleted in this lens. */
  readonly goneIn: number;
  /** Returns the value of a cell in this lens. */
  readonly shown: (cell: Cell) => Stored;
  /** Called with every instance that was built for this lens. */
  readonly made?: (instance: object, cell: Cell) => void;
}

/** Relations below this depth have their current values. */
const DEPTH_LIMIT = 100;

/** The stand-ins of visited nodes, so that each row is one object. */
type Seen = Map<CellNode, CellNode>;

/** Reads a normalized value through a lens. The current values do not change. */
export function readThrough(store: Store, shape: Shape, normalized: unknown, lens: Lens): unknown {
  const root = createRoot(shape, lens.args, () => normalized);
  const links = collect(store, shape, normalized);
  const seen: Seen = new Map();
  root.links = nodeList(links).map((link) => look(store, link, 0, lens, seen));
  return denormalizeRoot(root, normalized);
}

function look(store: Store, node: CellNode, depth: number, lens: Lens, seen: Seen): CellNode {
  const known = seen.get(node);
  if (known) {
    return known;
  }
  const shown = lens.shown(node.cell);
  const standIn: CellNode = {
    ...node,
    cell: { ...node.cell, shown },
    value: undefined,
    source: UNBUILT,
    dirty: undefined,
  };
  if (shown === null) {
    setGoneSince(standIn, lens.goneIn);
  }
  seen.set(node, standIn);
  if (depth >= DEPTH_LIMIT) {
    standIn.value = node.value;
    return standIn;
  }
  // The instance is set before its relations: rows in a cycle refer to one another.
  const instance = allocateRow(standIn);
  standIn.value = instance;
  const links = collectCell(store, standIn);
  standIn.links = nodeList(links).map((link) => look(store, link, depth + 1, lens, seen));
  if (instance) {
    lens.made?.(instance, node.cell);
    if (!relateRow(standIn, instance, NOTHING)) {
      standIn.value = undefined;
      setGoneSince(standIn, lens.goneIn);
    }
  } else {
    standIn.value = denormalizeList(standIn);
  }
  return standIn;
}
