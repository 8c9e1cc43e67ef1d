import { errorOf } from './LiveView.js';
import type {
  ArgsAnd,
  ResponseFor,
  ArgsOf,
  EndpointInterface,
  ReadEndpoint,
  ValueOf,
} from '../endpoint/EndpointInterface.js';
import type { EndpointError } from '../errors/EndpointError.js';
import { toError } from '../errors/toError.js';
import type { QueryArgs, QueryValue } from '../schema/QueryArgs.js';
import type { Denormalize, Schema } from '../schema/Schema.js';
import { copyValue } from '../store/cells/plainValues.js';
import { lookUp } from '../store/views/queries.js';
import { fetchFor, settled } from './fetchOrJoin.js';
import { batch } from './batch.js';
import type { ControllerFetch } from './ControllerFetch.js';
import type { ControllerOptions, ResetOptions } from './ControllerOptions.js';
import { Core } from './Core.js';
import type { EndpointView } from './EndpointView.js';
import { dispose } from './endRequest.js';
import { createEnvironment, type Environment } from './Environment.js';
import { type ErrorListener, type SuccessListener, watched } from './Failures.js';
import { isCallOf } from './filters.js';
import { declaredOf, fixedOf } from './fixedOf.js';
import { countFlights } from './Flight.js';
import { exposed } from './internals.js';
import { checkOptions, checkReset } from './misspelledOptions.js';
import { refuseMutation } from './refuseMutation.js';
import { errorsOf } from './resultOf.js';
import { readArgs } from './temporaryKeys.js';
import type { Undoable } from './queuedEndpoints.js';
import type { View } from './View.js';
import type { Views } from './Views.js';

/**
 * Owns one store. Sends requests, stores their responses and notifies subscribers.
 *
 * @remarks Each write synchronously notifies the subscribers whose data it changed. Responses are
 * ordered by the times of their requests, not by arrival.
 *
 * @example
 * ```ts
 * import { Controller, Entity, resource } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 * const Users = resource({ path: '/users/:id', urlPrefix: 'https://example.com', schema: User });
 *
 * const controller = new Controller();
 * const user = await controller.fetch(Users.get, { id: '1' });
 * await controller.fetch(Users.partialUpdate, { id: '1' }, { name: user.name.trim() });
 * ```
 */
export class Controller {
  /** The clock, timers and other functions of the host, for use in custom managers. */
  declare readonly environment: Environment;
  readonly #core: Core;

  constructor(options: ControllerOptions = {}) {
    checkOptions(options);
    this.environment = createEnvironment(options.environment);
    this.#core = new Core(this, options);
    exposed.set(this, this.#core);
    if (options.onError) {
      this.watchErrors(options.onError);
    }
    if (options.onSuccess) {
      this.watchSuccesses(options.onSuccess);
    }
    options.managers?.forEach((manager) => this.#core.addManager(manager));
  }

  /**
   * Sends a request and stores the response. Resolves to the current value in the store, in which
   * records are class instances. Rejects with the error of the request, or with a `SchemaError`.
   *
   * @remarks A read joins an equal read in flight, unless a mutation has ended since that read
   * began.
   */
  readonly fetch: ControllerFetch = (endpoint: EndpointInterface, ...args: readonly unknown[]) =>
    this.#send(fixedOf(endpoint), args);

  /** Same as `fetch`, but a fresh stored result sends no request. Rejects for a mutation. */
  readonly fetchIfStale = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): Promise<ValueOf<E>> => {
    return promised(() => {
      refuseMutation(endpoint);
      const asked = fixedOf(endpoint);
      const view = this.#view(asked, args);
      return view.isComplete && view.isCurrent()
        ? // The cast: a complete view has data.
          Promise.resolve(view.data as ValueOf<E>)
        : this.#send(asked, args);
    });
  };

  /**
   * Returns the stored value for a schema and arguments, or undefined. A schema such as `[User]`
   * takes an array: one primary key or object per record. All members of an object schema receive
   * the same arguments.
   */
  readonly get = <S extends Schema>(
    schema: S,
    ...args: QueryArgs<S>
  ): QueryValue<S> | undefined => {
    const { store } = this.#core;
    return lookUp(store, schema, readArgs(store, {}, args)) as QueryValue<S> | undefined;
  };

  /** Returns the current value of an endpoint, even if it is stale. Without data, returns undefined. */
  readonly getResponse = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): ValueOf<E> | undefined => this.#view(endpoint, args).data;

