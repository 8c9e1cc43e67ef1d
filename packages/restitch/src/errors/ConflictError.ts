import { NetworkError } from './NetworkError.js';
import { setName } from './RestitchError.js';

/**
 * The error of a change that the server rejected, because the record has changed since it was read.
 * The server responded with status 412 to the `If-Match` header of a `versioned` endpoint.
 *
 * @remarks `body` is the record on the server, if the response contains it.
 *
 * @example
 * ```ts
 * import { ConflictError } from 'restitch';
 *
 * export const bothSides = (error: unknown) =>
 *   error instanceof ConflictError ? { mine: error.sent, theirs: error.body } : undefined;
 * ```
 */
export class ConflictError<Body = unknown> extends NetworkError<Body> {
  static {
    setName(this.prototype, 'ConflictError');
  }

  /** The body of the rejected request. Undefined for a delete. */
  readonly sent: unknown;

  constructor({ response, message, body }: NetworkError<Body>, sent: unknown) {
    super(response, { message, body });
    this.sent = sent;
  }
}
