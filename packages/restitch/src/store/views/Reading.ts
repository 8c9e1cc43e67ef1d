import { sameFields } from '../../schema/same.js';
import { filledLater, freeze } from '../cells/freeze.js';
import { isFields } from '../journal/applyPatch.js';
import { isListing } from '../lists/members.js';
import { pageFieldsOf } from '../lists/pageFields.js';
import { Builder, type CopyOf } from './Builder.js';
import { denormalize, denormalizeList } from './denormalize.js';
import { readableFields } from './foreignFields.js';
import { allocateRow, relateRow } from './instances.js';
import { dirtyLinks, isMissing, isOpen, isRoot, isStale, rebuildParents, relink } from './nodes.js';
import { patchItems } from './patchItems.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Store } from '../cells/Store.js';
import { type CellNode, type Node, UNBUILT } from './Node.js';

const DEPTH_LIMIT = 100;

/** Thrown if a walk is too deep for the call stack. `#walk` then builds `node` first. */
class TooDeep extends Error {
  declare readonly node: Node;

  constructor(node: Node) {
    super();
    this.node = node;
  }
}

/**
 * Builds the dirty nodes of one store by recursion, children before parents.
 *
 * A node is open while the nodes below it are built. In a cycle, such as user ──▶ post ──▶ user,
 * the post refers to an open node. The first walk assumes that the user keeps its old object, and
 * builds the post with this object. If the user gets a new object after all, a second walk builds
 * the post with the new object. The fields of the new user are set after the post is built.
 *
 * A chain deeper than `DEPTH_LIMIT` is built in parts, the last part first. The nodes at which a
 * walk was interrupted stay open. So a walk through a long cycle meets an open node and ends:
 *
 * ```
 *   0 ──▶ … ──▶ 100 ──▶ … ──▶ 200       too deep at 100, then at 200: a walk from 200
 *   open         open           ▲        ends first, then one from 100, then one from 0
 * ```
 */
export class Reading {
  readonly #store: Store;
  readonly #copyOf: CopyOf | undefined;
  /** Optimization: the builders by level, used again for each node. */
  readonly #readers: Builder[] = [];
  #level = 0;
  /** The level at which the running walk began. A callback can start another walk. */
  #start = 0;
  /** The new objects of open nodes, to which rows in a cycle already refer. */
  readonly #given = new Map<Node, object | undefined>();
  /** Rows of a cycle that are missing, although other rows already refer to their new objects. */
  readonly #lost = new Set<Node>();
  /** Open nodes whose old objects were used in the first walk. */
  readonly #trusted = new Set<Node>();
  #isTrusting = true;
  /** Nodes whose new value differs from the object that rows in a cycle received. */
  readonly #wrong: Node[] = [];

  constructor(store: Store, copyOf?: CopyOf) {
    this.#store = store;
    this.#copyOf = copyOf;
  }

  read(node: Node): void {
    const start = this.#start;
    const level = this.#level;
    const isTrusting = this.#isTrusting;
    this.#start = level;
    this.#isTrusting = true;
    try {
      do {
        this.#store.rebuild += 1;
        this.#walk(node);
        this.#isTrusting = false;
      } while (this.#correct());
    } finally {
      this.#correct();
      this.#start = start;
      this.#level = level;
      this.#isTrusting = isTrusting;
      if (level === 0) {
        this.#lost.clear();
      }
    }
  }

  /** Marks rows that received a wrong object. Runs after a walk, because a walk clears marks. */
  #correct(): boolean {
    const wrong = this.#wrong.splice(0);
    wrong.forEach((node) => rebuildParents(this.#store, node, false));
    return wrong.length > 0;
  }

  #walk(node: Node): void {
    const path = [node];
    node.builtIn = ~node.builtIn;
    try {
      for (let next = path.at(-1); next; next = path.at(-1)) {
        try {
          this.#build(next);
          path.pop();
        } catch (error) {
          if (!(error instanceof TooDeep)) {
            throw error;
          }
          this.#level = this.#start;
          error.node.builtIn = ~error.node.builtIn;
          path.push(error.node);
        }
      }
    } catch (error) {
      path.forEach((open) => this.#fail(open, error));
      throw error;
    }
  }

  #update(node: Node): void {
    if (this.#level - this.#start >= DEPTH_LIMIT) {
      throw new TooDeep(node);
    }
    node.builtIn = ~node.builtIn;
    try {
      this.#build(node);
    } catch (error) {
      this.#fail(node, error);
      throw error;
    }
  }

  #valueOf(node: CellNode): unknown {
    if (isStale(node) && isOpen(node)) {
      return this.#trusts(node) ? node.value : this.#give(node);
    }
    if (isStale(node)) {
      this.#update(node);
    }
    return node.value;
  }

