import { RestitchError, type RestitchErrorOptions, setName } from './RestitchError.js';

/** The reasons why a response does not fit its schema. */
export type SchemaErrorCode =
  | 'ambiguous-lists'
  | 'callback-failed'
  | 'deserialize-failed'
  | 'missing-primary-key'
  | 'other-row'
  | 'process-failed'
  | 'unexpected-empty'
  | 'unexpected-shape'
  | 'unreadable'
  | 'validation-failed';

/**
 * The error of a response that does not fit its schema. No part of the response was stored.
 *
 * @remarks `status` is 400, as in a `NetworkError` for a response that cannot be used.
 */
export class SchemaError extends RestitchError {
  static {
    setName(this.prototype, 'SchemaError');
  }

  declare readonly status: number;

  constructor(code: SchemaErrorCode, message: string, options?: RestitchErrorOptions) {
    super(code, message, options);
    this.status = 400;
  }
}
