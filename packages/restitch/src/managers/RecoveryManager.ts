import type { Dispatch, FetchAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import { type Flight, flightOf } from '../controller/Flight.js';
import { internalsOf } from '../controller/internals.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { type RetryOptions, withRetries } from '../endpoint/retry.js';
import { onAbort, reasonOf } from '../errors/aborts.js';
import { FocusManager } from './FocusManager.js';
import { warnOptions } from './misspelledOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Changes or disables the retries and the refetches of a `RecoveryManager`. */
export interface RecoveryManagerOptions {
  /**
   * The number of retries of a read that failed with a soft error, or detailed options. The `retry`
   * of an endpoint takes precedence. Default: 2.
   */
  readonly retry?: number | RetryOptions | undefined;
  /**
   * Refetches stale data when the page becomes visible again or the network returns, at most every
   * five seconds. Default: true.
   */
  readonly refetchOnFocus?: boolean | undefined;
}

interface Recovering extends EndpointInterface {
  readonly retry?: number | RetryOptions | undefined;
  readonly $repeated?: (() => void) | undefined;
}

/**
 * Recovers from lost connections: retries failed reads, and refetches stale data on focus and
 * reconnect. Reads that start offline wait for the network.
 *
 * @remarks A `DataProvider` that creates its own controller adds this manager. Reads with a soft
 * error are retried twice, after random delays of up to 1 and 2 seconds. An endpoint with
 * `networkMode: 'always'` doesn't wait for the network. Mutations are sent at once and never
 * repeated. Responses of fixtures are not retried.
 * @example
 * ```ts
 * import { Controller, RecoveryManager } from 'restitch';
 *
 * const controller = new Controller({ managers: [new RecoveryManager({ retry: 3 })] });
 * ```
 */
export class RecoveryManager extends FocusManager {
  readonly #options: RecoveryManagerOptions;

  constructor(options: RecoveryManagerOptions = {}) {
    super();
    this.#options = options;
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
      warnOptions('RecoveryManager', options);
  }

  override init(controller: Controller): void {
    if (this.#options.refetchOnFocus !== false) super.init(controller);
  }

  /** Replaces the `fetch` of reads with one that retries and waits for the network. */
  readonly middleware =
    (controller: Controller): ((next: Dispatch) => Dispatch) =>
    (next) =>
    (action) => {
      const isRead = action.type === 'fetch' && !action.endpoint.sideEffect && !action.fetch;
      next(
        isRead ? { ...action, fetch: recovering(controller, action, this.#options.retry) } : action,
      );
    };
}

function recovering(
  controller: Controller,
  action: FetchAction,
  retry: number | RetryOptions = 2,
): FetchAction['fetch'] {
  const flight = flightOf(action);
  const { signal } = flight.abort;
  return function fetch(this: Recovering, ...args) {
    const send = async (): Promise<unknown> => {
      const { isOnline } = controller.environment;
      // While online, the request is sent synchronously, like a request without this manager.
      if (!isOnline() && this.networkMode !== 'always') {
        await untilOnline(controller, flight);
        this.$repeated?.();
      }
      return flight.endpoint.fetch.apply(this, [...args]);
    };
    // An endpoint with its own `retry` already repeats the request.
    const limit = this.retry === undefined ? retry : 0;
    return withRetries(this, limit, true, [signal], send);
  };
}

function untilOnline(controller: Controller, flight: Flight): Promise<void> {
  const core = internalsOf(controller);
  const { environment, watchers } = core;
  const { abort, wait } = flight;
  return new Promise((resolve, reject) => {
    flight.isOffline = true;
    watchers.notifyLater();
    const stop = environment.watch(() => {
      // If a newer request has replaced this one, nothing is sent.
      if (environment.isOnline() && wait.flight === flight) {
        stop();
        flight.isOffline = false;
        watchers.notify();
        resolve();
      }
    });
    onAbort(abort.signal, () => {
      stop();
      reject(reasonOf(abort.signal));
    });
  });
}
