import { isDevelopment } from './development.js';

/** What a `RestitchError` may be given besides its code and message. */
export interface RestitchErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** Names a class of errors: on the prototype, so that a logged error is not cluttered by an own `name`. */
export function setName(prototype: object, value: string): void {
  Object.defineProperty(prototype, 'name', { value, writable: true, configurable: true });
}

/**
 * The base class of the errors that restitch itself raises about data and responses.
 *
 * @remarks Wrong arguments are the platform's `TypeError` instead, and what the platform rejects with (a failed connection,
 * an abort) is passed on as it is.
 *
 * @example
 * ```ts
 * import { RestitchError } from 'restitch';
 *
 * const report = (error: unknown) => (error instanceof RestitchError ? error.code : 'unknown');
 * ```
 */
export class RestitchError extends Error {
  declare readonly name: string;
  static {
    setName(this.prototype, 'RestitchError');
  }

  /** A stable identifier of the kind of mistake, in kebab-case. Messages may change between versions, codes do not. */
  readonly code: string;

  /** In production a message is short: the code, and whom it concerns. docs/errors.md has the rest by code. */
  constructor(code: string, message: string, options?: RestitchErrorOptions) {
    super(isDevelopment ? message : `${code} ${message}`, options);
    this.code = code;
  }
}
