import type { Identified } from '../../schema/identity.js';
import type { Shape } from '../../schema/shapes.js';
import type { Root } from '../views/Node.js';

/**
 * The last response of one endpoint to one set of arguments. The response with the highest start
 * wins.
 */
export interface Result {
  readonly key: string;
  /**
   * The endpoint that fetched first. Endpoints with its key and schema share the result if they
   * process responses alike.
   */
  readonly endpoint: Identified & {
    readonly name: string;
    readonly urlPrefix?: string | undefined;
  };
  readonly schema: unknown;
  readonly shape: Shape;
  /** The normalized response if `status` is `'value'`. */
  value: unknown;
  /** The last error. If there is data, it is the error of the last refresh. */
  error: Error | undefined;
  /** The reason why the value cannot be read. */
  unreadable: Error | undefined;
  /** `'none'`: there is no response yet, or it was invalidated. */
  status: 'none' | 'value' | 'error';
  /**
   * The rank: the start of the request with the stored response, or the tick of the invalidation.
   */
  start: number;
  /** The time of the response in milliseconds since 1970. */
  fetchedAt: number;
  /** The end of the lifetime in milliseconds since 1970; 0 after a manual expiry. */
  expiresAt: number;
  /**
   * The times of a soft error or an unreadable response, in milliseconds since 1970. From
   * `failedAt` to `retryAt`, readers do not fetch again.
   */
  failedAt: number;
  retryAt: number;
  /**
   * The tick of the last expiry or invalidation, manual or by out-of-order mutations. Responses to
   * earlier requests are not fresh.
   */
  expiredIn: number;
  /**
   * The tick of the last expiry that readers are notified of, because they were not already
   * fetching.
   */
  newsIn: number;
  /** The declared fields that the response omitted. Undefined until a hydrated result is read. */
  leftOut: readonly string[] | undefined;
  /**
   * True if another response would be equal: this one came from an automatic repeat, or contains a
   * deletion.
   */
  isFinal: boolean;
  /** True if the value was never readable. */
  isUnread: boolean;
  /** True for a response that is kept only for its readers. It is removed with the last of them. */
  isBrief: boolean | undefined;
  /** Set while readers wait for the application after a sign-out. The call lets them fetch. */
  resume: (() => void) | undefined;
  /** The last use: see `Store.uses`. */
  usedIn: number;
  /**
   * Returns the reference that its arguments name in the store, if they name the record or list of
   * the response.
   */
  readonly names: () => unknown;
  /**
   * The roots of the views that read it. Usually one; two if a view was evicted and is used again.
   */
  roots: readonly Root[];
  /** Another result with the same key, whose endpoint processes responses in another way. */
  next: Result | undefined;
}
