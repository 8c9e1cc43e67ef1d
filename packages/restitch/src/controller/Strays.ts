import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { isOwnText } from '../schema/identity.js';
import type { Result } from '../store/cells/Result.js';
import { isUntouched } from './registers.js';

/** How often in a row a reader may ask another function endpoint as soon as the last one was answered. */
const MOST = 50;

/** Milliseconds after an answer within which a component has rendered because of it. */
const AT_ONCE = 100;

/**
 * Ends what a function endpoint that is made in a component would do for ever, since each one asks a question of its own:
 *
 * ```
 *   render ──▶ another endpoint ──▶ request ──▶ answer ──▶ render ──▶ …
 * ```
 */
export class Strays {
  readonly #now: () => number;
  #answeredAt = 0;
  #isAnswered = false;
  #inRow = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A request with this key has ended. */
  noteEnd(key: string): void {
    if (isOwnText(key)) {
      this.#answeredAt = this.#now();
      this.#isAnswered = true;
    }
  }

  /** A reader sends a request. Throws once it is the first one to another endpoint right after an answer, again and again. */
  begin({ name }: EndpointInterface, result: Result): void {
    if (!isUntouched(result) || !isOwnText(result.key)) {
      return;
    }
    // Many that begin after one answer, as the rows of a list do, count once.
    if (this.#now() - this.#answeredAt > AT_ONCE) {
      this.#inRow = 0;
    } else if (this.#isAnswered) {
      this.#inRow += 1;
    }
    this.#isAnswered = false;
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
