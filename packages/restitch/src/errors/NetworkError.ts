import { RestitchError, setName } from './RestitchError.js';

/** The result of `NetworkError.toJSON`: enough to log an error, without the response object. */
export interface SerializedNetworkError {
  readonly name: string;
  readonly status: number;
  readonly message: string;
  readonly url: string;
}

/** Overrides for the defaults of a `NetworkError`. */
export interface NetworkErrorDetails {
  /** Replaces the default `network-status`. */
  readonly code?: string;
  /** Replaces the default `URL: status statusText`. */
  readonly message?: string;
  /** Replaces the status of the response, for a response that is unusable despite its status. */
  readonly status?: number;
  /**
   * The body, for an error that you create yourself, such as in a fixture. Otherwise, the endpoint
   * reads the body from the response.
   */
  readonly body?: unknown;
}

/**
 * The error of a response whose status is not ok, or whose body cannot be used.
 *
 * @remarks A failed connection is not a `NetworkError` but the platform's `TypeError`.
 * `isNetworkError` narrows the type of `body`.
 *
 * @example
 * ```ts
 * import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
 *
 * class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
 *   override async fetchResponse(input: RequestInfo, init: RequestInit) {
 *     try {
 *       return await super.fetchResponse(input, init);
 *     } catch (error) {
 *       if (error instanceof NetworkError) error.message = error.body?.message ?? error.message;
 *       throw error;
 *     }
 *   }
 * }
 * ```
 */
export class NetworkError<Body = unknown> extends RestitchError {
  static {
    setName(this.prototype, 'NetworkError');
  }

  /** The HTTP status. If the status was ok but the body does not fit the endpoint, 400. */
  declare status: number;
  /**
   * The response, which can still be read: `error.response.clone().json()`. A body of more than
   * 64 kB is replaced by an empty one, except in React Native.
   */
  declare response: Response;
  /**
   * The body of the response: parsed JSON, otherwise text. Undefined for an empty or binary body,
   * and for one that was too long for `response`.
   *
   * @remarks A `RestEndpoint` reads the body before the caller receives the error, even an error of
   * your own `fetchResponse`.
   */
  declare body: Body | undefined;

  constructor(response: Response, details: NetworkErrorDetails = {}) {
    const { url, status, statusText } = response;
    // Some servers repeat the status in `statusText`. A response that a program creates has no URL.
    const outcome = statusText?.startsWith(`${status}`)
      ? statusText
      : `${status} ${statusText ?? ''}`;
    const message = details.message ?? `${url && `${url}: `}${outcome.trim()}`;
    super(details.code ?? 'network-status', message);
    // Applications display this message, so it has no code in production, unlike other errors.
    this.message = message;
    this.status = details.status ?? status;
    this.response = response;
    this.body = details.body as Body | undefined;
  }

  /** Returns plain data for logs. `JSON.stringify` calls it. */
  toJSON(): SerializedNetworkError {
    return { name: this.name, status: this.status, message: this.message, url: this.response.url };
  }
}
