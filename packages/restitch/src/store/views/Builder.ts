import type { EntityShape } from '../../schema/shapes.js';
import { NodeReader } from './denormalize.js';
import { isMissing, isRoot, nodeAt, NO_LINKS } from './nodes.js';
import { cellNode, noteUse } from '../cells/tables.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { CellNode, Links, Node } from './Node.js';

export type CopyOf = (cell: Cell) => Cell;

/** Reads the rows and lists of a node, and records them as its links. */
export class Builder extends NodeReader {
  declare node: Node | undefined;
  /** The instance of the node's row, whose relations are not set yet. */
  declare instance: object | undefined;
  /** True if a link differs from the last build. */
  hasNewLink = false;
  readonly #valueOf: (node: CellNode) => unknown;
  readonly #copyOf: CopyOf | undefined;
  #links: CellNode | CellNode[] = NO_LINKS;
  /** The links of the last build, and the position of the next expected link. */
  #before: Links = NO_LINKS;
  #at = 0;

  constructor(store: Store, valueOf: (node: CellNode) => unknown, copyOf?: CopyOf) {
    super(store);
    this.#valueOf = valueOf;
    this.#copyOf = copyOf;
  }

  override get isInRow(): boolean {
    return this.node !== undefined && !isRoot(this.node);
  }

  begin(node: Node | undefined): void {
    this.node = node;
    this.instance = undefined;
    this.hasNewLink = false;
    this.args = node && isRoot(node) ? node.args : undefined;
    this.inner = undefined;
    this.current = undefined;
    this.#links = NO_LINKS;
    this.#before = node?.links ?? NO_LINKS;
    this.#at = 0;
  }

  get links(): Links {
    // Optimization: a copy has no spare capacity, unlike an array that grew.
    return Array.isArray(this.#links) && this.#links !== NO_LINKS ? [...this.#links] : this.#links;
  }

  /** Optimization: most links stay the same. An empty cell may be removed, so it is looked up. */
  override row(shape: EntityShape, pk: string): unknown {
    const node = nodeAt(this.#before, this.#at);
    if (node?.cell.pk !== pk || node.shape !== shape || !node.cell.current) {
      return super.row(shape, pk);
    }
    noteUse(this.store, node.cell);
    return this.#read(node);
  }

  take(cell: Cell, shape: CellNode['shape']): unknown {
    noteUse(this.store, cell);
    return this.#read(cellNode(this.copy(cell), shape));
  }

  override copy(cell: Cell): Cell {
    return this.#copyOf?.(cell) ?? cell;
  }

  #read(node: CellNode): unknown {
    this.hasNewLink ||= nodeAt(this.#before, this.#at) !== node;
    this.#at += 1;
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
