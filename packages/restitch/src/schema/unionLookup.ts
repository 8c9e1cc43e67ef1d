import { type Candidate, type Choosing, type Finding, type Found, Lookup } from './Lookup.js';
import type { References } from './KindMethods.js';
import { lastOf } from './rowLookup.js';
import { isObject } from './same.js';
import type { EntityShape } from './shapes.js';

export function rowCandidate(shape: EntityShape, pk: string): Candidate {
  return {
    shape,
    text: pk,
    walk: (sink) => sink.row(shape, pk),
    cell: (finder) => finder.known(shape, pk),
  };
}

/**
 * The row of any class of a union. Each class has its own rows, so after draft 1 became post 1,
 * both rows match the key 1. But image 1 and video 1 can be two records. A query resolves to the
 * newest row. An endpoint without a response uses `unique`: if several rows match, the lookup has
 * no row, so the endpoint sends its request.
 */
export class UnionLookup extends Lookup {
  readonly #candidates: readonly Candidate[];
  /** Returns true if the row has the class of the candidate: several classes can share a table. */
  readonly #isOfClass: (candidate: Candidate, fields: object) => boolean;
  readonly #isUnique: boolean;

  constructor(
    candidates: readonly Candidate[],
    isOfClass: (candidate: Candidate, fields: object) => boolean,
    isUnique = false,
  ) {
    super();
    this.#candidates = candidates;
    this.#isOfClass = isOfClass;
    this.#isUnique = isUnique;
  }

  walk(sink: References): void {
    for (const candidate of this.#candidates) {
      candidate.walk(sink);
    }
  }

  choose(sink: Choosing): unknown {
    const all = this.#candidates.map((candidate) => ({
      candidate,
      row: lastOf(candidate.walk(sink)),
    }));
    const found = all.filter(
      ({ candidate, row }) => isObject(row) && this.#isOfClass(candidate, row),
    );
    if (found.length < 2) {
      return found[0]?.row;
    }
    return this.#isUnique ? undefined : newest(found, (one) => rivalCell(sink, one.candidate))?.row;
  }

  cell(finder: Finding): Found | undefined {
    const cells = this.#candidates.map((candidate) => candidate.cell(finder));
    const present = cells.filter((cell) => isObject(cell?.current));
    return newest(present, (cell) => cell) ?? cells.find((cell) => cell !== undefined);
  }

  unique(): UnionLookup {
    return new UnionLookup(this.#candidates, this.#isOfClass, true);
  }

  toString(): string {
    return JSON.stringify(this.#candidates.map(({ text }) => text));
  }
}

/** Sets `hasRivals`, because even a response with equal content makes its row the newest. */
function rivalCell({ store }: Choosing, candidate: Candidate): Found | undefined {
  const table = store.rows.get(candidate.shape.table);
  if (table) {
    table.hasRivals = true;
  }
  return candidate.cell({ store, known: (_, pk) => table?.cells.get(pk) });
}

function newest<T>(all: readonly T[], cellOf: (one: T) => Found | undefined): T | undefined {
  let best: { readonly one: T; readonly cell: Found | undefined } | undefined;
  for (const one of all) {
    const cell = cellOf(one);
    best = best && !isNewer(cell, best.cell) ? best : { one, cell };
  }
  return best?.one;
}

/** Hydrated rows have no `tick`, so times count. Rows of one export differ only in `expiresAt`. */
function isNewer(cell: Found | undefined, other: Found | undefined): boolean {
  if (!cell || !other) {
    return cell !== undefined;
  }
  const { lifetime: a } = cell;
  const { lifetime: b } = other;
  const isTimed = a.tick === undefined || b.tick === undefined;
  const later = isTimed ? a.fetchedAt - b.fetchedAt || a.expiresAt - b.expiresAt : 0;
  return (later || (a.tick ?? 0) - (b.tick ?? 0)) > 0;
}
