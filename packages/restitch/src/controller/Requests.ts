import { isDevelopment } from '../errors/development.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { endedError, reasonOf } from '../errors/aborts.js';
import { RestitchError } from '../errors/RestitchError.js';
import { toError } from '../errors/toError.js';
import { commit } from '../store/journal/commit.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { isPending } from '../store/journal/rank.js';
import { withSource } from '../store/normalize/refusals.js';
import { STALLED } from '../store/journal/stalled.js';
import { withdrawOptimistic } from '../store/journal/transactions.js';
import type { Result } from '../store/cells/Result.js';
import type { FailAction, FetchAction, ReceiveAction } from './actions.js';
import { callEndpoint } from './callEndpoint.js';
import type { EndpointView } from './EndpointView.js';
import {
  abortFlights,
  abortOf,
  createFlight,
  type Flight,
  flightOf,
  hasReaders,
  join,
  joinable,
  outcomeOfMutation,
  renewFlight,
  signalOf,
  type Wait,
} from './Flight.js';
import { showOptimistic } from './showOptimistic.js';
import type { RequestsHost } from './RequestsHost.js';
import { Listeners } from './Listeners.js';
import { beforeDelete, outcomeOf } from './outcome.js';
import * as storeActions from './storeActions.js';
import { registerOf } from './registers.js';
import { UnnamedRows } from './UnnamedRows.js';
import { Strays } from './Strays.js';
import { settledWithin } from './tracked.js';
import type { TrackedPromise } from './View.js';

/** The requests under way: reads are shared by key, mutations never. */
export class Requests {
  readonly #host: RequestsHost;
  readonly #reads = new Map<Result, Flight>();
  readonly #mutations = new Set<Flight>();
  /** Requests that others took the place of: their rows still count, their outcome only for those who still wait for them. */
  readonly #superseded = new Set<Flight>();
  /** How many mutations have ended. A read that began before the last of them may lack what it changed. */
  #mutated = 0;
  /** Those who follow which requests are under way. */
  readonly watchers: Listeners;
  readonly #unnamed = new UnnamedRows();
  readonly #strays: Strays;

  constructor(host: RequestsHost) {
    this.#host = host;
    this.watchers = new Listeners(host.report);
    this.#strays = new Strays(host.now);
  }

