import type { NetworkError } from './NetworkError.js';

/** An error without a response, such as a failed connection, an abort or a `SchemaError`. */
export interface ResponselessError extends Error {
  /** 400 for data that cannot be used. Other errors have a status only if your code sets one. */
  readonly status?: number | undefined;
  readonly response?: undefined;
  readonly body?: undefined;
  /** The code of an error that restitch raised. */
  readonly code?: unknown;
}

/**
 * The error that readers receive when a request fails. A `NetworkError` has the `status` and the
 * `response` of the server. Other errors have no response, except the errors of axios.
 * @example
 * ```ts
 * import type { EndpointError } from 'restitch';
 *
 * const textOf = (error: EndpointError) =>
 *   error.response ? `${error.status}: ${error.response.url}` : error.message;
 * ```
 */
export type EndpointError = NetworkError | ResponselessError;
