import { isDevelopment } from './development.js';

/** Options of a `RestitchError` besides its code and message. */
export interface RestitchErrorOptions {
  /** The original error, such as that of a failed create. */
  readonly cause?: unknown;
}

/** Sets the name on the prototype, because an own `name` would clutter each logged error. */
export function setName(prototype: object, value: string): void {
  Object.defineProperty(prototype, 'name', { value, writable: true, configurable: true });
}

/**
 * The base class of the errors that restitch itself raises about data and responses.
 *
 * @remarks A wrong argument causes a `TypeError` of the platform instead. Errors of the platform,
 * such as a failed connection or an abort, are passed on unchanged.
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

  /** The kind of mistake, in kebab-case. Unlike messages, codes stay the same in all versions. */
  declare readonly code: string;

  /**
   * In production, the message contains only the code, and the endpoint, class or value concerned.
   * The page docs/errors.md explains each code.
   */
  constructor(code: string, message: string, options?: RestitchErrorOptions) {
    super(isDevelopment ? message : `${code} ${message}`, options);
    this.code = code;
  }
}

/** Creates a `TypeError` with a code. Without the code, it could pass for a failed connection. */
export const misuse = (code: string, message: string, options?: ErrorOptions): TypeError =>
  Object.assign(new TypeError(message, options), { code });
