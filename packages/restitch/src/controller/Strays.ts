import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { isOwnText } from '../schema/identity.js';
import type { Result } from '../store/cells/Result.js';
import { isUntouched } from './resultOf.js';

/** The maximum of consecutive requests to new function endpoints, each right after a response. */
const MOST = 50;

/** Milliseconds after a response within which a render counts as its consequence. */
const AT_ONCE = 100;

/**
 * Detects a function endpoint that is created during render. Each one has its own cache key, so the
 * component would fetch forever:
 *
 * ```
 *   render ──▶ another endpoint ──▶ request ──▶ response ──▶ render ──▶ …
 * ```
 */
export class Strays {
  readonly #now: () => number;
  #respondedAt = 0;
  #hasResponded = false;
  #inRow = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records the end of a request. */
  noteEnd(key: string): void {
    if (isOwnText(key)) {
      this.#respondedAt = this.#now();
      this.#hasResponded = true;
    }
  }

  /** Records a reader's request. Throws after too many consecutive requests to new endpoints. */
  begin({ name }: EndpointInterface, result: Result): void {
    if (!isUntouched(result) || !isOwnText(result.key)) {
      return;
    }
    // Requests after the same response count once, such as those of the rows of a list.
    if (this.#now() - this.#respondedAt > AT_ONCE) {
      this.#inRow = 0;
    } else if (this.#hasResponded) {
      this.#inRow += 1;
    }
    this.#hasResponded = false;
    if (this.#inRow > MOST) {
      throw new RestitchError(
        'too-many-endpoints',
        isDevelopment
          ? `${name || 'An endpoint'}: each render asks another endpoint. Declare endpoints outside of components, or give them a \`key\`.`
          : name,
      );
    }
  }
}
