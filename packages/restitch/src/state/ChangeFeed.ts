import type { Touched } from '../controller/observeChanges.js';
import { resultSignature } from './resultSignature.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import { isTemporaryKey } from '../store/cells/keys.js';
import { equal } from '../store/cells/plainValues.js';
import type { Result } from '../store/cells/Result.js';
import { type Lifetime, resultsIn, resultsOf } from '../store/cells/results.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import type { Declarations, ResultState } from '../store/cells/StoreState.js';
import type { ResultChange, RowChange } from './ChangeSet.js';
import { declarationsOf } from './fieldDeclarations.js';
import { lostFieldsOf } from './incomplete.js';
import type { Encoding } from './json.js';
import { refuseUnnamed } from './requireNames.js';
import {
  confirmedOf,
  endOf,
  finite,
  listState,
  partOf,
  rowState,
  stateOfResult,
  withCarried,
} from './exportedParts.js';
import { type Changes, isSame, WaitingParts } from './WaitingParts.js';

interface Reported {
  readonly stored: Stored;
  readonly meta: Lifetime;
  readonly lost: readonly string[];
  rankedAt?: number;
}

interface Name {
  readonly key: string;
  readonly declared: Declarations | undefined;
}

/** Compares the confirmed data of a store with the data that was reported before. */
export class Feed {
  readonly #store: Store;
  readonly #waiting: WaitingParts;
  readonly #cells = new WeakMap<Cell, Reported>();
  readonly #results = new WeakMap<Result, ResultState>();
  /** The temporary keys of created rows, until the server returns real keys. */
  readonly #temporaries = new WeakMap<Cell, string>();
  /** The rows that refer to a temporary key, with the fields that were reported. */
  readonly #unresolved = new Map<Cell, RowChange['fields']>();
  #isUnresolved = false;
  readonly #noteReference = (): void => {
    this.#isUnresolved = true;
  };
  #encoding: Encoding;
  /** Tables and results without a name in other programs. Each one causes only one error. */
  readonly #refused = new WeakSet<object>();
  readonly #names = new WeakMap<object, Name>();
  readonly #classes = new WeakMap<RowTable, RowTable['shapes']>();
  /** The tables whose classes now declare a field in another way. All rows are reported again. */
  readonly #redeclared = new Set<RowTable>();

  /** Only changes after this call are reported. After a reset (`isNew`), all data is reported. */
  constructor(store: Store, isNew = false) {
    this.#store = store;
    this.#encoding = { named: refuseUnnamed, names: store.named };
    this.#waiting = new WaitingParts(store, this.#encoding);
    if (isNew) {
      return;
    }
    this.#noteClasses();
    const cells = [...store.rows.values(), ...store.lists.values()].flatMap((table) => [
      ...table.cells.values(),
    ]);
    cells.forEach((cell) => this.#noteTemporary(cell));
    const changes: Changes = { rows: [], lists: [], results: [] };
    for (const cell of cells) {
      // Optimization: values are encoded only if temporary keys exist.
      if (this.#encoding.noteTemporary) {
        this.#compare(cell, 0, undefined, changes);
      } else {
        this.#cells.set(cell, this.#confirmed(cell));
      }
    }
    for (const { key } of resultsIn(store)) {
      this.#compareResults(key, changes.results);
    }
  }

  take({ cells, results, isOfWaiting }: Touched): Changes | undefined {
    const changes: Changes = { rows: [], lists: [], results: [] };
    if (isOfWaiting) {
      this.#waiting.takeChanges(changes);
    }
    const renamed = this.#renamed(cells.keys());
    this.#noteClasses();
    for (const { cells: rows } of this.#redeclared) {
      for (const [pk, cell] of rows) {
        // If a created row has a real key, its temporary key still leads to its cell.
        if (pk === cell.pk && !cells.has(cell)) {
          this.#compare(cell, 0, renamed, changes);
        }
      }
    }
    for (const [cell, rankedAt] of cells) {
      this.#noteTemporary(cell);
      this.#compare(cell, rankedAt, renamed, changes);
    }
    for (const cell of renamed.size > 0 ? this.#unresolved.keys() : []) {
      if (!cells.has(cell)) {
        this.#compare(cell, 0, renamed, changes);
      }
    }
    for (const key of new Set(Array.from(results, (result) => result.key))) {
      this.#compareResults(key, changes.results);
    }
    const { rows, lists } = changes;
    return rows.length + lists.length + changes.results.length > 0 ? changes : undefined;
  }

  #noteClasses(): void {
    this.#redeclared.clear();
    for (const table of this.#store.rows.values()) {
      const { shapes } = table;
      const before = this.#classes.get(table) ?? shapes;
      if (before !== shapes && !equal(declarationsOf(before, asIs), declarationsOf(shapes, asIs))) {
        this.#redeclared.add(table);
      }
      this.#classes.set(table, shapes);
    }
  }

  #noteTemporary(cell: Cell): void {
    const { pk, table } = cell;
    const isSuspect = pk.startsWith('~') || pk.startsWith('-');
    if (isSuspect && table.kind === 'rows' && isTemporaryKey(pk)) {
      this.#temporaries.set(cell, pk);
      this.#encoding = { ...this.#encoding, noteTemporary: this.#noteReference };
    }
  }

  #renamed(cells: Iterable<Cell>): ReadonlyMap<string, string> {
    const renamed = new Map<string, string>();
    for (const cell of this.#encoding.noteTemporary ? cells : []) {
      const temporary = this.#temporaries.get(cell);
      if (temporary !== undefined && cell.pk !== temporary) {
        this.#temporaries.delete(cell);
        renamed.set(nameOf(cell), temporary);
      }
    }
    return renamed;
  }

  #compare(
    cell: Cell,
    writtenAt: number,
    renamed: ReadonlyMap<string, string> | undefined,
    changes: Changes,
  ): void {
    const { table, lifetime: meta } = cell;
    if (table.kind === 'selection') {
      return;
    }
    const { stored, lost } = this.#confirmed(cell);
    if (stored === undefined) {
      return;
    }
    const reported: Reported | undefined = this.#cells.get(cell) ?? this.#waiting.moved(cell);
    const rankedAt = Math.max(writtenAt, reported?.rankedAt ?? 0) || meta.fetchedAt;
    const renamedFrom = renamed && renamed.size > 0 ? renamed.get(nameOf(cell)) : undefined;
    const isEqual = reported !== undefined && equal(reported.stored, stored);
    const isResolved = renamed !== undefined && renamed.size > 0 && this.#unresolved.has(cell);
    const isRedeclared = stored !== null && table.kind === 'rows' && this.#redeclared.has(table);
    const isKnown = isEqual && renamedFrom === undefined && !isResolved && !isRedeclared;
    if (isKnown && equal(reported.lost, lost) && !isRenewed(reported.meta, meta, writtenAt > 0)) {
      reported.rankedAt = rankedAt;
      this.#cells.set(cell, reported);
      return;
    }
    this.#cells.set(cell, { stored, meta, lost, rankedAt });
    const name = this.#named(table);
    if (name && table.kind === 'lists') {
      const state = listState({ stored, meta, args: cell.list?.args }, this.#encoding);
      if (state) {
        changes.lists.push({ kind: name.key, ...state });
      }
    } else if (name) {
      const more = { rankedAt, ...(renamedFrom !== undefined && { renamedFrom }) };
      // If only a temporary key may have been replaced, a row with equal fields is not reported.
      const mustDiffer = isResolved && isEqual && !isRedeclared && renamedFrom === undefined;
      this.#reportRow(cell, name, more, mustDiffer, changes);
    }
  }

  #reportRow(
    cell: Cell,
    { key, declared }: Name,
    more: Pick<RowChange, 'rankedAt' | 'renamedFrom'>,
    mustDiffer: boolean,
    changes: Changes,
  ): void {
    this.#isUnresolved = false;
    const part = partOf(this.#store, cell, confirmedOf(this.#store, cell), declared);
    const state = rowState(cell.pk, part, this.#encoding);
    if (!state) {
      return;
    }
    if (!mustDiffer || !equal(this.#unresolved.get(cell), state.fields)) {
      changes.rows.push({ entity: key, ...state, ...more });
    }
    if (this.#isUnresolved) {
      this.#unresolved.set(cell, state.fields);
    } else {
      this.#unresolved.delete(cell);
    }
  }

  #confirmed(cell: Cell): Reported {
    const confirmed = confirmedOf(this.#store, cell);
    return {
      stored: withCarried(this.#store, cell, confirmed),
      meta: cell.lifetime,
      lost: lostFieldsOf(this.#store, cell, confirmed),
    };
  }

  #compareResults(key: string, changes: ResultChange[]): void {
    for (const result of resultsOf(this.#store, key)) {
      const { status, start } = result;
      // An evicted result has the `start` 0. Receivers of the changes keep such a result.
      if (status !== 'value' && start === 0) {
        continue;
      }
      const reported =
        this.#results.get(result) ?? this.#waiting.movedResult(key, resultSignature(result));
      const state = this.#allowed(result, () => stateOfResult(this.#store, result, this.#encoding));
      if (state) {
        this.#results.set(result, state);
        if (!isSame(reported, state)) {
          changes.push(state);
        }
      } else if (reported) {
        this.#results.delete(result);
        // Another result may be added under the same key and schema, so removals come first.
        changes.unshift({ key: reported.key, schema: reported.schema, gone: true });
      }
    }
  }

  #named(table: RowTable | ListTable): Name | undefined {
    // The key is `shapes`, which a new class replaces, so the declarations are computed again.
    const subject = table.kind === 'rows' ? table.shapes : table;
    const known = this.#names.get(subject);
    if (known) {
      return known;
    }
    const { named } = this.#encoding;
    const name = this.#allowed(subject, () =>
      table.kind === 'rows'
        ? {
            key: named(table.key, table.shapes[0]),
            declared: declarationsOf(table.shapes, named),
          }
        : { key: named(table.key, table.list), declared: undefined },
    );
    if (name) {
      this.#names.set(subject, name);
    }
    return name;
  }

  #allowed<T>(subject: object, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!this.#refused.has(subject)) {
        this.#refused.add(subject);
        this.#store.report(error);
      }
      return undefined;
    }
  }
}

const asIs = (text: string): string => text;

function nameOf({ table, pk }: Cell): string {
  return table.kind === 'rows' ? `${table.key}\n${pk}` : '';
}

/**
 * A lifetime whose end moves by less than a quarter is not reported. Otherwise, each poll of a long
 * list would report all its rows.
 */
function isRenewed(reported: Lifetime, now: Lifetime, isWrite: boolean): boolean {
  // While a row is expired, `endOf` stays 0, so no change is reported.
  const gain = Math.abs(endOf(now) - endOf(reported));
  return (
    (isWrite || now.expiredIn !== undefined) &&
    gain > 0 &&
    gain * 4 >= finite(now.expiresAt) - now.fetchedAt
  );
}
