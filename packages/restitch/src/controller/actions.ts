import type { EndpointInterface, ReadEndpoint } from '../endpoint/EndpointInterface.js';
import type { Schema } from '../schema/Schema.js';
import type { Filter } from './filters.js';
import type { StoreState } from '../store/cells/StoreState.js';
import type { View } from './View.js';

/** The request of an action. A manager that replaces the action must keep its `flight`. */
export interface RequestHandle {
  /** The cache key of the request. */
  readonly key: string;
}

/**
 * A request starts: the optimistic update is applied, then the endpoint is called. The action is
 * repeated, with the same `flight` and `id`, if the arguments change before the request is sent: when
 * `coalesced` merges a call, or when a temporary key is replaced.
 */
export interface FetchAction {
  readonly type: 'fetch';
  readonly key: string;
  /**
   * The declared endpoint, as in all actions. The request uses a copy with the values of getters,
   * such as `urlPrefix`, at the start.
   */
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly flight: RequestHandle;
  /**
   * The identity of the operation. A manager that repeats the operation after a reload sets the
   * same `id`. A repeated create then gets the same temporary keys.
   */
  readonly id?: string | undefined;
  /**
   * Called instead of the endpoint's own `fetch`, for example to return a response that a manager
   * already has. `this` is the endpoint with the signal of the request.
   */
  readonly fetch?: ((this: EndpointInterface, ...args: readonly unknown[]) => unknown) | undefined;
}

/** The server responded to a request. */
export interface ReceiveAction {
  readonly type: 'receive';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly response: unknown;
  readonly flight: RequestHandle;
  /** The `id` of the `fetch` action. */
  readonly id?: string | undefined;
}

/** A request failed or was aborted. */
export interface FailAction {
  readonly type: 'fail';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly error: Error;
  /**
   * The reason for a deliberate abort. `'reset'`: the store was reset. `'withdrawn'`: the request
   * was aborted, usually because all callers and readers withdrew. Undefined for a failure.
   */
  readonly aborted?: 'reset' | 'withdrawn' | undefined;
  readonly flight: RequestHandle;
  /** The `id` of the `fetch` action. */
  readonly id?: string | undefined;
}

/** Dispatched by `controller.set`. */
export interface SetAction {
  readonly type: 'set';
  readonly schema: Schema;
  readonly args: readonly unknown[];
  /** The new value, or a function of the stored fields. */
  readonly value: unknown;
}

/** Dispatched by `controller.setResponse`. */
export interface SetResponseAction {
  readonly type: 'setResponse';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly response: unknown;
}

/** Dispatched by `controller.setError`. */
export interface SetErrorAction {
  readonly type: 'setError';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly error: Error;
}

/** Dispatched by `controller.invalidate`. */
export interface InvalidateAction {
  readonly type: 'invalidate';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

/** Dispatched by `controller.invalidateAll`. */
export interface InvalidateAllAction {
  readonly type: 'invalidateAll';
  readonly endpoint: EndpointInterface;
}

/** Dispatched by `controller.expireAll`. */
export interface ExpireAllAction {
  readonly type: 'expireAll';
  readonly endpoint: EndpointInterface;
}

/** Dispatched by `controller.expireStale`. */
export interface ExpireStaleAction {
  readonly type: 'expireStale';
}

/** Dispatched by `invalidateWhere` and `expireWhere`. */
export interface OutdateWhereAction {
  readonly type: 'invalidateWhere' | 'expireWhere';
  readonly filter: Filter;
  readonly state?: undefined;
  /** Invalidates or expires the results. A manager must pass `take` on unchanged. */
  readonly take: (state: undefined) => void;
}

/** Dispatched by `hydrate` of `restitch/state`, and for each part of a `StateStream`. */
export interface HydrateAction {
  readonly type: 'hydrate';
  readonly state: StoreState;
  /** Loads a state into the store. A manager must pass `take` on unchanged. */
  readonly take: (state: StoreState) => void;
}

/** Dispatched by `controller.resetEntireStore`. */
export interface ResetAction {
  readonly type: 'reset';
  /** `false`: mounted readers do not fetch again automatically. */
  readonly refetch?: boolean | undefined;
}

/** Dispatched by `controller.subscribe`. A manager keeps the result up to date. */
export interface SubscribeAction {
  readonly type: 'subscribe';
  readonly key: string;
  readonly endpoint: ReadEndpoint;
  readonly args: readonly unknown[];
  /** The live result. A manager that replaces the action must keep `view`. */
  readonly view: View<unknown>;
}

/** Dispatched by `controller.unsubscribe`. Ends one subscription. */
export interface UnsubscribeAction {
  readonly type: 'unsubscribe';
  readonly key: string;
  readonly endpoint: ReadEndpoint;
  readonly args: readonly unknown[];
  /** The same view as in the `SubscribeAction`. */
  readonly view: View<unknown>;
}

/** All changes to the store, and the subscriptions, which only managers use. */
export type Action =
  | FetchAction
  | ReceiveAction
  | FailAction
  | SetAction
  | SetResponseAction
  | SetErrorAction
  | InvalidateAction
  | InvalidateAllAction
  | ExpireAllAction
  | ExpireStaleAction
  | OutdateWhereAction
  | HydrateAction
  | ResetAction
  | SubscribeAction
  | UnsubscribeAction;

/** Passes an action to the next manager, or to the store. */
export type Dispatch = (action: Action) => void;