  /**
   * Sends a request as a caller, who withdraws when the endpoint's signal aborts. A read joins the one under way unless a
   * mutation has ended since: after `await save()` the caller expects to see the change.
   */
  fetch(endpoint: EndpointInterface, args: readonly unknown[]): Promise<unknown> {
    const store = this.#host.store();
    const key = endpoint.key(...args);
    const result = endpoint.sideEffect ? undefined : registerOf(store, endpoint, args, key);
    const current = this.joinable(result);
    if (current?.mutated === this.#mutated) {
      return join(current.wait, [signalOf(endpoint, args)], this.#abandon);
    }
    const flight = createFlight(store, endpoint, args, key, result);
    const waiting = join(flight.wait, [flight.wait.signal], this.#abandon);
    if (!flight.abort.signal.aborted) {
      this.#start(flight);
    }
    return waiting;
  }

  /**
   * Sends a request, or joins the one under way, as a reader, which withdraws only if it has a `signal` of its own. `isAsked`:
   * somebody asked for it, so that only what `fetch` would join is joined.
   */
  load(
    view: EndpointView<unknown>,
    signal?: AbortSignal,
    isAsked = false,
  ): TrackedPromise<unknown> {
    const { endpoint, args, result } = view;
    const current = this.joinable(result);
    if (current && !(isAsked && current.mutated !== this.#mutated)) {
      this.#read(current.wait, signal);
      return current.wait.outcome.promise;
    }
    this.#strays.begin(endpoint, result);
    const store = this.#host.store();
    const flight = createFlight(store, endpoint, args, result.key, result, view.isLost);
    this.#read(flight.wait, signal, flight.wait.signal);
    this.#startForReaders(flight, result, view);
    return flight.wait.outcome.promise;
  }

  /** Lets a reader wait once, however often it renders; it withdraws when one of the signals aborts. */
  #read(wait: Wait, signal: AbortSignal | undefined, own?: AbortSignal): void {
    if (!wait.readers.has(signal)) {
      wait.readers.add(signal);
      // Who waits is told through the tracked promise, also of an abort by the endpoint's own signal.
      join(wait, [signal, own], this.#abandon).catch(() => {});
    }
  }

  /** Carries out a fetch action: the optimistic answer, then the endpoint's own `fetch`. */
  send(action: FetchAction): void {
    const { endpoint, args, key } = action;
    const flight = flightOf(action);
    const { dispatch, report } = this.#host;
    storeActions.begin(flight);
    flight.deleted = beforeDelete(flight.store, endpoint, args);
    showOptimistic(flight, args, this.#host);
    let sent = args;
    const call = (): Promise<unknown> => callEndpoint(flight, sent, action.fetch);
    const called = this.#unnamed
      .argsOf(flight, (test) => outcomeOfMutation(this.#mutations, test))
      ?.then((real) => {
        sent = real;
        return call();
      });
    const fail = (error: unknown): void => {
      const aborted = abortOf(flight, this.#host.store());
      const reason = aborted === 'reset' ? reasonOf(flight.abort.signal) : toError(error);
      dispatch({ type: 'fail', endpoint, args: sent, key, error: reason, aborted, flight });
    };
    (called ?? call())
      .then((response) => {
        if (abortOf(flight, this.#host.store()) === 'reset') {
          fail(response);
        } else {
          dispatch({ type: 'receive', endpoint, args: sent, key, response, flight });
        }
      }, fail)
      // A manager threw, so nobody placed the answer.
      .catch((error: unknown) => {
        report(error);
        this.#giveUp(flight, toError(error));
      });
  }

  /** Places an answer and tells who waits. One that its schema refuses is a failure. */
  receive(action: ReceiveAction): void {
    const { endpoint, args, response } = action;
    const flight = flightOf(action);
    const { store, result, deleted, wait } = flight;
    let answer: NormalizedResponse | undefined;
    // Before anybody hears of the answer: who asks again, since it raised a doubt, needs a newer one, and who waits is told this one.
    this.#end(flight);
    try {
      answer = commit(store, () => {
        const received = storeActions.receive(action, this.#host.lifetimes.ofData(endpoint));
        this.#unnamed.restart(store, this.#host, this.#mutated);
        return received;
      });
    } catch (error) {
      this.#host.dispatch({ ...action, type: 'fail', error: toError(error) });
      return;
    }
    if (answer?.isNext && wait.flight === flight) {
      this.#start(renewFlight(flight));
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
        this.#tell(flight, 'resolve', value);
      }
    } catch (error) {
      // It is stored; only what was made of it for the caller failed.
      this.#tell(flight, 'reject', withSource(error, endpoint.name));
    }
  }

  /** Takes a request back and tells who waits. */
  fail(action: FailAction): void {
    const [{ error, endpoint }, flight] = [action, flightOf(action)];
    const { report, lifetimes } = this.#host;
    this.#unnamed.noteFailure(flight, error);
    this.#end(flight);
    const isReplaced = flight.result !== undefined && this.has(flight.result);
    const hasData = (): boolean => this.#host.view(flight).getSnapshot().status === 'ready';
    storeActions.failRequest(action, lifetimes.ofError(endpoint), report, isReplaced, hasData);
    this.#tell(flight, 'reject', error);
  }

  /** Whether the answer of a register is under way. */
  has(result: Result): boolean {
    return this.#reads.has(result);
  }

  /** The read under way that whoever asks joins; not one that will probably never be answered. */
  joinable(result: Result | undefined): Flight | undefined {
    return joinable(result && this.#reads.get(result), this.#host.now());
  }

  /** Whether a request may still write to a register, be it one whose outcome counts or not. */
  concerns(result: Result): boolean {
    return this.has(result) || [...this.#superseded].some((flight) => flight.result === result);
  }

  /** The requests under way whose outcome readers see, and mutations. */
  get flights(): readonly Flight[] {
    return [...this.#reads.values(), ...this.#mutations];
  }

  /** Sends again what is under way for these registers, for those who wait, where it began before they expired: it does not count. */
  renew(results: readonly Result[]): void {
    for (const result of results) {
      const flight = this.#reads.get(result);
      if (flight && (flight.transaction?.start ?? 0) < result.expiredIn) {
        this.#start(renewFlight(flight));
      }
    }
  }

  /** Settles when the reads now under way that match have settled, whatever their outcome. */
  async settled(matches: (key: string) => boolean): Promise<void> {
    // Whoever is told at the end of a batch asks then.
    if (this.#host.store().depth > 0) {
      await Promise.resolve();
    }
    const flights = this.flights.filter(({ result, key }) => result && matches(key));
    await Promise.allSettled(flights.map(({ wait }) => wait.outcome.promise));
  }

  /** Aborts everything under way and rejects who waits; returns the registers whose answers were under way. */
  abortAll(reason: Error): ReadonlySet<Result | undefined> {
    const flights = [...this.flights, ...this.#superseded];
    this.watchers.notifyLater();
    this.#superseded.clear();
    this.#reads.clear();
    this.#mutations.clear();
    abortFlights(flights, reason);
    return new Set(flights.map(({ result }) => result));
  }

  #start(flight: Flight): void {
    const { endpoint, args, key, result } = flight;
    flight.mutated = this.#mutated;
    this.watchers.notifyLater();
    if (!result) {
      this.#mutations.add(flight);
    } else if (!flight.abort.signal.aborted) {
      // Whoever asked with a signal that was aborted before fails alone.
      const older = this.#reads.get(result);
      if (older) {
        this.#superseded.add(older);
        // Its readers wait for both: the newer one must not end with its caller.
        const waiting = [...older.wait.readers].filter((signal) => !signal?.aborted);
        waiting.forEach((signal) => this.#read(flight.wait, signal));
      }
      this.#reads.set(result, flight);
      result.resume?.();
    }
    try {
      this.#host.dispatch({ type: 'fetch', endpoint, args, key, flight });
    } catch (error) {
      this.#giveUp(flight, toError(error));
      return;
    }
    if (!flight.transaction) {
      const message = isDevelopment
        ? `${key}: a manager kept the fetch action, nothing was sent.`
        : key;
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
    const deletion =
      view.hiddenBy &&
      outcomeOfMutation(this.#mutations, (transaction) => transaction === view.hiddenBy);
    if (!deletion || flight.abort.signal.aborted) {
      this.#start(flight);
      return;
    }
    this.#reads.set(result, flight);
    void settledWithin(deletion, STALLED, this.#host.whenIdle)
      .then((hasSettled) => {
        // Another request may have taken its place, or nobody waits any more.
        const isCurrent = this.#reads.get(result) === flight;
        this.#end(flight);
        if (isCurrent && !hasSettled) {
          this.#start(flight);
        } else if (isCurrent && view.needsLoad(true)) {
          this.#startForReaders(flight, result, view);
        } else if (isCurrent) {
          this.#tellReaders(flight, result);
        }
      })
      .catch((error: unknown) => this.#tell(flight, 'reject', toError(error)));
  }

  /** Tells those who wait what their view shows. While it shows nothing, readers wait for the next response. */
  #tellReaders(flight: Flight, result: Result): void {
    if (flight.wait.flight !== flight) {
      return;
    }
    const view = this.#host.view(flight);
    const snapshot = view.getSnapshot();
    const next = this.#reads.get(result);
    if (snapshot.status !== 'pending' || !hasReaders(flight.wait)) {
      if (snapshot.status === 'error') {
        this.#tell(flight, 'reject', snapshot.error);
      } else {
        this.#tell(flight, 'resolve', snapshot.status === 'ready' ? snapshot.data : undefined);
      }
    } else if (next) {
      // Whoever observes was told before, and asks already.
      const { outcome } = flight.wait;
      void next.wait.outcome.promise.then(outcome.resolve, outcome.reject);
      this.#abortSuperseded(flight.wait, endedError('AbortError'));
    } else {
      this.#startForReaders(renewFlight(flight, true), result, view);
    }
  }

  /** Ends a request that nobody carries on. */
  #giveUp(flight: Flight, error: Error): void {
    this.#end(flight);
    if (flight.transaction && isPending(flight.transaction)) {
      storeActions.withdraw(flight);
    }
    this.#tell(flight, 'reject', error);
  }

  /** Nobody wants an answer any more, whatever sends hears of it: a guess is taken back before the caller is told. */
  readonly #abandon = (wait: Wait, reason: unknown): void => {
    const { flight } = wait;
    if (flight) {
      this.#end(flight);
      if (!flight.result) {
        storeActions.withdraw(flight, withdrawOptimistic);
        wait.outcome.reject(toError(reason));
      }
      flight.abort.abort(reason);
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
    const { result } = flight;
    this.#superseded.delete(flight);
    if (this.#mutations.delete(flight)) {
      this.#mutated += 1;
    } else if (result && this.#reads.get(result) === flight) {
      this.#reads.delete(result);
      this.#strays.noteEnd(result.key);
    } else {
      return;
    }
    // At once: the end shows together with the answer.
    this.watchers.notify();
  }

  /** Settles the outcome for those who wait, unless another request has taken this one's place. */
  #tell(flight: Flight, how: 'resolve' | 'reject', value: unknown): void {
    const { wait } = flight;
    if (wait.flight === flight) {
      // The cast: an outcome is rejected with errors only.
      wait.outcome[how](value as Error);
      this.#abortSuperseded(wait, endedError('AbortError'));
    }
  }
}
