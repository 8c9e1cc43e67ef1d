import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { endedError } from '../errors/aborts.js';
import { RestitchError } from '../errors/RestitchError.js';
import { toError } from '../errors/toError.js';
import type { Normalized } from '../store/normalized.js';
import { isPending } from '../store/rank.js';
import type { Lifetime } from '../store/results.js';
import type { Result, Store, Transaction } from '../store/state.js';
import type { Dispatch, FailAction, FetchAction, ReceiveAction } from './actions.js';
import { callEndpoint } from './callEndpoint.js';
import type { EndpointView } from './EndpointView.js';
import {
  createFlight,
  type Flight,
  flightOf,
  hasReaders,
  join,
  renewFlight,
  signalOf,
  type Wait,
} from './Flight.js';
import { showGuess } from './guess.js';
import { optimisticResponse } from './optimistic.js';
import { beforeDelete, outcomeOf } from './outcome.js';
import * as reduce from './reduce.js';
import { registerOf } from './registers.js';
import type { SnapshotSource } from './snapshotSource.js';
import { realArgs, temporariesIn } from './temporary.js';
import type { TrackedPromise } from './View.js';

/** Milliseconds: a reader that waits has to see the error before it may ask again, or it would ask for ever. */
const SHORTEST_ERROR = 100;

/** What requests need of their controller. */
export interface RequestsHost {
  readonly store: () => Store;
  readonly dispatch: Dispatch;
  readonly now: () => number;
  readonly report: (error: unknown) => void;
  readonly lifetimes: reduce.Lifetimes;
  /** The view of a request's question: everybody who reads gets the identical object. */
  readonly view: (flight: Flight) => EndpointView<unknown>;
}

/** The requests under way: reads are shared by key, mutations never. */
export class Requests {
  readonly #host: RequestsHost;
  readonly #reads = new Map<Result, Flight>();
  readonly #mutations = new Set<Flight>();
  /** Requests that others took the place of: their rows still count, their outcome does not. */
  readonly #superseded = new Set<Flight>();
  /** Whether a row was ever created here under a temporary key. */
  #hasTemporaries = false;

  constructor(host: RequestsHost) {
    this.#host = host;
  }

