import type { NetworkError } from './NetworkError.js';

/** An error without a response: a failed connection, an abort, data that does not fit its schema. */
export interface ResponselessError extends Error {
  /** Of data that cannot be used: 400. */
  readonly status?: number | undefined;
  readonly response?: undefined;
  readonly body?: undefined;
  /** Errors of restitch have one. */
  readonly code?: unknown;
}

/**
 * What readers are shown of a failed request. `status` and `response` are those of a `NetworkError`; other errors have no
 * response, and most have no status.
 *
 * @example
 * ```ts
 * import type { EndpointError } from 'restitch';
 *
 * const textOf = (error: EndpointError) =>
 *   error.response ? `${error.status}: ${error.response.url}` : error.message;
 * ```
 */
export type EndpointError = NetworkError | ResponselessError;
