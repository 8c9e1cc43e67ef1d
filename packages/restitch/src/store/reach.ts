import type { CollectionShape, EntityShape, Shape } from '../schema/shape.js';
import type { ListArgs } from '../schema/Collection.js';
import { walk, type Sink } from './collect.js';
import { isFields } from './fold.js';
import { listKey } from './keys.js';
import { isListing } from './listing.js';
import { isObject, own } from './record.js';
import { allCell, indexCell } from './selections.js';
import type { Operation } from './operations.js';
import { baseOf, patchesOf } from './patches.js';
import type { Cell, RowTable, Store, Stored } from './state.js';

/** Work that can be paused after each step. */
export type Steps = Generator<undefined, void, undefined>;

/**
 * Marks the cells that stored values lead to, through records rather than through what readers built: base, patches and what
 * is shown, since a rollback may show any of them again. A mark is the number of the sweep in `usedIn`.
 */
export class Reach implements Sink {
  /** How many rows that are there were marked. */
  rows = 0;
  /** Whoever reads the keys of a lazy relation may ask for its records: nobody else would bring them again. */
  readonly followsLazy = true;
  readonly #store: Store;
  readonly #sweep: number;
  /** Marked, but what they lead to is not. */
  readonly #open: Cell[] = [];
  /** What was marked since `begin`, to be taken back by `undo`. */
  #recent: Cell[] | undefined;

  constructor(store: Store, sweep: number) {
    this.#store = store;
    this.#sweep = sweep;
  }

  has(cell: Cell): boolean {
    return cell.usedIn >= this.#sweep;
  }

  row({ table }: EntityShape, pk: string): void {
    this.cell(this.#store.rows.get(table)?.cells.get(pk));
  }

  list({ key }: CollectionShape, args: ListArgs): void {
    this.cell(this.#store.lists.get(key)?.cells.get(listKey(args)));
  }

  selection(shape: EntityShape, field?: string, text = ''): void {
    const store = this.#store;
    this.cell(field === undefined ? allCell(store, shape) : indexCell(store, shape, field, text));
  }

  cell(cell: Cell | undefined): void {
    if (cell && !this.has(cell)) {
      cell.usedIn = this.#sweep;
      this.rows += isFields(cell.shown) ? 1 : 0;
      this.#open.push(cell);
      this.#recent?.push(cell);
    }
  }

  /** What a normalized value leads to, and so on. */
  *value(shape: Shape, value: unknown): Steps {
    yield* this.#parts(shape, value);
    yield* this.rest();
  }

  /** What a cell leads to, and so on, whether or not the cell is marked. */
  *from(cell: Cell): Steps {
    this.cell(cell);
    yield* this.#contents(cell);
    yield* this.rest();
  }

  /** What the marked cells lead to. */
  *rest(): Steps {
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      yield* this.#contents(next);
    }
  }

  /** From here on marks can be taken back. */
  begin(): void {
    this.#recent = [];
  }

  /** Takes back what was marked since `begin`, except what was used meanwhile. The walk may have stopped midway. */
  *undo(): Steps {
    this.#open.length = 0;
    for (const cell of this.#recent ?? []) {
      if (cell.usedIn === this.#sweep) {
        cell.usedIn = 0;
        this.rows -= isFields(cell.shown) ? 1 : 0;
      }
      yield;
    }
    this.#recent = undefined;
  }

  *#contents(cell: Cell): Steps {
    const base = baseOf(cell);
    yield* this.#stored(cell, base);
    if (cell.shown !== base) {
      yield* this.#stored(cell, cell.shown);
    }
    for (const { operation } of patchesOf(cell)) {
      yield* 'fields' in operation
        ? this.#stored(cell, operation.fields)
        : this.#members(cell, membersIn(operation));
    }
  }

  *#stored(cell: Cell, stored: Stored): Steps {
    const { table } = cell;
    if (table.kind === 'rows') {
      if (isFields(stored)) {
        yield* this.#fields(table, stored);
      }
    } else if (isListing(stored)) {
      yield* this.#members(cell, stored.members);
    }
  }

  *#members({ table, list }: Cell, members: readonly unknown[]): Steps {
    for (const member of members) {
      if (table.kind === 'lists') {
        walk((list?.shape ?? table.list).member, member, this);
      } else if (table.kind === 'selection') {
        this.cell(table.rows.cells.get(String(member)));
      }
      yield;
    }
  }

  *#fields({ shapes }: RowTable, fields: object): Steps {
    for (const { relations } of shapes) {
      for (const [field, part] of relations) {
        yield* this.#parts(part, own(fields, field));
      }
    }
    yield;
  }

  /** In steps, however many items an array has. */
  *#parts(shape: Shape, value: unknown): Steps {
    if (shape.kind === 'array' && Array.isArray(value)) {
      for (const item of value) {
        yield* this.#parts(shape.member, item);
      }
    } else if (shape.kind === 'object' && isObject(value)) {
      for (const [field, part] of shape.fields) {
        yield* this.#parts(part, own(value, field));
      }
    } else if (shape.kind === 'lazy') {
      yield* this.#parts(shape.member, value);
    } else {
      walk(shape, value, this);
      yield;
    }
  }
}

/** The members that an operation would store: they have to stay as long as it may still be applied. */
function membersIn(operation: Operation): readonly unknown[] {
  switch (operation.type) {
    case 'replace':
    case 'page':
      return operation.members;
    case 'add':
    case 'assign':
      return [operation.member];
    default:
      return [];
  }
}