  /** Sends a request, or joins the one under way, as a caller who withdraws when the endpoint's signal aborts. */
  fetch(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    const store = this.#host.store();
    const key = endpoint.key(...args);
    const result = endpoint.sideEffect ? undefined : registerOf(store, endpoint, args, key);
    const current = result && this.#reads.get(result);
    if (current) {
      return join(current.wait, [signalOf(endpoint, args)], this.#abandon);
    }
    const flight = createFlight(store, endpoint, args, key, result);
    const waiting = join(flight.wait, [flight.wait.signal], this.#abandon);
    if (!flight.abort.signal.aborted) {
      this.#start(flight);
    }
    return waiting;
  }

  /** Sends a request, or joins the one under way, as a reader, which withdraws only if it has a `signal` of its own. */
  load(view: EndpointView<unknown>, signal?: AbortSignal): TrackedPromise<unknown> {
    const { endpoint, args, result } = view;
    let flight = this.#reads.get(result);
    const isNew = flight === undefined;
    flight ??= createFlight(this.#host.store(), endpoint, args, result.key, result, view.isLost);
    const { wait } = flight;
    // Renders may be repeated: a reader joins once.
    if (!wait.readers.has(signal)) {
      wait.readers.add(signal);
      // Who waits is told through the tracked promise, also of an abort by the endpoint's own signal.
      join(wait, [signal, isNew ? wait.signal : undefined], this.#abandon).catch(() => {});
    }
    if (isNew) {
      this.#startForReaders(flight, result, view);
    }
    return wait.outcome.promise;
  }

  /** Carries out a fetch action: the optimistic answer, then the endpoint's own `fetch`. */
  send(action: FetchAction): void {
    const { endpoint, args, key } = action;
    const flight = flightOf(action);
    const { dispatch, now, report } = this.#host;
    reduce.begin(flight);
    flight.deleted = beforeDelete(flight.store, endpoint, args);
    if (endpoint.getOptimisticResponse) {
      const startedAt = now();
      // The mistake is the endpoint's, not the request's: it shows as the endpoint's error, and the request goes on.
      const refuse = (error: unknown): void =>
        dispatch({ type: 'setError', key, endpoint, args, error: toError(error) });
      try {
        const respond = (source: SnapshotSource): unknown =>
          optimisticResponse(endpoint, args, source, startedAt);
        showGuess(flight, respond, refuse);
      } catch (error) {
        refuse(error);
      }
    }
    let sent = args;
    const call = (): Promise<unknown> => callEndpoint(flight, sent, action.fetch);
    const named = this.#named(flight);
    const called = named?.then((real) => {
      sent = real;
      // It is sent only now: a read would rank below the answers that it waited for.
      if (flight.result) {
        reduce.withdraw(flight);
        reduce.begin(flight);
      }
      return call();
    });
    (called ?? call())
      .then(
        (response) => dispatch({ type: 'receive', endpoint, args: sent, key, response, flight }),
        (error: unknown) =>
          dispatch({ type: 'fail', endpoint, args: sent, key, error: toError(error), flight }),
      )
      // A manager threw, so nobody placed the answer.
      .catch((error: unknown) => {
        report(error);
        this.#giveUp(flight, toError(error));
      });
  }

  /** The arguments of a request about rows that the server has not named yet, as soon as it has; undefined for any other. */
  #named(flight: Flight): Promise<readonly unknown[]> | undefined {
    const { args, store, transaction } = flight;
    const temporaries = this.#hasTemporaries ? temporariesIn(store.seed, args) : NONE;
    this.#hasTemporaries ||= (transaction?.temporary.length ?? 0) > 0;
    return temporaries.size === 0
      ? undefined
      : realArgs(flight, temporaries, (start) =>
          this.#mutationOf((creation) => creation.start === start),
        );
  }

  /** Places an answer and tells who waits. One that its schema refuses is a failure. */
  receive(action: ReceiveAction): void {
    const { endpoint, args, response } = action;
    const flight = flightOf(action);
    const { store, result, deleted, wait } = flight;
    let answer: Normalized | undefined;
    // Before anybody hears of the answer: who asks again, since it raised a doubt, needs a newer one, and who waits is told this one.
    this.#end(flight);
    try {
      answer = reduce.receive(action, this.dataLifetime(endpoint));
    } catch (error) {
      this.#host.dispatch({ ...action, type: 'fail', error: toError(error) });
      return;
    }
    try {
      const isRead = result && hasReaders(wait);
      const value = isRead
        ? undefined
        : outcomeOf(store, endpoint, args, response, answer, deleted);
      if (value === undefined && result) {
        this.#tellReaders(flight, result);
      } else {
        this.#tell(flight, ({ outcome }) => outcome.resolve(value));
      }
    } catch (error) {
      // It is stored; only what was made of it for the caller failed.
      this.#tell(flight, ({ outcome }) => outcome.reject(toError(error)));
    }
  }

  /** Takes a request back and tells who waits. */
  fail(action: FailAction): void {
    const { error, endpoint } = action;
    const flight = flightOf(action);
    this.#end(flight);
    let isSoft = false;
    try {
      isSoft = endpoint.errorPolicy?.(error) === 'soft';
    } catch (mistake) {
      this.#host.report(mistake);
    }
    reduce.failRequest(
      action,
      this.errorLifetime(endpoint),
      isSoft,
      () => this.#host.view(flight).hasData,
    );
    this.#tell(flight, ({ outcome }) => outcome.reject(error));
  }

  /** Whether the answer of a register is under way. */
  has(result: Result): boolean {
    return this.#reads.has(result);
  }

  /** Whether a request may still write to a register, be it one whose outcome counts or not. */
  concerns(result: Result): boolean {
    return this.has(result) || [...this.#superseded].some((flight) => flight.result === result);
  }

  /** Sends again what is under way for these registers, for those who wait, where it began before they expired: it does not count. */
  renew(results: readonly Result[]): void {
    for (const result of results) {
      const flight = this.#reads.get(result);
      if (flight && (flight.transaction?.start ?? 0) < result.expiredIn) {
        this.#superseded.add(flight);
        this.#start(renewFlight(flight));
      }
    }
  }

  /** Settles when the reads now under way that match have settled, whatever their outcome. */
  async settled(matches: (key: string) => boolean): Promise<void> {
    if (this.#host.store().depth > 0) {
      // Whoever is told at the end of the batch asks then.
      await Promise.resolve();
    }
    const flights = [...this.#reads.values()].filter(({ key }) => matches(key));
    await Promise.allSettled(flights.map(({ wait }) => wait.outcome.promise));
  }

  /** Aborts everything under way and rejects who waits; returns the registers whose answers were under way. */
  abortAll(reason: Error): ReadonlySet<Result | undefined> {
    const flights = [...this.#reads.values(), ...this.#mutations, ...this.#superseded];
    this.#superseded.clear();
    this.#reads.clear();
    this.#mutations.clear();
    for (const flight of flights) {
      const { wait, abort } = flight;
      wait.flight = undefined;
      abort.abort(reason);
      wait.outcome.reject(reason);
    }
    return new Set(flights.map(({ result }) => result));
  }

  errorLifetime({ errorExpiryLength }: EndpointInterface): Lifetime {
    const length = errorExpiryLength ?? this.#host.lifetimes.errorExpiryLength;
    return this.lifetime(Math.max(length, SHORTEST_ERROR));
  }

  lifetime(length: number): Lifetime {
    const fetchedAt = this.#host.now();
    return { fetchedAt, expiresAt: fetchedAt + length };
  }

  dataLifetime({ dataExpiryLength }: EndpointInterface): Lifetime {
    return this.lifetime(dataExpiryLength ?? this.#host.lifetimes.dataExpiryLength);
  }

  #start(flight: Flight): void {
    const { endpoint, args, key, result } = flight;
    if (!result) {
      this.#mutations.add(flight);
    } else if (!flight.abort.signal.aborted) {
      // Whoever asked with a signal that was aborted before fails alone.
      this.#reads.set(result, flight);
    }
    try {
      this.#host.dispatch({ type: 'fetch', endpoint, args, key, flight });
    } catch (error) {
      this.#giveUp(flight, toError(error));
      return;
    }
    if (!flight.transaction) {
      const message = `${key}: a manager did not let the fetch action go on, so nothing was sent.`;
      this.#giveUp(flight, new RestitchError('not-sent', message));
    }
  }

  /**
   * Sends a reader's request once no deletion under way hides what it is about. Where the deletion fails, none is needed.
   *
   * ```
   *   DELETE  ├──── hidden ────┤ failed      the row shows again
   *                            ┤ answered    GET ├──────┤ 404
   *   reader       ├─ waits ───┘
   * ```
   */
  #startForReaders(flight: Flight, result: Result, view: EndpointView<unknown>): void {
    const { hiddenBy } = view;
    const deletion = hiddenBy && this.#mutationOf((transaction) => transaction === hiddenBy);
    if (!deletion || flight.abort.signal.aborted) {
      this.#start(flight);
      return;
    }
    this.#reads.set(result, flight);
    const go = (): void => {
      // Another request may have taken its place, or nobody waits any more.
      const isCurrent = this.#reads.get(result) === flight;
      this.#end(flight);
      if (isCurrent && view.needsLoad(true)) {
        this.#startForReaders(flight, result, view);
      } else if (isCurrent) {
        this.#tellReaders(flight, result);
      }
    };
    void deletion
      .then(go, go)
      .catch((error: unknown) =>
        this.#tell(flight, ({ outcome }) => outcome.reject(toError(error))),
      );
  }

  /** Tells those who wait what their view shows. While it shows nothing, readers wait for the next response. */
  #tellReaders(flight: Flight, result: Result): void {
    const { wait } = flight;
    if (wait.flight !== flight) {
      return;
    }
    const view = this.#host.view(flight);
    const snapshot = view.getSnapshot();
    const next = this.#reads.get(result);
    if (snapshot.status !== 'pending' || !hasReaders(wait)) {
      this.#tell(flight, ({ outcome }) =>
        snapshot.status === 'error'
          ? outcome.reject(snapshot.error)
          : outcome.resolve(snapshot.status === 'ready' ? snapshot.data : undefined),
      );
    } else if (next) {
      // Whoever observes was told before, and asks already.
      this.#tell(flight, ({ outcome }) => {
        void next.wait.outcome.promise.then(outcome.resolve, outcome.reject);
      });
    } else {
      this.#startForReaders(renewFlight(flight, true), result, view);
    }
  }

  /** The outcome of the mutation under way whose transaction a test accepts. */
  #mutationOf(test: (transaction: Transaction) => boolean): Promise<unknown> | undefined {
    const found = [...this.#mutations].find(({ transaction }) => transaction && test(transaction));
    return found?.wait.outcome.promise;
  }

  /** Ends a request that nobody carries on. */
  #giveUp(flight: Flight, error: Error): void {
    this.#end(flight);
    if (flight.transaction && isPending(flight.transaction)) {
      reduce.withdraw(flight);
    }
    this.#tell(flight, ({ outcome }) => outcome.reject(error));
  }

  /** Nobody wants an answer any more. Whoever asks from now on asks anew. */
  readonly #abandon = (wait: Wait, reason: unknown): void => {
    if (wait.flight) {
      this.#end(wait.flight);
      wait.flight.abort.abort(reason);
    }
    this.#abortSuperseded(wait, reason);
  };

  #abortSuperseded(wait: Wait, reason: unknown): void {
    for (const flight of this.#superseded) {
      if (flight.wait === wait) {
        this.#superseded.delete(flight);
        flight.abort.abort(reason);
      }
    }
  }

  #end(flight: Flight): void {
    this.#mutations.delete(flight);
    this.#superseded.delete(flight);
    if (flight.result && this.#reads.get(flight.result) === flight) {
      this.#reads.delete(flight.result);
    }
  }

  #tell(flight: Flight, tell: (wait: Wait) => void): void {
    const { wait } = flight;
    // Another request may have taken this one's place for those who wait.
    if (wait.flight === flight) {
      tell(wait);
      this.#abortSuperseded(wait, endedError('AbortError', 'A newer request was answered.'));
    }
  }
}

const NONE: ReadonlySet<string> = new Set();
