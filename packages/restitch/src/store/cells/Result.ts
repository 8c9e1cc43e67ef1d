import type { Identified } from '../../schema/identityText.js';
import type { Shape } from '../../schema/shapes.js';
import type { Root } from '../views/Node.js';
import type { Lifetime } from './results.js';

/** Of two responses, the one whose request started last wins. */
export interface Result {
  key: string;
  /** The endpoint that used the result first. */
  readonly endpoint: Identified & {
    readonly name: string;
    readonly urlPrefix?: string | undefined;
  };
  readonly schema: unknown;
  readonly shape: Shape;
  /** The normalized response if `status` is `'value'`. */
  value: unknown;
  /** The last error. With the status `'value'`, it is the error of the last refresh. */
  error: Error | undefined;
  /** Set if a response is stored, but readers cannot get its value: rows or fields are missing. */
  unreadable: Error | undefined;
  /** `'none'`: there is no response yet, or it was invalidated. */
  status: 'none' | 'value' | 'error';
  /**
   * The start of the stored request, or the tick of an invalidation. Older responses are ignored.
   */
  start: number;
  fetchedAt: number;
  /** The end of the lifetime in milliseconds since 1970; 0 after an expiry. */
  expiresAt: number;
  /** The lifetime of a failed refresh or of `unreadable`. Readers do not fetch before its end. */
  retry: Lifetime;
  /** A response to a request that started before this tick is stale. */
  expiredIn: number;
  /** The tick of the last event that notifies readers of an unchanged value, such as an expiry. */
  newsIn: number;
  /** The declared fields that the response omitted. Undefined for hydrated data without a view. */
  leftOut?: readonly string[] | undefined;
  /** True after an automatic second request or a deletion: another request would not help. */
  isFinal: boolean;
  isUnread: boolean;
  /** True for a response with a lifetime of 0, which is removed when its last reader leaves. */
  isBrief?: boolean | undefined;
  /** Set after a reset with `refetch: false`. Readers must not fetch until `resume` is called. */
  resume?: (() => void) | undefined;
  usedIn: number;
  /** The reference to the record or list that the arguments name, or undefined. */
  readonly named: unknown;
  /** The root nodes of the view of the result, and of an evicted view that a caller still uses. */
  roots: readonly Root[];
}
