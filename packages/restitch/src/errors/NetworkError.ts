import { RestitchError } from './RestitchError.js';

/** What `NetworkError.toJSON` gives: enough to log or send an error, without the response object. */
export interface SerializedNetworkError {
  readonly name: string;
  readonly status: number;
  readonly message: string;
  readonly url: string;
}

/** How a `NetworkError` may differ from the plain "the status is not ok". */
export interface NetworkErrorDetails {
  /** Replaces the default `network-status`. */
  readonly code?: string;
  /** Replaces the default `URL: status statusText`. */
  readonly message?: string;
  /** Replaces the status of the response, for an answer that is wrong in spite of its status. */
  readonly status?: number;
  /** What the body holds, where nobody reads it from the response: in a fixture. */
  readonly body?: unknown;
}

/**
 * The server answered, but not with what was asked for: the status is not ok, or the body cannot be used.
 *
 * @remarks A failed connection is not a `NetworkError` but the platform's `TypeError`. `isNetworkError` tells the type of
 * `body`.
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
    Object.defineProperty(this.prototype, 'name', {
      value: 'NetworkError',
      writable: true,
      configurable: true,
    });
  }

  /** The HTTP status; 400 where the server said ok but the body does not fit the endpoint. */
  status: number;
  /** The response, which can still be read: `error.response.clone().json()`. It is empty after a body of more than 64 kB. */
  response: Response;
  /**
   * The body of the response: parsed JSON, else text. Undefined for an empty or a binary body, and for one of more than 64 kB.
   *
   * @remarks A `RestEndpoint` reads it before the error is seen, also of an error that a `fetchResponse` of yours throws.
   */
  body: Body | undefined;

  constructor(response: Response, details: NetworkErrorDetails = {}) {
    const { url, status, statusText } = response;
    // Some servers repeat the status in its text, and a response that a program makes has no URL.
    const outcome = statusText?.startsWith(`${status}`)
      ? statusText
      : `${status} ${statusText ?? ''}`;
    const message = details.message ?? `${url && `${url}: `}${outcome.trim()}`;
    super(details.code ?? 'network-status', message);
    // Applications show it: it is the same in production, without the code in front.
    this.message = message;
    this.status = details.status ?? status;
    this.response = response;
    // The cast: whoever names the type of the body gives one of that type.
    this.body = details.body as Body | undefined;
  }

  /** For logs and reports; called by `JSON.stringify`. */
  toJSON(): SerializedNetworkError {
    return { name: this.name, status: this.status, message: this.message, url: this.response.url };
  }
}
