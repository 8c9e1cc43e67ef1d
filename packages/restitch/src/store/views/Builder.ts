import { NodeReader } from './denormalize.js';
import { isMissing } from './missingRows.js';
import { isRoot, NO_LINKS } from './nodes.js';
import { usedNode } from './references.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { CellNode, Links, Node } from './Node.js';

/** Reads the rows and lists of one node, and records them as its links. */
export class Builder extends NodeReader {
  /** The node that is being built. */
  declare node: Node | undefined;
  /** The instance of its row, which lacks relations so far. */
  declare instance: object | undefined;
  readonly #valueOf: (node: CellNode) => unknown;
  /** Optimization: a plain slot for the first one; most rows have no other. */
  #links: CellNode | CellNode[] = NO_LINKS;

  constructor(store: Store, valueOf: (node: CellNode) => unknown) {
    super(store);
    this.#valueOf = valueOf;
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
    const node = usedNode(this.store, cell, shape);
    const links = this.#links;
    if (links === NO_LINKS) {
      this.#links = node;
    } else if (Array.isArray(links)) {
      links.push(node);
    } else {
      this.#links = [links, node];
    }
    const value = this.#valueOf(node);
    this.current = cell.current;
    this.isMissing ||= value === undefined && isMissing(node);
    return value;
  }
}