  /** Returns true if the old object of an open node can be used: only in the first walk. */
  #trusts(node: Node): boolean {
    const isTrusted = this.#isTrusting && node.value !== undefined;
    if (isTrusted) {
      this.#trusted.add(node);
    }
    return isTrusted;
  }

  #give(node: CellNode): object | undefined {
    if (this.#lost.has(node)) {
      return undefined;
    }
    if (!this.#given.has(node)) {
      const { cell, shape } = node;
      const open = this.#readers.slice(0, this.#level);
      const begun = open.find((reader) => reader.node === node)?.instance;
      const empty = isListing(cell.current) && cell.current.keys ? {} : [];
      const next =
        shape.kind === 'entity'
          ? allocateRow(cell, shape, readableFields(this.#store, cell, shape), node)
          : filledLater(empty);
      this.#given.set(node, begun ?? next);
    }
    return this.#given.get(node);
  }

  #close(node: Node): void {
    if (this.#given.size + this.#trusted.size === 0) {
      return;
    }
    const wasGiven = this.#given.delete(node);
    const wasTrusted = this.#trusted.delete(node);
    if (wasTrusted ? node.changedIn === this.#store.rebuild : wasGiven && this.#lost.has(node)) {
      this.#wrong.push(node);
    }
  }

  #fail(node: Node, error: unknown): void {
    node.builtIn = ~node.builtIn;
    if (!(error instanceof TooDeep)) {
      this.#store.broken.add(node);
    }
    this.#trusted.delete(node);
    if (this.#given.delete(node)) {
      rebuildParents(this.#store, node, false);
    }
  }

  #build(node: Node): void {
    const store = this.#store;
    const reader = (this.#readers[this.#level] ??= new Builder(
      store,
      (child) => this.#valueOf(child),
      this.#copyOf,
    ));
    this.#level += 1;
    reader.begin(node);
    const isSameSource = node.source === sourceOf(node);
    if (isSameSource && !this.#hasChangedBelow(node)) {
      finish(store, node, node.value);
    } else {
      this.#rebuild(node, reader, isSameSource);
    }
    this.#level -= 1;
    // The builder is kept, but it must not retain the rows that it read.
    reader.begin(undefined);
    this.#close(node);
  }

  #hasChangedBelow(node: Node): boolean {
    const builtIn = ~node.builtIn;
    let hasChanged = this.#given.has(node);
    for (const child of dirtyLinks(node)) {
      if (isStale(child) && !isOpen(child)) {
        this.#update(child);
      }
      hasChanged ||= isOpen(child) ? !this.#trusts(child) : child.changedIn > builtIn;
    }
    return hasChanged;
  }

  #rebuild(node: Node, reader: Builder, isSameSource: boolean): void {
    const store = this.#store;
    const isLost = this.#lost.has(node);
    const patched = isSameSource && !this.#given.has(node) ? patchItems(node) : undefined;
    if (isLost || patched) {
      // A missing row keeps its links, so that it is built again when they change.
      finish(store, node, patched);
      return;
    }
    const value = isRoot(node)
      ? denormalize(node.shape, node.current(), reader, node)
      : this.#content(node, reader);
    // From the same source, a node has the same links, unless a record changed its class.
    if (!isSameSource || reader.hasNewLink) {
      relink(node, reader.links);
    }
    finish(store, node, value);
  }

  #content(node: CellNode, reader: Builder): unknown {
    const { cell, shape } = node;
    if (shape.kind === 'entity') {
      return this.#row(node, shape, reader);
    }
    if (pageFieldsOf(node.source) !== pageFieldsOf(cell.current)) {
      // The object around a list is rebuilt when the page fields of the list change.
      node.changedIn = this.#store.rebuild;
    }
    const value = denormalizeList(shape, cell.current, reader, node);
    const given = this.#given.get(node);
    return given ? freeze(Object.assign(given, value)) : value;
  }

  #row(node: CellNode, shape: EntityShape, reader: Builder): unknown {
    const { cell, value: before } = node;
    const fields = readableFields(this.#store, cell, shape);
    const instance = this.#given.get(node) ?? allocateRow(cell, shape, fields, node);
    reader.instance = instance;
    const isWhole =
      !instance || !isFields(fields) || relateRow(shape, fields, instance, reader, node);
    const isNowMissing = cell.current === null || !isWhole;
    if (isNowMissing !== isMissing(node)) {
      // Rows that require this row are rebuilt, even if the value was undefined before and after.
      node.changedIn = this.#store.rebuild;
    }
    if (!isWhole && this.#given.has(node)) {
      this.#lost.add(node);
    }
    const isNew = this.#given.has(node) || !instance || !sameFields(before, instance);
    return isWhole ? (isNew ? instance : before) : undefined;
  }
}

function sourceOf(node: Node): unknown {
  return isRoot(node) ? node.current() : node.cell.current;
}

function finish(store: Store, node: Node, value: unknown): void {
  if (node.value !== value || node.source === UNBUILT) {
    node.value = value;
    node.changedIn = store.rebuild;
  }
  node.source = sourceOf(node);
  node.dirty = undefined;
  node.builtIn = store.rebuild;
}
