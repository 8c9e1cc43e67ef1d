import type { Identified } from '../../schema/identityText.js';
import type { Shape } from '../../schema/shapes.js';
import type { Root } from '../views/Node.js';

/**
 * The stored response of one endpoint with one set of arguments. The request that started last
 * wins.
 */
export interface Result {
  readonly key: string;
  /**
   * The endpoint that used the result first. Endpoints with the same key and schema share the
   * result if they process responses in the same way.
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
   * The tick of the last expiry of which readers are notified. If the result had expired before,
   * its readers fetch already and are not notified.
   */
  newsIn: number;
  /** The declared fields that the response omitted. Undefined until a hydrated result is read. */
  leftOut: readonly string[] | undefined;
  /**
   * True if another response would be equal, because this response came from an automatic repeat or
   * contains a deletion.
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
  /** Returns the reference to the record or list of the response, if the arguments name it. */
  readonly names: () => unknown;
  /**
   * The roots of the views that read the result. There are two if a view was evicted and is used
   * again; usually there is one.
   */
  roots: readonly Root[];
  /** The next result with the same key. Its endpoint processes responses in a different way. */
  next: Result | undefined;
}
