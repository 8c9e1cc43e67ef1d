import { reasonOf } from '../errors/aborts.js';
import type { ErrorPolicy } from './EndpointInterface.js';
import { armSignal } from './signal.js';

/** When and how often a request is sent again after a failure. */
export interface RetryOptions {
  /** How often at most, besides the first time. */
  readonly limit: number;
  /**
   * The statuses to try again, `[429, 503]` for example. Default: those of errors that `errorPolicy` calls soft. A failed
   * connection is tried again whenever `errorPolicy` calls it soft.
   */
  readonly statusCodes?: readonly number[] | undefined;
  /** The methods to try again. Default: whatever reads, so no mutation; list `'PUT'` where doing it twice does no harm. */
  readonly methods?: readonly string[] | undefined;
  /**
   * Milliseconds to wait before try number `attempt`, the first retry being 1. Default: a random time up to 1 000, then up to
   * 2 000, 4 000, … and 30 000. A `Retry-After` of the server that asks for more is followed. `Infinity`: do not try again.
   */
  readonly backoff?: ((attempt: number) => number) | undefined;
}

/** What trying again depends on. */
interface Retrying {
  readonly name: string;
  readonly method: string;
  readonly sideEffect?: boolean | undefined;
  readonly retry?: number | RetryOptions | undefined;
  errorPolicy(error: object): ErrorPolicy;
}

const FIRST_CEILING = 1_000;
const LAST_CEILING = 30_000;

// Readers would rather see the error than wait longer than this.
const LONGEST_RETRY_AFTER = 60_000;

/**
 * "Full jitter": clients that failed together do not come back together.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
// Written here, since it is one line; libraries for it bring their own loop, timers and errors.
const fullJitter = (attempt: number): number =>
  Math.random() * Math.min(LAST_CEILING, FIRST_CEILING * 2 ** (attempt - 1));

// The header holds seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
function retryAfter(response: Partial<Response> | undefined): number {
  const text = response?.headers?.get?.('retry-after') ?? '';
  // A text that is neither says nothing.
  return Number(text) * 1_000 || Date.parse(text) - Date.now() || 0;
}

/**
 * Sends a request until it succeeds, fails for good, or was tried often enough.
 *
 * @param repeatable Whether the body can be sent twice.
 * @param signals End the waiting, and with it the request.
 */
export async function withRetries<T>(
  endpoint: Retrying,
  repeatable: boolean,
  signals: readonly (AbortSignal | null | undefined)[],
  send: () => Promise<T>,
): Promise<T> {
  const { retry = 0, method, sideEffect, name } = endpoint;
  const options: RetryOptions = typeof retry === 'number' ? { limit: retry } : retry;
  const { limit, statusCodes, methods, backoff = fullJitter } = options;
  const repeats = repeatable && (methods ? methods.includes(method) : !sideEffect);
  const aborted = (): AbortSignal | null | undefined => signals.find((signal) => signal?.aborted);
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      // Code of users may throw what is no object.
      const failure = Object(error) as { readonly status?: number; readonly response?: Response };
      const { status, response } = failure;
      const isLeft = repeats && attempt <= limit;
      const asked = isLeft ? retryAfter(response) : 0;
      const again =
        isLeft &&
        asked <= LONGEST_RETRY_AFTER &&
        !aborted() &&
        (statusCodes && status !== undefined
          ? statusCodes.includes(status)
          : endpoint.errorPolicy(failure) === 'soft');
      // A timeout of 0 would be none. To wait for ever is not to try again.
      const wait = again ? Math.max(asked, backoff(attempt) || 0, 1) : Infinity;
      if (wait === Infinity) throw error;

      // The clock of a timeout, though nothing is sent meanwhile. An abort ends it early.
      const pause = armSignal(signals, wait, name);
      // `backoff` may have aborted it, and no event comes twice.
      if (!aborted())
        await new Promise((resolve) => pause.signal?.addEventListener('abort', resolve));
      pause.release(false);
      const ended = aborted();
      if (ended) throw reasonOf(ended);
    }
  }
}
