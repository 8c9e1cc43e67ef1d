import type { EndpointError } from '../errors/EndpointError.js';

/** What one reader's question shows right now. Frozen; the same content is the same object. */
export type ViewSnapshot<T> =
  /**
   * `partial`: the record lacks fields that its class declares, and the class has `static partial`. `error`: the last refresh
   * failed, and the endpoint's `errorPolicy` keeps the data. A response or an invalidation ends it.
   */
  | {
      readonly status: 'ready';
      readonly data: T;
      readonly stale: boolean;
      readonly partial?: true;
      readonly error?: EndpointError;
    }
  /**
   * `deleted`: the row is known to be gone, so asking for it again would only fail. `known`: what other responses brought of
   * a record, which is less than its class declares.
   */
  | {
      readonly status: 'pending';
      readonly previous?: T;
      readonly deleted?: true;
      readonly known?: T;
    }
  | { readonly status: 'error'; readonly error: EndpointError; readonly previous?: T };

/**
 * A promise that tells its outcome synchronously once it has settled, as React's `use()` reads it. It never causes an
 * unhandled rejection.
 */
export interface TrackedPromise<T> extends Promise<T> {
  status: 'pending' | 'fulfilled' | 'rejected';
  value?: T;
  reason?: Error;
}

/**
 * One reader's question (an endpoint with arguments, or a schema with arguments) and its live answer: the one primitive on
 * which every framework binding is built.
 *
 * @example
 * ```ts
 * import { Controller, RestEndpoint } from 'restitch';
 *
 * const controller = new Controller();
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 * const view = controller.observe(getUser, { id: '1' });
 * const unsubscribe = view.subscribe(() => console.log(view.getSnapshot()));
 * void view.load();
 * unsubscribe();
 * ```
 */
export interface View<T> {
  /** Identifies the question; equal keys share one `View` while somebody uses it. */
  readonly key: string;
  /** Reads the current answer; a lookup while nothing changed. */
  getSnapshot(): ViewSnapshot<T>;
  /**
   * What the page shows that came with state (see `hydrateController`), where the store has gone on since: a binding renders
   * that while it takes the page over, and what `getSnapshot` reads right afterwards. Elsewhere the same as `getSnapshot`.
   *
   * @param isSending A page is being made from it: the controller notes what it shows, and hands that over with its state,
   * since later answers of the same page may say something else.
   */
  getServerSnapshot(isSending?: boolean): ViewSnapshot<T>;
  /** Calls `listener` synchronously after a write that changed what `getSnapshot` returns. Returns how to stop. */
  subscribe(listener: () => void): () => void;
  /**
   * Starts the request or joins the one in flight. The promise is the same object for all joiners, settles after the answer
   * is in the store, and never rejects unhandled. On a question without an endpoint it resolves at once with what is there.
   *
   * @param signal Withdraws the caller's interest when it aborts: the request is aborted once nobody else wants it. Without
   * one the interest stays until the answer is there.
   */
  load(signal?: AbortSignal): TrackedPromise<T>;
  /**
   * As `load`, for a request that the user asks for: where a mutation has ended since the request in flight began, it is sent
   * again, since that answer may lack the change.
   */
  refetch(signal?: AbortSignal): TrackedPromise<T>;
  /** Milliseconds since 1970 at which the stored answer came; undefined while there is none. */
  readonly fetchedAt: number | undefined;
  /** Whether a request for it is under way. `Controller.watchFetching` tells when that may have changed. */
  readonly isFetching: boolean;
  /** Whether readers wait until the application lets them fetch: after a reset with `refetch: false`. */
  readonly isPaused: boolean;
  /**
   * Whether a reader that mounts now should call `load()`: nothing usable is stored, or what is stored is past its lifetime
   * or was expired. For a reader that is `mounted` already a lifetime that ran out is no reason: it has its data.
   */
  needsLoad(mounted?: boolean): boolean;
  /**
   * Keeps the data in the store, however old it becomes, until the returned function is called. A subscription does so too.
   */
  retain(): () => void;
}
