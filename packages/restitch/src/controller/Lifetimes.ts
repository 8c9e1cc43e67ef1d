import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Lifetime } from '../store/cells/results.js';
import type { ControllerOptions } from './ControllerOptions.js';

/** Milliseconds: a reader that waits has to see the error before it may ask again, or it would ask for ever. */
const SHORTEST_ERROR = 100;

/** How long what is stored now counts as fresh. */
export class Lifetimes {
  readonly #now: () => number;
  readonly #dataLength: number;
  readonly #errorLength: number;

  /** The lengths of the options hold where an endpoint sets none. */
  constructor(
    now: () => number,
    { dataExpiryLength = 60_000, errorExpiryLength = 1_000 }: ControllerOptions,
  ) {
    this.#now = now;
    this.#dataLength = dataExpiryLength;
    this.#errorLength = errorExpiryLength;
  }

  ofData({ dataExpiryLength = this.#dataLength }: Partial<EndpointInterface> = {}): Lifetime {
    return this.#from(dataExpiryLength);
  }

  /** Whether results are kept once their last reader has left. */
  isKept({ dataExpiryLength = this.#dataLength }: EndpointInterface): boolean {
    return dataExpiryLength !== 0;
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
