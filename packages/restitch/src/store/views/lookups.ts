import { setField } from '../../schema/fields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { rowTable } from '../cells/tables.js';
import type { Sink } from './references.js';
import { isFields } from '../journal/applyPatch.js';
import { isObject } from '../cells/plainValues.js';
import { indexedRow } from '../lists/selections.js';
import type { Cell } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

/**
 * The reference that arguments name, for an object with a single field, as in `{ data: User }`. It
 * is stored under that field. Unlike a stored object, it reads as missing if its content is
 * missing.
 */
export class Envelope {
  constructor(field: string, reference: unknown) {
    setField(this, field, reference);
  }
}

/** A row by its primary key, or by a value in an indexed field. */
export type Candidate =
  | { readonly shape: EntityShape; readonly pk: string }
  | { readonly shape: EntityShape; readonly field: string; readonly text: string };

/**
 * A reference by arguments other than one primary key: the first existing row among several
 * candidates. Roots hold it as a reference; it is never stored.
 */
export class Lookup {
  readonly candidates: readonly Candidate[];
  /**
   * Returns true if a candidate selects the row that was found. Several candidates can be classes
   * of one row.
   */
  readonly #isMeant: (candidate: Candidate, fields: object) => boolean;

  constructor(
    candidates: readonly Candidate[],
    isMeant: (candidate: Candidate, fields: object) => boolean,
  ) {
    this.candidates = candidates;
    this.#isMeant = isMeant;
  }

  /**
   * Passes each candidate to the sink, so that readers are notified when a candidate is added or
   * deleted.
   */
  walk(sink: Sink): void {
    for (const candidate of this.candidates) {
      const { shape } = candidate;
      if ('pk' in candidate) {
        sink.row(shape, candidate.pk);
      } else {
        sink.selection(shape, candidate.field, candidate.text);
      }
    }
  }

  /** Returns the value of the selected row, given the nodes of the candidates. */
  choose(nodes: readonly CellNode[]): unknown {
    const rows = nodes.map(({ value }): unknown => (Array.isArray(value) ? value.at(-1) : value));
    return rows.find((row, index) => {
      const candidate = this.candidates[index];
      return isObject(row) && candidate !== undefined && this.#isMeant(candidate, row);
    });
  }

  /**
   * Returns the cell of the first existing row, otherwise the first known cell, which can be a
   * tombstone.
   */
  cell(store: Store): Cell | undefined {
    let known: Cell | undefined;
    for (const candidate of this.candidates) {
      const { shape } = candidate;
      const cell =
        'pk' in candidate
          ? rowTable(store, shape).cells.get(candidate.pk)
          : indexedRow(store, shape, candidate.field, candidate.text);
      if (cell && isFields(cell.shown)) {
        return cell;
      }
      known ??= cell;
    }
    return known;
  }
}
