import type { EndpointError } from '../errors/EndpointError.js';

/** The current state of one view. A snapshot is frozen. Equal content is the same object. */
export type ViewSnapshot<T> =
  /**
   * `partial`: the record lacks fields that its class declares, and the class has `static partial`.
   * `error`: the last refresh failed, and the endpoint's `errorPolicy` keeps the data. A response
   * or an invalidation clears it.
   */
  | {
      readonly status: 'ready';
      readonly data: T;
      readonly stale: boolean;
      readonly partial?: true;
      readonly error?: EndpointError;
    }
  /**
   * `deleted`: the row is known to be deleted, so another request would only fail. `known`: the
   * fields of the record that other responses contained. Its class declares more fields.
   */
  | {
      readonly status: 'pending';
      readonly previous?: T;
      readonly deleted?: true;
      readonly known?: T;
    }
  | { readonly status: 'error'; readonly error: EndpointError; readonly previous?: T };

/** The fetch of a view: `'paused'` is a request that waits for the network. */
export type FetchStatus = 'idle' | 'fetching' | 'paused';

/**
 * A promise that exposes its outcome synchronously once it has settled, for React's `use()`. It
 * never causes an unhandled rejection.
 */
export interface TrackedPromise<T> extends Promise<T> {
  status: 'pending' | 'fulfilled' | 'rejected';
  value?: T;
  reason?: Error;
}

/**
 * The live result of an endpoint or a schema with arguments. Every framework binding uses it.
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
  /** Returns the current snapshot. While nothing changes, a call costs one lookup. */
  getSnapshot(): ViewSnapshot<T>;
  /**
   * Returns the content of the server-rendered page while a binding hydrates it (see
   * `hydrateController`). Otherwise it returns the same as `getSnapshot`.
   *
   * @remarks The store may have newer data than the page. The binding renders this snapshot first
   * and `getSnapshot` right afterwards.
   *
   * @param isSending True while a server renders a page. The controller then records the rendered
   * data and exports it with its state. Without the record, later responses could change the data
   * before the page ends.
   */
  getServerSnapshot(isSending?: boolean): ViewSnapshot<T>;
  /**
   * Calls `listener` synchronously after a write that changed the snapshot. Returns a function that
   * stops it.
   */
  subscribe(listener: () => void): () => void;
  /**
   * Starts the request or joins the one in flight.
   *
   * @remarks All callers that join receive the same promise. It settles after the response is
   * stored and never causes an unhandled rejection. The view of a schema resolves at once with the
   * current value.
   *
   * @param signal Withdraws the caller when it aborts. The request is aborted once every caller has
   * withdrawn. Without a signal, the caller waits until the response arrives.
   * @param isRetried True if the caller checks the snapshot after the promise settles and calls
   * `load` again if needed. When a pause (`isPaused`) ends, nothing is then sent for a reader that
   * has left.
   */
  load(signal?: AbortSignal, isRetried?: boolean): TrackedPromise<T>;
  /**
   * Same as `load`, for an explicit refetch. If a mutation has ended since the request in flight
   * began, a new request is sent, because the response in flight may lack the change.
   */
  refetch(signal?: AbortSignal): TrackedPromise<T>;
  /**
   * The time at which the stored response arrived, in milliseconds since 1970; undefined without
   * one.
   */
  readonly fetchedAt: number | undefined;
  /**
   * `'fetching'`: a request for it is in flight. `'paused'`: the request waits for the network; see
   * `RecoveryManager`. `Controller.watchFetching` notifies of changes.
   */
  readonly fetchStatus: FetchStatus;
  /** True after a reset with `refetch: false`, until the application lets readers fetch. */
  readonly isPaused: boolean;
  /**
   * Returns true if a reader should call `load()`, because no usable data is stored, or because the
   * data is past its lifetime or was expired.
   *
   * @param mounted True for a reader that is already mounted. Such a reader keeps its data at the
   * end of a lifetime and loads only after an explicit expiry.
   */
  needsLoad(mounted?: boolean): boolean;
  /**
   * Keeps the data in the store at any age until the returned function is called. A subscription
   * also keeps the data.
   */
  retain(): () => void;
}
