import { setField } from '../../schema/fields.js';
import type { EntityShape } from '../../schema/shapes.js';
import { rowTable } from '../cells/tables.js';
import type { Sink } from './references.js';
import { isFields } from '../journal/fold.js';
import { isObject } from '../cells/plainValues.js';
import { indexedRow } from '../lists/selections.js';
import type { Cell } from '../cells/Cell.js';
import type { CellNode } from './Node.js';
import type { Store } from '../cells/Store.js';

/**
 * What arguments name in the store where nothing else is in an object, as in `{ data: User }`: the reference stands under the
 * field. The object reads as missing while that is, which a stored one would not.
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
 * What arguments name in the store where that is not one primary key: the first of some candidates that is there. It is held
 * by roots as a reference, and never stored.
 */
export class Lookup {
  readonly candidates: readonly Candidate[];
  /** Whether a row that was found is meant by a candidate: several may be classes of one row. */
  readonly #isMeant: (candidate: Candidate, fields: object) => boolean;

  constructor(
    candidates: readonly Candidate[],
    isMeant: (candidate: Candidate, fields: object) => boolean,
  ) {
    this.candidates = candidates;
    this.#isMeant = isMeant;
  }

  /** Tells of each candidate: whoever looks hears when any of them comes or goes. */
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

  /** The row to show, given the candidates' nodes. */
  choose(nodes: readonly CellNode[]): unknown {
    const rows = nodes.map(({ value }): unknown => (Array.isArray(value) ? value.at(-1) : value));
    return rows.find((row, index) => {
      const candidate = this.candidates[index];
      return isObject(row) && candidate !== undefined && this.#isMeant(candidate, row);
    });
  }

  /** The cell of the row that is there; else of one that something is known of, if only that it was deleted. */
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
