import type { EndpointError } from '../errors/EndpointError.js';

/** The current, frozen state of one view. Snapshots with equal content are the same object. */
export type ViewSnapshot<T> =
  /**
   * `stale`: the data has expired. While the view has a subscriber, time alone does not change
   * `stale`. If another endpoint receives equal data, `stale` can become false without a
   * notification.
   * `partial`: the record lacks fields that its class declares, and the class has `static partial`.
   * `error`: the last refresh failed, and the endpoint's `errorPolicy` keeps the data. A response
   * or an invalidation clears the error.
   */
  | {
      readonly status: 'ready';
      readonly data: T;
      readonly stale: boolean;
      readonly partial?: true;
      readonly error?: EndpointError;
    }
  /**
   * `deleted`: the row is known to be deleted, so another request would only fail.
   * `known`: a record with only the fields that other responses contained.
   */
  | {
      readonly status: 'pending';
      readonly previous?: T;
      readonly deleted?: true;
      readonly known?: T;
    }
  | { readonly status: 'error'; readonly error: EndpointError; readonly previous?: T };

/** `'paused'`: the request waits for the network. */
export type FetchStatus = 'idle' | 'fetching' | 'paused';

/**
 * A promise that exposes its outcome synchronously once it has settled, for React's `use()`. Never
 * causes an unhandled rejection.
 */
export interface TrackedPromise<T> extends Promise<T> {
  status: 'pending' | 'fulfilled' | 'rejected';
  value?: T;
  reason?: Error;
}

/**
 * The live result of an endpoint or a schema with arguments, for framework bindings.
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
  /** Identifies the view. Equal keys share one `View` while it is in use. */
  readonly key: string;
  /** Returns the current snapshot. Cost without a change: one lookup. */
  getSnapshot(): ViewSnapshot<T>;
  /**
   * Returns the content of the server-rendered page during hydration (see `hydrateController`).
   * Otherwise, returns the same as `getSnapshot`.
   *
   * @remarks The store may have newer data than the page. The binding renders this snapshot first
   * and `getSnapshot` right after it.
   *
   * @param isSending True while a server renders a page. The controller then exports the rendered
   * data, even if a response changes the store meanwhile.
   */
  getServerSnapshot(isSending?: boolean): ViewSnapshot<T>;
  /**
   * Calls `listener` synchronously after a write that changed the data or status of the snapshot.
   * Returns a function that removes it.
   */
  subscribe(listener: () => void): () => void;
  /**
   * Sends a request or joins the one in flight.
   *
   * @remarks Callers of one request receive the same promise. The promise settles after the
   * response is stored and never causes an unhandled rejection. The view of a schema resolves at
   * once with the current value.
   *
   * @param signal When the signal aborts, the caller no longer waits. The request is aborted once
   * no caller waits. Without a signal, the caller waits until the response arrives.
   *
   * @param isRetried True if the caller checks the settled snapshot, and calls `load` again if
   * needed. The end of a pause (`isPaused`) then sends no request: the caller may have left.
   */
  load(signal?: AbortSignal, isRetried?: boolean): TrackedPromise<T>;
  /**
   * Same as `load`, for an explicit refetch. If a mutation has ended since the request in flight
   * began, a new request is sent. The response to the older request may lack the change.
   */
  refetch(signal?: AbortSignal): TrackedPromise<T>;
  /** The arrival of the stored response, in milliseconds since 1970. Undefined without one. */
  readonly fetchedAt: number | undefined;
  /**
   * `'fetching'`: a request is in flight. `'paused'`: the request waits for the network (see
   * `RecoveryManager`). `Controller.watchFetching` notifies of changes.
   */
  readonly fetchStatus: FetchStatus;
  /**
   * True after a reset with `refetch: false`, until the application fetches, writes, expires or
   * invalidates the data.
   */
  readonly isPaused: boolean;
  /**
   * Returns true if a reader should call `load()`: no usable data is stored, or the data has
   * expired.
   *
   * @param mounted True for a mounted reader. A mounted reader loads only after an explicit expiry,
   * not at the end of a lifetime.
   */
  needsLoad(mounted?: boolean): boolean;
  /** Protects the data from garbage collection until the returned function is called. */
  retain(): () => void;
}
