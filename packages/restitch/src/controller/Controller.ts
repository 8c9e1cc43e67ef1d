import { isDevelopment } from '../errors/development.js';
import type {
  ArgsAnd,
  ResponseFor,
  ArgsOf,
  EndpointInterface,
  ReadEndpoint,
  ValueOf,
} from '../endpoint/EndpointInterface.js';
import { endedError } from '../errors/aborts.js';
import type { EndpointError } from '../errors/EndpointError.js';
import { toError } from '../errors/toError.js';
import type { QueryArgs, QueryValue } from '../schema/QueryArgs.js';
import type { Denormalize, Schema } from '../schema/Schema.js';
import { commit } from '../store/journal/commit.js';
import { createStore } from '../store/cells/createStore.js';
import { lookUp } from '../store/views/queries.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Action } from './actions.js';
import { batch } from './batch.js';
import { type ActionTarget, applyAction } from './applyAction.js';
import type { EndpointView } from './EndpointView.js';
import { checkOptions, checkReset } from './misspeltOptions.js';
import type { ControllerOptions, ResetOptions } from './ControllerOptions.js';
import type { ControllerFetch } from './ControllerFetch.js';
import { type ErrorListener, Failures } from './Failures.js';
import { countOf } from './Flight.js';
import { createEnvironment, type Environment } from './Environment.js';
import { exposeInternals, type Internals } from './internals.js';
import { Lifetimes } from './Lifetimes.js';
import { Listeners } from './Listeners.js';
import { ManagerChain } from './ManagerChain.js';
import { refuseMutation } from './refuseMutation.js';
import { errorsOf } from './registers.js';
import { Requests } from './Requests.js';
import { splitLast } from './splitLast.js';
import { Sweeper } from './Sweeper.js';
import type { View } from './View.js';
import { Views } from './Views.js';

