import { NetworkError } from './NetworkError.js';
import { setName } from './RestitchError.js';

/**
 * The server refused a change, because the record has changed since it was read: a 412 in response
 * to the `If-Match` of a `versioned` endpoint.
 *
 * @remarks `sent` is one side. The other one is `body`, if the server responds with its version.
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

  /** The body of the request; undefined for a delete. */
  readonly sent: unknown;

  constructor({ response, message, body }: NetworkError<Body>, sent: unknown) {
    super(response, { message, body });
    this.sent = sent;
  }
}
