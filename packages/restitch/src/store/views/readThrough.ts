import type { Shape } from '../../schema/shapes.js';
import { isFields } from '../journal/applyPatch.js';
import { denormalize, denormalizeList, NodeReader, NOTHING } from './denormalize.js';
import { allocateRow, relateRow } from './instances.js';
import { usedNode } from './references.js';
import type { Cell, Stored } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

/** A view of the store with other values than the current ones. */
export interface Lens {
  /** The arguments of the query. */
  readonly args: readonly unknown[];
  /** Returns the value of a cell in this lens. */
  readonly current: (cell: Cell) => Stored;
  /** Called with every instance that was built for this lens. */
  readonly made?: (instance: object, cell: Cell) => void;
}

/** Relations below this depth have their current values. */
const DEPTH_LIMIT = 100;

/** A visited node. */
interface Seen {
  readonly current: Stored;
  value: unknown;
  /** True if its row is missing. */
  isMissing: boolean;
}

/** Reads a normalized value through a lens. The current values do not change. */
export function readThrough(store: Store, shape: Shape, normalized: unknown, lens: Lens): unknown {
  return denormalize(shape, normalized, new LensReader(store, lens, 0, new Map()), NOTHING);
}

class LensReader extends NodeReader {
  readonly #lens: Lens;
  readonly #depth: number;
  readonly #seen: Map<CellNode, Seen>;

  constructor(store: Store, lens: Lens, depth: number, seen: Map<CellNode, Seen>) {
    super(store, lens.args);
    this.#lens = lens;
    this.#depth = depth;
    this.#seen = seen;
  }

  protected take(cell: Cell, shape: CellNode['shape']): unknown {
    const node = usedNode(this.store, cell, shape);
    const { current, value, isMissing } = this.#seen.get(node) ?? this.#look(node);
    this.current = current;
    this.isMissing ||= isMissing;
    return value;
  }

  #look(node: CellNode): Seen {
    const { cell, shape } = node;
    const current = this.#lens.current(cell);
    const seen: Seen = { current, value: node.value, isMissing: current === null };
    this.#seen.set(node, seen);
    if (this.#depth >= DEPTH_LIMIT) {
      return seen;
    }
    const reader = new LensReader(this.store, this.#lens, this.#depth + 1, this.#seen);
    if (shape.kind !== 'entity') {
      seen.value = undefined;
      seen.value = denormalizeList(shape, current, reader, NOTHING);
      return seen;
    }
    // The instance is set before its relations: rows in a cycle refer to one another.
    const instance = allocateRow(cell, shape, current, NOTHING);
    seen.value = instance;
    if (instance && isFields(current)) {
      this.#lens.made?.(instance, cell);
      if (!relateRow(shape, current, instance, reader, NOTHING)) {
        seen.value = undefined;
        seen.isMissing = true;
      }
    }
    return seen;
  }
}
