import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Schema } from '../schema/Schema.js';
import type { StoreState } from '../store/cells/StoreState.js';

/** The request that an action belongs to. A manager that makes an action of its own hands it on as it is. */
export interface RequestHandle {
  /** The key of the request's question. */
  readonly key: string;
}

/** A request starts: its optimistic answer shows, then its endpoint is called. */
export interface FetchAction {
  readonly type: 'fetch';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly flight: RequestHandle;
  /**
   * Answers instead of the endpoint's own `fetch`, which is then not called: a manager that knows the answer hands the action
   * on with it. `this` is the endpoint with the signal of this request.
   */
  readonly fetch?: ((this: EndpointInterface, ...args: readonly unknown[]) => unknown) | undefined;
}

/** A request was answered. */
export interface ReceiveAction {
  readonly type: 'receive';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly response: unknown;
  readonly flight: RequestHandle;
}

/** A request failed or was aborted. */
export interface FailAction {
  readonly type: 'fail';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly error: Error;
  /**
   * The request was ended on purpose: `'reset'` by a reset of the store, `'withdrawn'` since no caller and no reader wanted it
   * any more. Undefined for a failure that somebody may want to hear of.
   */
  readonly aborted?: 'reset' | 'withdrawn' | undefined;
  readonly flight: RequestHandle;
}

/** `controller.set`. */
export interface SetAction {
  readonly type: 'set';
  readonly schema: Schema;
  readonly args: readonly unknown[];
  /** The new value, or a function of the stored fields. */
  readonly value: unknown;
}

/** `controller.setResponse`. */
export interface SetResponseAction {
  readonly type: 'setResponse';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly response: unknown;
}

/** `controller.setError`. */
export interface SetErrorAction {
  readonly type: 'setError';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly error: Error;
}

/** `controller.invalidate`. */
export interface InvalidateAction {
  readonly type: 'invalidate';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

/** `controller.invalidateAll`. */
export interface InvalidateAllAction {
  readonly type: 'invalidateAll';
  readonly endpoint: EndpointInterface;
}

/** `controller.expireAll`. */
export interface ExpireAllAction {
  readonly type: 'expireAll';
  readonly endpoint: EndpointInterface;
}

/** `controller.expireStale`. */
export interface ExpireStaleAction {
  readonly type: 'expireStale';
}

/** `hydrate` of `restitch/state`, or a part of what a `StateStream` brings. */
export interface HydrateAction {
  readonly type: 'hydrate';
  readonly state: StoreState;
  /** Fills the store in with a state. A manager hands it on as it is. */
  readonly take: (state: StoreState) => void;
}

/** `controller.resetEntireStore`. */
export interface ResetAction {
  readonly type: 'reset';
  /** `false`: readers on the screen do not fetch again by themselves. */
  readonly refetch?: boolean | undefined;
}

/** `controller.subscribe`: managers are asked to keep an answer up to date. */
export interface SubscribeAction {
  readonly type: 'subscribe';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

/** `controller.unsubscribe`: ends what one subscribe action began. */
export interface UnsubscribeAction {
  readonly type: 'unsubscribe';
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

/** Every way in which the store changes, and what managers are asked for. */
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
  | HydrateAction
  | ResetAction
  | SubscribeAction
  | UnsubscribeAction;

/** Hands an action on. */
export type Dispatch = (action: Action) => void;
