import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Lifetime } from '../store/results.js';

/** Milliseconds: a reader that waits has to see the error before it may ask again, or it would ask for ever. */
const SHORTEST_ERROR = 100;

/** How long what is stored now counts as fresh. */
export class Lifetimes {
  readonly #now: () => number;
  readonly #dataLength: number;
  readonly #errorLength: number;

  /** The lengths hold where an endpoint sets none, in milliseconds. */
  constructor(now: () => number, dataLength = 60_000, errorLength = 1_000) {
    this.#now = now;
    this.#dataLength = dataLength;
    this.#errorLength = errorLength;
  }

  ofData({ dataExpiryLength = this.#dataLength }: Partial<EndpointInterface> = {}): Lifetime {
    return this.#from(dataExpiryLength);
  }

  ofError({ errorExpiryLength = this.#errorLength }: EndpointInterface): Lifetime {
    // What is no number at all must not make an error immortal.
    return this.#from(errorExpiryLength > SHORTEST_ERROR ? errorExpiryLength : SHORTEST_ERROR);
  }

  #from(length: number): Lifetime {
    const fetchedAt = this.#now();
    return { fetchedAt, expiresAt: fetchedAt + length };
  }
}
