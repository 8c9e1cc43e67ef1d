import type { Dispatch, FetchAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Environment } from '../controller/Environment.js';
import type { Manager } from '../controller/Manager.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { type RetryOptions, withRetries } from '../endpoint/retry.js';
import { onAbort, reasonOf } from '../errors/aborts.js';
import { FocusManager } from './FocusManager.js';
import { warnOptions } from './misspeltOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Settings of a `RecoveryManager`; all optional. */
export interface RecoveryManagerOptions {
  /**
   * The number of retries of a read that failed softly, or detailed settings. An endpoint with its
   * own `retry` keeps that. Default: 2.
   */
  readonly retry?: number | RetryOptions | undefined;
  /**
   * True to refetch stale data when the page becomes visible again or the network returns, at most
   * every five seconds. Default: true.
   */
  readonly refetchOnFocus?: boolean | undefined;
}

/** The members of an endpoint that the manager uses. */
interface Recovering extends EndpointInterface {
  readonly method?: string;
  readonly retry?: number | RetryOptions | undefined;
  /** `'always'`: the request is also sent without a network. */
  readonly networkMode?: unknown;
}

/** Milliseconds between two refetches on focus. */
const THROTTLE = 5_000;

/**
 * Recovers from lost connections: it retries failed reads, lets reads that start offline wait for
 * the network, and refetches stale data on focus and reconnect, like a `FocusManager`.
 *
 * @remarks Reads whose error has the policy `'soft'` are retried twice, after random delays of up to
 * 1 and 2 seconds. Mutations are never repeated, and are sent at once. An endpoint with the option
 * `networkMode: 'always'` doesn't wait for the network. Responses of fixtures are not retried.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react';
 * import { RecoveryManager } from 'restitch';
 * import { DataProvider } from 'restitch/react';
 *
 * const managers = [new RecoveryManager()];
 *
 * export function Root({ children }: { children: ReactNode }) {
 *   return <DataProvider managers={managers}>{children}</DataProvider>;
 * }
 * ```
 */
export class RecoveryManager implements Manager {
  readonly #options: RecoveryManagerOptions;
  readonly #focus = new FocusManager();

  constructor(options: RecoveryManagerOptions = {}) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('RecoveryManager', options);
  }

  init({ environment, expireStale }: Controller): void {
    if (this.#options.refetchOnFocus === false) return;
    let lastAt = -Infinity;
    this.#focus.init({
      environment,
      expireStale() {
        // A time in the future was noted before the clock was set back.
        if (Math.abs(environment.now() - lastAt) < THROTTLE) return;
        lastAt = environment.now();
        expireStale();
      },
    });
  }

  readonly middleware =
    ({ environment }: Controller): ((next: Dispatch) => Dispatch) =>
    (next) =>
    (action) => {
      const isRead = action.type === 'fetch' && !action.endpoint.sideEffect && !action.fetch;
      next(isRead ? { ...action, fetch: this.#recovering(environment, action) } : action);
    };

  cleanup(): void {
    this.#focus.cleanup();
  }

  /** Returns a function that sends a read as soon as possible, and again if it failed softly. */
  #recovering(environment: Environment, { endpoint }: FetchAction): FetchAction['fetch'] {
    const { retry = 2 } = this.#options;
    return function fetch(this: Recovering, ...args) {
      const { name, method = 'GET', signal: given, networkMode } = this;
      const signal = typeof given === 'function' ? given() : given;
      const send = async (): Promise<unknown> => {
        if (networkMode !== 'always') await untilOnline(environment, signal);
        return endpoint.fetch.apply(this, [...args]);
      };
      const errorPolicy = (error: object): ReturnType<typeof withPolicy> => withPolicy(this, error);
      return this.retry === undefined
        ? withRetries({ name, method, retry, errorPolicy }, true, [signal], send)
        : send();
    };
  }
}

/** Returns the error policy of an endpoint. Without one, errors are hard. */
function withPolicy(
  endpoint: EndpointInterface,
  error: object,
): ReturnType<NonNullable<EndpointInterface['errorPolicy']>> {
  // The cast: requests reject with errors.
  return endpoint.errorPolicy?.(error as Error);
}

/** Resolves when the network may be reachable. Rejects when the signal aborts. */
function untilOnline(
  { isOnline, watch }: Environment,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (isOnline()) {
      resolve();
      return;
    }
    const stop = watch(() => {
      if (isOnline()) {
        stop();
        resolve();
      }
    });
    if (signal) {
      onAbort(signal, () => {
        stop();
        reject(reasonOf(signal));
      });
    }
  });
}
