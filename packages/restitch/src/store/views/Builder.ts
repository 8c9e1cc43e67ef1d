import { NodeReader } from './denormalize.js';
import { isMissing } from './missingRows.js';
import { isRoot, NO_LINKS } from './nodes.js';
import { cellNode, noteUse } from '../cells/tables.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { CellNode, Links, Node } from './Node.js';

/** Returns the copy of a cell that is read in its place. */
export type CopyOf = (cell: Cell) => Cell;

/** Reads the rows and lists of one node, and records them as its links. */
export class Builder extends NodeReader {
  /** The node that is being built. */
  declare node: Node | undefined;
  /** The instance of its row, which lacks relations so far. */
  declare instance: object | undefined;
  readonly #valueOf: (node: CellNode) => unknown;
  readonly #copyOf: CopyOf | undefined;
  /** Optimization: a plain slot for the first one; most rows have no other. */
  #links: CellNode | CellNode[] = NO_LINKS;

  constructor(store: Store, valueOf: (node: CellNode) => unknown, copyOf: CopyOf | undefined) {
    super(store);
    this.#valueOf = valueOf;
    this.#copyOf = copyOf;
  }

  begin(node: Node | undefined): void {
    this.node = node;
    this.instance = undefined;
    this.args = node && isRoot(node) ? node.args : undefined;
    this.inner = undefined;
    this.current = undefined;
    this.#links = NO_LINKS;
  }

  /** Returns the nodes that were read. */
  get links(): Links {
    // A copy, because an array that grew has spare capacity.
    return Array.isArray(this.#links) && this.#links !== NO_LINKS ? [...this.#links] : this.#links;
  }

  protected take(cell: Cell, shape: CellNode['shape']): unknown {
    noteUse(this.store, cell);
    const node = cellNode(this.#copyOf?.(cell) ?? cell, shape);
    const links = this.#links;
    if (links === NO_LINKS) {
      this.#links = node;
    } else if (Array.isArray(links)) {
      links.push(node);
    } else {
      this.#links = [links, node];
    }
    const value = this.#valueOf(node);
    this.current = node.cell.current;
    this.isMissing ||= value === undefined && isMissing(node);
    return value;
  }
}
