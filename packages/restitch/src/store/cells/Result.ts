import type { Shape } from '../../schema/shapes.js';
import type { Root } from '../views/Node.js';

/** The last response of one endpoint to one set of arguments. The response with the highest start wins. */
export interface Result {
  readonly key: string;
  /** The endpoint that fetched first. Endpoints with its key and schema share the result if they process responses alike. */
  readonly endpoint: { readonly name: string; readonly urlPrefix?: string | undefined };
  readonly schema: unknown;
  readonly shape: Shape;
  /** The normalized response, if `status` is `'value'`. */
  value: unknown;
  /** The last failure. If there is data, it is the failure of the last refresh. */
  error: Error | undefined;
  /** The reason why the value cannot be read. */
  unreadable: Error | undefined;
  /** `'none'`: never answered, or invalidated. */
  status: 'none' | 'value' | 'error';
  /** The rank: the start of the request that was answered, or the tick of the invalidation. */
  start: number;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** Milliseconds since 1970; 0 when expired by hand. */
  expiresAt: number;
  /** Milliseconds since 1970: from `failedAt` to `retryAt` readers do not fetch again, after a soft error or an unreadable response. */
  failedAt: number;
  retryAt: number;
  /** The tick of the last expiry or invalidation by hand or by out-of-order mutations. Requests that began before do not make it fresh. */
  expiredIn: number;
  /** The tick of the last expiry that readers have to be notified of: they were not fetching already. */
  newsIn: number;
  /** The declared fields that the response left out. Undefined until a hydrated result is read. */
  leftOut: readonly string[] | undefined;
  /** Another response would say the same: this one came from an automatic repeat, or contains a deletion. */
  isFinal: boolean;
  /** The value was never readable. */
  isUnread: boolean;
  /** Set while readers wait for the application after a sign-out; the call lets them fetch. */
  resume: (() => void) | undefined;
  /** The last use: see `Store.uses`. */
  usedIn: number;
  /** The reference that its arguments name in the store, if they name the record or list of the response itself. */
  readonly names: () => unknown;
  /** The roots of the views that show it. Usually one; two if a view was evicted and is used again. */
  roots: readonly Root[];
  /** Another result with the same key, whose endpoint processes responses in another way. */
  next: Result | undefined;
}
