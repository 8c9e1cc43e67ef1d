import { type Candidate, type Finding, type Found, Lookup } from './Lookup.js';
import type { References } from './KindMethods.js';

/** The row of one class. */
export class RowLookup extends Lookup {
  readonly #candidate: Candidate;

  constructor(candidate: Candidate) {
    super();
    this.#candidate = candidate;
  }

  walk(sink: References): void {
    this.#candidate.walk(sink);
  }

  choose(sink: References): unknown {
    return lastOf(this.#candidate.walk(sink));
  }

  cell(finder: Finding): Found | undefined {
    return this.#candidate.cell(finder);
  }

  unique(): this {
    return this;
  }

  toString(): string {
    return this.#candidate.text;
  }
}

/** Of several rows with the same indexed value, the last row counts. */
export function lastOf(found: unknown): unknown {
  return Array.isArray(found) ? found.at(-1) : found;
}
