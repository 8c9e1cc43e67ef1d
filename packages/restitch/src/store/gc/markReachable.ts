import type { ListArgs } from '../../schema/Collection.js';
import type { CollectionShape, EntityShape, Shape } from '../../schema/shapes.js';
import { walk, type Sink } from '../views/walkReferences.js';
import { listKey } from '../cells/keys.js';
import { listTable, rowTable } from '../cells/tables.js';
import { baseOf, patchesOf } from '../journal/patches.js';
import { own } from '../cells/plainValues.js';
import type { AddMember } from '../journal/operations.js';
import type { Cell, Listing } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Root } from '../views/Node.js';

/** Work that can be paused after each step. */
export type Steps = Generator<undefined, void, undefined>;

/** Data that an optimistic update hides counts as used: a rollback can restore the data. */
export class Marking implements Sink {
  rows = 0;
  /** Cells and roots that were used since the last call of `restUsed`. */
  readonly used: Set<Cell | Root> = new Set();
  /** Readers can read lazy records at any time. */
  readonly followsLazy = true;
  declare readonly sweep: number;
  declare readonly store: Store;
  #open: (readonly [shape: Shape, value: unknown])[] = [];
  /** The cells marked since `begin`; `#before` is the number of marked rows at that time. */
  #recent: Cell[] = [];
  #before = 0;

  constructor(store: Store, sweep: number) {
    this.store = store;
    this.sweep = sweep;
  }

  readonly has = ({ usedIn }: Pick<Cell, 'usedIn'>): boolean => usedIn >= this.sweep;

  /** Hydrated rows and lists wait until their table is created. Used data may refer to them. */
  row(shape: EntityShape, pk: string): void {
    const { hydrated, rows } = this.store;
    const table = hydrated ? rowTable(this.store, shape) : rows.get(shape.table);
    this.take(table?.cells.get(pk));
  }

  list(shape: CollectionShape, args: ListArgs): void {
    const { hydrated, lists } = this.store;
    const table = hydrated ? listTable(this.store, shape) : lists.get(shape.key);
    this.take(table?.cells.get(listKey(args)));
  }

  take(cell: Cell | undefined): void {
    if (cell && !this.has(cell)) {
      cell.usedIn = this.sweep;
      this.rows += cell.table.kind === 'rows' && cell.current ? 1 : 0;
      this.#recent.push(cell);
      this.contents(cell);
    }
  }

  value(shape: Shape, value: unknown): void {
    this.#open.push([shape, value]);
  }

  contents(cell: Cell): void {
    const { table, current, list } = cell;
    const stored = new Set<object | null | undefined>([baseOf(cell), current]);
    for (const { operation } of patchesOf(cell)) {
      stored.add('fields' in operation ? operation.fields : operation);
    }
    for (const one of stored) {
      if (table.kind === 'rows') {
        for (const { related } of one ? table.shapes : []) {
          for (const [field, part] of related) {
            this.value(part, own(one ?? {}, field));
          }
        }
      } else {
        // The cast: listings and operations have one of these properties, or neither.
        const { members, member } = { ...one } as Partial<Listing & AddMember>;
        const shape = table.kind === 'lists' ? (list?.shape ?? table.list).member : table.shape;
        for (const item of members ?? [member]) {
          this.value(shape, item);
        }
      }
    }
  }

  *rest(): Steps {
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      walk(...next, this);
      yield;
    }
  }

  /** After the last step, all used data is marked, until the program runs again. */
  *restUsed(): Steps {
    do {
      for (const one of this.used) {
        this.used.delete(one);
        if ('links' in one) {
          this.value(one.shape, one.current());
        } else {
          this.contents(one);
        }
      }
      yield* this.rest();
    } while (this.used.size > 0);
  }

  begin(): void {
    this.#recent = [];
    this.#before = this.rows;
  }

  /** Cells that the program used since `begin` stay marked. */
  *undo(): Steps {
    this.#open = [];
    this.rows = this.#before;
    for (const cell of this.#recent) {
      if (cell.usedIn === this.sweep) {
        cell.usedIn = 0;
      }
      yield;
    }
  }
}