  /**
   * Returns the last error of an endpoint, including the error of a failed refresh. A response or
   * an invalidation clears the error of a read. The next call with the same cache key clears the
   * error of a mutation.
   */
  readonly getError = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): EndpointError | undefined => {
    return errorOf(this.observeError(endpoint, ...args).getSnapshot());
  };

  /** Returns a live view of the error that `getError` returns. Observing a mutation does not send it. */
  readonly observeError = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): View<ValueOf<E>> => this.#view(errorsOf(endpoint), args);

  /**
   * Writes to the row or list that `schema` and `args` identify. Fields of the value are merged
   * into the stored fields. Pending mutations are applied on top of the written value.
   * @remarks For a row, the value can be a function from the stored row to new fields. In the
   * stored row, relations are primary keys. The function must be pure: when older data of the row
   * arrives later, the function runs again.
   * @throws SchemaError when the value does not fit the schema. Nothing is written then.
   */
  readonly set = <S extends Schema>(
    schema: S,
    args: unknown,
    value: object | string | number | ((current: Denormalize<S> | undefined) => unknown),
  ): void => {
    this.#core.dispatch({ type: 'set', schema, args: Array.isArray(args) ? args : [args], value });
  };

  /** Stores a response as if it were fetched. The last argument is the response. */
  readonly setResponse = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAnd<E, ResponseFor<E>>
  ): void => {
    const given: readonly unknown[] = rest;
    const response = given.at(-1);
    const call = this.#callOf(endpoint, given.slice(0, -1));
    this.#core.dispatch({ type: 'setResponse', ...call, response });
  };

  /** Stores an error as if a request had failed. The last argument is the error. */
  readonly setError = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAnd<E, Error>
  ): void => {
    const given: readonly unknown[] = rest;
    const error = given.at(-1) as Error;
    const call = this.#callOf(endpoint, given.slice(0, -1));
    this.#core.dispatch({ type: 'setError', ...call, error });
  };

  /**
   * Removes a stored result. Readers fetch again, and have no data until the response arrives. The
   * promise settles when these requests have settled. `null` does nothing.
   */
  readonly invalidate = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E> | readonly [null]
  ): Promise<void> => {
    if (args[0] === null) {
      return Promise.resolve();
    }
    const asked = this.#callOf(endpoint, args);
    this.#core.dispatch({ type: 'invalidate', ...asked });
    return settled(this.#core, ({ key }) => key === asked.key);
  };

  /**
   * Same as `invalidate`, for all results of an endpoint. If the endpoint has no `scope` (see
   * `HookInit`), the results of all scopes are included.
   */
  readonly invalidateAll = (endpoint: EndpointInterface): Promise<void> => {
    this.#core.dispatch({ type: 'invalidateAll', endpoint });
    return settled(this.#core, (flight) => isCallOf(endpoint, undefined, flight));
  };

  /**
   * Expires all results of an endpoint. Readers keep their data and fetch again. If the endpoint
   * has no `scope` (see `HookInit`), the results of all scopes are included.
   */
  readonly expireAll = (endpoint: EndpointInterface): void => {
    this.#core.dispatch({ type: 'expireAll', endpoint });
  };

  /** Expires results and errors past their lifetimes, except results with a request in flight. */
  readonly expireStale = (): void => this.#core.dispatch({ type: 'expireStale' });

  /**
   * Empties the store. Requests in flight are aborted and reject, and readers fetch again.
   * `refetch: false` (see `logout`) keeps mounted readers pending until the application fetches,
   * writes, expires or invalidates their data. A reset without this option makes readers fetch.
   */
  readonly resetEntireStore = (options: ResetOptions = {}): void => {
    checkReset(options);
    this.#core.beforeReset.notify();
    this.#core.dispatch({ type: 'reset', refetch: options.refetch });
  };

  /**
   * Makes the managers keep a result up to date, for example by polling every `pollFrequency`
   * milliseconds. Pair each call with an `unsubscribe` with equal arguments. `null` does nothing.
   * @remarks Polling needs a `PollingManager`. `useLive` and `useSubscription` add one. Without
   * React, pass `managers: [new PollingManager()]` to the controller.
   * @throws RestitchError `mutation-in-reader` for an endpoint with side effects.
   */
  readonly subscribe = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E> | readonly [null]
  ): void => {
    refuseMutation(endpoint);
    this.#ask('subscribe', endpoint, args);
  };

  /** Ends the subscription of one `subscribe` call. Does nothing without a subscription. */
  readonly unsubscribe = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E> | readonly [null]
  ): void => this.#ask('unsubscribe', endpoint, args);

  /**
   * Returns the live view of an endpoint. Equal cache keys share one result. Endpoints with the same
   * options also share one view.
   * @throws RestitchError `mutation-in-reader` for an endpoint with side effects.
   */
  readonly observe = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): View<ValueOf<E>> => {
    refuseMutation(endpoint);
    const view = this.#view(fixedOf(endpoint), args);
    view.adopt(endpoint);
    return view;
  };

  /** Returns the live view of a schema and arguments. `data` is undefined if nothing is stored. */
  readonly observeQuery = <S extends Schema>(
    schema: S,
    ...args: QueryArgs<S>
  ): View<QueryValue<S> | undefined> =>
    this.#use().ofQuery(schema, args) as View<QueryValue<S> | undefined>;

  /** Calls `listener` with every failure, like `onError`. Returns a function that removes it. */
  readonly watchErrors = (listener: ErrorListener): (() => void) =>
    this.#core.failures.add(listener);

  /** Calls `listener` with every response, like `onSuccess`. Returns a function that removes it. */
  readonly watchSuccesses = (listener: SuccessListener): (() => void) =>
    this.#core.successes.add(listener);

  /**
   * Calls `listener` after each reset of the store, with the `refetch` of the reset. Error
   * boundaries clear their errors in this way. Returns a function that removes the listener.
   */
  readonly watchResets = (listener: (refetch: boolean) => void): (() => void) =>
    this.#core.resets.add(listener);

  /** Returns the number of requests in flight: all, or only those that the arguments select. */
  readonly countFetching = <E extends EndpointInterface>(
    endpoint?: E,
    ...args: ArgsOf<E> | readonly []
  ): number => countFlights(this.#core, endpoint, args);

  /**
   * Calls `listener` after a request ended, and in a microtask after requests began. Returns a
   * function that removes it.
   */
  readonly watchFetching = (listener: () => void): (() => void) =>
    this.#core.watchers.add(listener);

  /** Runs several writes as one: subscribers are notified once, at the end. */
  readonly batch = <T>(work: () => T): T => batch(this.#core, work);

  /** Aborts the requests in flight and stops the managers. */
  readonly dispose = (): void => {
    dispose(this.#core);
  };

  #callOf<E extends EndpointInterface>(
    endpoint: E,
    given: readonly unknown[],
  ): { readonly key: string; readonly endpoint: E; readonly args: readonly unknown[] } {
    const args = readArgs(this.#core.store, endpoint, given);
    return { key: endpoint.key(...args), endpoint, args };
  }

  #send(endpoint: EndpointInterface, given: readonly unknown[]): Undoable<never> {
    // The caller may modify the arguments before the response arrives.
    const args = readArgs(this.#core.store, endpoint, copyValue(given));
    return promised(
      () =>
        endpoint.$call?.(this, args) ??
        watched(this.#core, endpoint, fetchFor(this.#core, endpoint, args)),
    ) as Undoable<never>;
  }

  #view(endpoint: EndpointInterface, args: readonly unknown[]): EndpointView<never> {
    return this.#use().ofEndpoint(endpoint, args);
  }

  #use(): Views {
    this.#core.start();
    this.#core.wake(false);
    return this.#core.views;
  }

  #ask(type: 'subscribe' | 'unsubscribe', endpoint: ReadEndpoint, args: readonly unknown[]): void {
    if (args[0] !== null) {
      // The end of a subscription must not make its endpoint the one that polls use.
      const view =
        type === 'subscribe'
          ? this.observe(endpoint, ...args)
          : this.#view(fixedOf(endpoint), args);
      this.#core.dispatch({ type, key: view.key, endpoint: declaredOf(endpoint), args, view });
    }
  }
}

function promised<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(toError(error));
  }
}
