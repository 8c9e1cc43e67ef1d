import { type Candidate, type Finding, type Found, Lookup } from './Lookup.js';
import type { References } from './KindMethods.js';
import { isObject } from './same.js';
import type { EntityShape } from './shapes.js';

export function rowCandidate(shape: EntityShape, pk: string): Candidate {
  return {
    shape,
    walk: (sink) => sink.row(shape, pk),
    cell: (finder) => finder.known(shape, pk),
  };
}

export class RowLookup extends Lookup {
  readonly #candidates: readonly Candidate[];
  /** Returns true if the row has the class of the candidate: several classes can share a table. */
  readonly #isOfClass: (candidate: Candidate, fields: object) => boolean;

  constructor(
    candidates: readonly Candidate[],
    isOfClass: (candidate: Candidate, fields: object) => boolean = () => true,
  ) {
    super();
    this.#candidates = candidates;
    this.#isOfClass = isOfClass;
  }

  walk(sink: References): void {
    for (const candidate of this.#candidates) {
      candidate.walk(sink);
    }
  }

  choose(sink: References): unknown {
    const rows = this.#candidates.map((candidate) => {
      const value = candidate.walk(sink);
      // Of several rows with the same indexed value, the last row counts.
      return { candidate, row: Array.isArray(value) ? value.at(-1) : value };
    });
    return rows.find(({ candidate, row }) => isObject(row) && this.#isOfClass(candidate, row))?.row;
  }

  cell(finder: Finding): Found | undefined {
    const cells = this.#candidates.map((candidate) => candidate.cell(finder));
    return (
      cells.find((cell) => isObject(cell?.current)) ?? cells.find((cell) => cell !== undefined)
    );
  }
}
