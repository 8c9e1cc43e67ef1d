import type { CollectionShape, EntityShape, Shape } from '../../schema/shapes.js';
import type { SelectionShape } from '../cells/Store.js';
import type { Cell } from '../cells/Cell.js';
import type { Result } from '../cells/Result.js';
import type { NodeSet } from './nodes.js';

/** Optimization: a single node, the usual case, needs no array. */
export type Links = CellNode | readonly CellNode[];

/** An object that readers receive, and the nodes of the rows and lists in it. */
export interface BuiltNode {
  parents: NodeSet;
  links: Links;
  /** The links that changed, or none if only the node itself changed. Undefined if up to date. */
  dirty: NodeSet;
  value: unknown;
  /** The stored value from which `value` was built; `UNBUILT` before the first build. */
  source: unknown;
  /** The number of the rebuild in which `value` became another object. */
  changedIn: number;
  /** The number of the rebuild in which the node was last built or checked. */
  builtIn: number;
}

export type Node = CellNode | Root;

export interface CellNode extends BuiltNode {
  readonly cell: Cell;
  readonly shape: EntityShape | CollectionShape | SelectionShape;
}

export interface Root extends BuiltNode {
  readonly shape: Shape;
  readonly args: readonly unknown[];
  readonly current: () => unknown;
  /** The result that the view reads; undefined for a query. */
  readonly result: Result | undefined;
  /** Called at the end of a commit that marked the root as dirty. */
  onChange: (() => void) | undefined;
  usedIn: number;
}

export const UNBUILT: unique symbol = Symbol('unbuilt');