/**
 * Owns one store: fetches into it, reads from it, changes it, and tells whoever observes.
 *
 * @remarks Every write tells the observers of what changed synchronously, once it is complete. Answers are ordered by when
 * their requests started, not by when they arrive: an older answer never hides a newer one.
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
  /** What the controller, and every manager, takes from its host. */
  readonly environment: Environment;
  readonly #lifetimes: Lifetimes;
  readonly #managers: ManagerChain;
  readonly #requests: Requests;
  readonly #failures: Failures;
  readonly #resets: Listeners;
  readonly #views: Views;
  readonly #sweeper: Sweeper;
  #store: Store;

  constructor(options: ControllerOptions = {}) {
    checkOptions(options);
    const environment = (this.environment = createEnvironment(options.environment));
    const { now, report } = environment;
    const store = (): Store => this.#store;
    this.#lifetimes = new Lifetimes(now, options);
    this.#failures = new Failures(report, options.onError);
    this.#resets = new Listeners(report);
    this.#store = this.#newStore();
    this.#requests = new Requests({
      ...environment,
      store,
      // An outcome that comes after the end starts nothing again.
      dispatch: (action) => this.#act(action, action.type === 'fetch'),
      lifetimes: this.#lifetimes,
      view: ({ store: from, endpoint, args }) => this.#views.ofEndpoint(from, endpoint, args),
    });
    const internals: Internals = {
      store,
      dispatch: (action) => this.#act(action),
      addManager: (manager) => this.#managers.add(manager),
      isPolled: false,
    };
    exposeInternals(this, internals);
    this.#views = new Views(
      {
        ...environment,
        isUnderWay: (result) => this.#requests.has(result),
        load: (...question) => this.#requests.load(...question),
        errorExpiry: (endpoint) => this.#lifetimes.ofError(endpoint).expiresAt,
        isKept: (endpoint) => this.#lifetimes.isKept(endpoint),
      },
      store,
    );
    const isUnderWay = (result: Result): boolean => this.#requests.concerns(result);
    this.#sweeper = new Sweeper({ store, environment, views: this.#views, isUnderWay }, options);
    // The last link of the managers' chain: the one place where the store changes.
    const target: ActionTarget = {
      store,
      environment,
      requests: this.#requests,
      failures: this.#failures,
      lifetimes: this.#lifetimes,
      batch: this.batch,
      internals,
      reset: ({ refetch }) => this.#reset(refetch === false),
    };
    this.#managers = new ManagerChain(this, options.managers ?? [], (action) =>
      applyAction(target, action),
    );
  }

  /**
   * Sends a request, or for a read joins the one under way, and stores the answer. Resolves to what the store then shows for
   * it (instances); rejects with what the request failed with, or a `SchemaError`.
   */
  readonly fetch: ControllerFetch = (endpoint: EndpointInterface, ...args: readonly unknown[]) => {
    try {
      // The cast: what a flight resolves to is made by the endpoint's own schema, which the type of `fetch` reads.
      const sent = this.#requests.fetch(endpoint, args) as Promise<never>;
      return this.#failures.watched(endpoint, sent);
    } catch (error) {
      return Promise.reject(toError(error));
    }
  };

  /** As `fetch`, but answers from the store while the stored answer is fresh. Rejects for an endpoint with side effects. */
  readonly fetchIfStale = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): Promise<ValueOf<E>> => {
    try {
      refuseMutation(endpoint);
      const view = this.#view(endpoint, args);
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' && !snapshot.partial && view.isFresh()
        ? Promise.resolve(snapshot.data)
        : this.fetch(endpoint, ...args);
    } catch (error) {
      return Promise.reject(toError(error));
    }
  };

  /**
   * What the store holds under a schema and arguments, or undefined. Of an object of schemas each is looked up by the same
   * arguments; an array of one schema takes an array of them.
   */
  readonly get = <S extends Schema>(
    schema: S,
    ...args: QueryArgs<S>
  ): QueryValue<S> | undefined => {
    // The cast: what a schema reads as is what its type says.
    return lookUp(this.#store, schema, args) as QueryValue<S> | undefined;
  };

  /** What readers of an endpoint see now, stale or not, or undefined. */
  readonly getResponse = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): ValueOf<E> | undefined => this.#view(endpoint, args).data;

  /**
   * The last failure of an endpoint, that of a refresh too, until a response or an invalidation replaces it; of a mutation
   * that of the call with this key, until it succeeds or is repeated.
   */
  readonly getError = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): EndpointError | undefined => {
    const snapshot = this.observeError(endpoint, ...args).getSnapshot();
    return snapshot.status === 'pending' ? undefined : snapshot.error;
  };

  /** As `getError`, live: a view of which only the error is of interest. That of a mutation does not load. */
  readonly observeError = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): View<ValueOf<E>> => this.#view(errorsOf(endpoint), args);

  /**
   * Writes to the row or list that `schema` and `args` name: fields that go over the stored ones, or for a row a function
   * that gives them from the stored row (relations as primary keys). The function must be pure: it runs again when something
   * older arrives. Pending mutations show over what is written.
   *
   * @throws SchemaError when the value does not fit; nothing is then written.
   */
  readonly set = <S extends Schema>(
    schema: S,
    args: unknown,
    value: object | string | number | ((current: Denormalize<S> | undefined) => unknown),
  ): void => {
    this.#act({ type: 'set', schema, args: Array.isArray(args) ? args : [args], value });
  };

  /** Stores an answer as if the endpoint had just given it: `setResponse(endpoint, ...args, response)`. */
  readonly setResponse = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAnd<E, ResponseFor<E>>
  ): void => {
    const { args, last } = splitLast(rest);
    this.#act({ type: 'setResponse', key: endpoint.key(...args), endpoint, args, response: last });
  };

  /** Stores an error as if the endpoint had just failed: `setError(endpoint, ...args, error)`. */
  readonly setError = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAnd<E, Error>
  ): void => {
    const { args, last } = splitLast(rest);
    this.#act({
      type: 'setError',
      key: endpoint.key(...args),
      endpoint,
      args,
      error: last as Error,
    });
  };

  /**
   * Takes a stored answer away: readers fetch again and show nothing of it meanwhile. `null` does nothing. Settles when the
   * requests of those who observe it have.
   */
  readonly invalidate = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E> | readonly [null]
  ): Promise<void> => {
    if (args[0] === null) {
      return Promise.resolve();
    }
    // The cast drops `[null]`, which was handled.
    const asked = args as readonly unknown[];
    const key = endpoint.key(...asked);
    this.#act({ type: 'invalidate', key, endpoint, args: asked });
    return this.#requests.settled((candidate) => candidate === key);
  };

  /** `invalidate` for every stored answer of an endpoint, whatever its arguments. */
  readonly invalidateAll = (endpoint: EndpointInterface): Promise<void> => {
    this.#act({ type: 'invalidateAll', endpoint });
    return this.#requests.settled((key) => endpoint.testKey(key));
  };

  /** Ends the lifetime of every stored answer of an endpoint: readers keep what they show and fetch again. */
  readonly expireAll = (endpoint: EndpointInterface): void => {
    this.#act({ type: 'expireAll', endpoint });
  };

  /** `expireAll` for every stored answer and error past its lifetime, whichever endpoint it is of: the `FocusManager` uses it. */
  readonly expireStale = (): void => this.#act({ type: 'expireStale' });

  /**
   * Empties the store. Requests under way are aborted and reject, and readers fetch again. With `refetch: false` those on the
   * screen show that they wait, and fetch only after another reset, `expireAll`, `invalidateAll`, or a fetch by the
   * application: for the end of a session, as `logout` does it.
   */
  readonly resetEntireStore = (options: ResetOptions = {}): void => {
    checkReset(options);
    this.#act({ type: 'reset', refetch: options.refetch });
  };

  /**
   * Asks the managers to keep an answer up to date, as the `PollingManager` does every `pollFrequency`; `null` does nothing.
   * Without a manager that does so nothing happens: `useLive` and `useSubscription` bring one, a program without React passes
   * `new PollingManager()`. Each call is ended by an `unsubscribe` with an equal question.
   *
   * @throws RestitchError `mutation-in-reader` for an endpoint with side effects.
   */
  readonly subscribe = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E> | readonly [null]
  ): void => {
    refuseMutation(endpoint);
    this.#ask('subscribe', endpoint, args);
  };

  /** Ends what one `subscribe` began. Without a subscription it does nothing. */
  readonly unsubscribe = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: ArgsOf<E> | readonly [null]
  ): void => this.#ask('unsubscribe', endpoint, args);

  /** The live answer of an endpoint: the same object for the same question. Throws for an endpoint with side effects. */
  readonly observe = <E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOf<E>
  ): View<ValueOf<E>> => {
    refuseMutation(endpoint);
    const view = this.#view(endpoint, args);
    view.endpoint = endpoint;
    return view;
  };

  /** What the store holds under a schema and arguments, live; its data is undefined while there is nothing. */
  readonly observeQuery = <S extends Schema>(
    schema: S,
    ...args: QueryArgs<S>
  ): View<QueryValue<S> | undefined> => {
    // The cast: the view of a schema shows what the schema reads as.
    return this.#use().ofQuery(this.#store, schema, args) as View<QueryValue<S> | undefined>;
  };

  /** As the option `onError`, for a while: calls `listener` with every failure and its action. Returns how to stop. */
  readonly watchErrors = (listener: ErrorListener): (() => void) => this.#failures.add(listener);

  /**
   * Calls `listener` after each `resetEntireStore()` that lets readers fetch, so not after `logout`: for errors and other state
   * that belong to the emptied data. The error boundaries of `restitch/react` use it. Returns how to stop.
   */
  readonly watchResets = (listener: () => void): (() => void) => this.#resets.add(listener);

  /**
   * How many requests are under way: all, those of an endpoint, or with arguments those for one key.
   */
  readonly countFetching = <E extends EndpointInterface>(
    endpoint?: E,
    ...args: ArgsOf<E> | readonly []
  ): number => countOf(this.#requests.flights, endpoint, args);

  /** Calls `listener` after a request ended, and at the end of the job in which requests began. Returns how to stop. */
  readonly watchFetching = (listener: () => void): (() => void) =>
    this.#requests.watchers.add(listener);

  /** Runs several writes as one: observers are told once, at the end. */
  readonly batch = <T>(work: () => T): T => batch(() => this.#store, work);

  /** Aborts what is under way and ends the managers. */
  readonly dispose = (): void => {
    this.#managers.end();
    this.#requests.abortAll(
      endedError('AbortError', isDevelopment ? 'The controller was disposed of.' : 'disposed'),
    );
    this.#sweeper.stop();
  };

  /** The view of a question, for whoever only looks: what it loads with stays the endpoint of those who observe. */
  #view<E extends EndpointInterface>(endpoint: E, args: ArgsOf<E>): EndpointView<ValueOf<E>> {
    // The cast: the view of an endpoint shows what its schema reads as.
    return this.#use().ofEndpoint(this.#store, endpoint, args) as EndpointView<ValueOf<E>>;
  }

  #use(): Views {
    this.#managers.start();
    this.#sweeper.wake(false);
    return this.#views;
  }

  #ask(type: 'subscribe' | 'unsubscribe', endpoint: ReadEndpoint, args: readonly unknown[]): void {
    if (args[0] !== null) {
      this.#act({ type, key: endpoint.key(...args), endpoint, args });
    }
  }

  #act(action: Action, starts = true): void {
    if (starts) {
      this.#managers.start();
    }
    this.#managers.dispatch(action);
    if (this.#managers.isStarted) {
      this.#sweeper.wake(/^(receive|set)/.test(action.type));
    }
  }

  #newStore(): Store {
    const { report, now, random } = this.environment;
    const renew = (results: readonly Result[]): void => this.#requests.renew(results);
    return createStore({ report, now, random, renew });
  }

  #reset(pauses: boolean): void {
    // What is still under way writes into the old store, which nobody reads any more.
    this.#sweeper.stop();
    const next = this.#newStore();
    next.depth = this.#store.depth;
    this.#store = next;
    const aborted = this.#requests.abortAll(
      endedError('AbortError', isDevelopment ? 'The store was reset.' : 'reset'),
    );
    commit(next, () => this.#views.move(next, aborted, pauses));
    if (!pauses) {
      this.#resets.notify();
    }
  }
}
