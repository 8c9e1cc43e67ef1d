import type { Shape } from '../schema/shape.js';
import { collect, collectCell } from './collect.js';
import { fillList, fillRoot, NOTHING } from './fill.js';
import { setGone } from './gone.js';
import { allocateRow, relateRow } from './instances.js';
import { createRoot, nodeList } from './nodes.js';
import { UNBUILT } from './state.js';
import type { Cell, CellNode, Store, Stored } from './state.js';

/** What a node gives: undefined for a row that is not there, and gone for one that was deleted. */
export interface Built {
  readonly value: unknown;
  /** See `goneIn`. */
  readonly gone: number;
}

/** Another view of the store than what it shows now. */
export interface Lens {
  /** Stand-ins for the nodes that were looked at, so that each row is one object. */
  readonly seen: Map<CellNode, CellNode>;
  /** The arguments of the question. */
  readonly args: readonly unknown[];
  /** The tick at which rows went that are deleted as seen through this lens. */
  readonly goneIn: number;
  /** What a cell shows through this lens. */
  readonly shown: (cell: Cell) => Stored;
  /** What a node gives through this lens, where that is known without building it. */
  readonly clear?: (node: CellNode) => Built | undefined;
  /** Called with every instance that was built for this lens. */
  readonly made?: (instance: object, cell: Cell) => void;
  /** What an instance looks like that is nested too deep to be built. */
  readonly tooDeep: (node: CellNode) => unknown;
  /** A stand-in is complete; may replace its value. */
  readonly done?: (node: CellNode, standIn: CellNode) => void;
}

const DEPTH_LIMIT = 100;

/** Reads a normalized value through a lens. Nothing of what the store shows now is changed by it. */
export function readThrough(store: Store, shape: Shape, normalized: unknown, lens: Lens): unknown {
  const root = createRoot(shape, lens.args, () => normalized);
  const links = collect(store, shape, normalized);
  root.links = nodeList(links).map((link) => look(store, link, 0, lens));
  return fillRoot(root, normalized);
}

function look(store: Store, node: CellNode, depth: number, lens: Lens): CellNode {
  const known = lens.seen.get(node);
  if (known) {
    return known;
  }
  const shown = lens.shown(node.cell);
  const clear = lens.clear?.(node);
  const standIn: CellNode = {
    ...node,
    cell: { ...node.cell, shown },
    value: clear?.value,
    source: UNBUILT,
    dirty: undefined,
  };
  setGone(standIn, clear ? clear.gone : shown === null ? lens.goneIn : 0);
  lens.seen.set(node, standIn);
  if (clear) {
    return standIn;
  }
  if (depth >= DEPTH_LIMIT) {
    standIn.value = lens.tooDeep(node);
    return standIn;
  }
  // Before its relations: rows in a circle point at one another.
  const instance = allocateRow(standIn);
  standIn.value = instance;
  const links = collectCell(store, standIn);
  standIn.links = nodeList(links).map((link) => look(store, link, depth + 1, lens));
  if (instance) {
    lens.made?.(instance, node.cell);
    if (!relateRow(standIn, instance, NOTHING)) {
      standIn.value = undefined;
      setGone(standIn, lens.goneIn);
    }
  } else {
    standIn.value = fillList(standIn);
  }
  lens.done?.(node, standIn);
  return standIn;
}
