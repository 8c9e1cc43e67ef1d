import { refuseAborted, untilAborted } from '../errors/aborts.js';
import { retryHook } from '../errors/retryHook.js';
import type { ErrorPolicy } from './EndpointInterface.js';
import { armSignal } from './signal.js';

/** The detailed form of the option `retry`: which failed requests are sent again, and when. */
export interface RetryOptions {
  /** The maximum number of retries. */
  readonly limit: number;
  /**
   * The statuses to retry, for example `[429, 503]`. Default: the statuses for which `errorPolicy`
   * returns `'soft'`. A failed connection is retried only if `errorPolicy` returns `'soft'` for its
   * error.
   */
  readonly statusCodes?: readonly number[] | undefined;
  /**
   * The methods to retry. Default: all methods of an endpoint without side effects, otherwise none.
   * Add `'PUT'` if repeating it is harmless.
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * Returns the delay in milliseconds before retry number `attempt`, which starts at 1. Default: a
   * random delay up to 1 000. This maximum doubles with each retry, up to 30 000. A longer
   * `Retry-After` header takes precedence. `Infinity` stops retrying.
   */
  readonly backoff?: ((attempt: number) => number) | undefined;
}

interface Retrying {
  readonly method?: string;
  readonly sideEffect?: boolean | undefined;
  errorPolicy?(error: object): ErrorPolicy;
  /** Called before each repeat; see `callEndpoint` in `sendRequest.ts`. */
  readonly $repeated?: (() => void) | undefined;
}

const FIRST_CEILING = 1_000;
const LAST_CEILING = 30_000;

// The longest accepted `Retry-After`, in milliseconds. Beyond it, readers receive the error.
const LONGEST_RETRY_AFTER = 60_000;

// Spreads the retries of clients that failed at the same time:
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
const fullJitter = (attempt: number): number =>
  Math.random() * Math.min(LAST_CEILING, FIRST_CEILING * 2 ** (attempt - 1));

// The header contains seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
function retryAfter(response: Partial<Response> | undefined): number {
  const text = response?.headers?.get?.('retry-after') ?? '';
  return Number(text) * 1_000 || Date.parse(text) - Date.now() || 0;
}

interface Pause {
  /** Milliseconds, set by the first call that is repeated. */
  wait?: number;
  readonly end: AbortController;
}

const pauses = new WeakMap<object, Pause>();

/** Calls that failed with this error repeat at the same moment, and so form one batch again. */
export function failTogether(error: unknown): void {
  pauses.set(Object(error), { end: new AbortController() });
}

export async function withRetries<T>(
  endpoint: Retrying,
  retry: number | RetryOptions | undefined = 0,
  canResend: boolean,
  signals: readonly (AbortSignal | null | undefined)[],
  send: () => Promise<T>,
): Promise<T> {
  const { method = 'GET', sideEffect } = endpoint;
  const options: RetryOptions = typeof retry === 'number' ? { limit: retry } : retry;
  const { limit, statusCodes, methods, backoff = fullJitter } = options;
  const repeats = canResend && (methods ? methods.includes(method) : !sideEffect);
  const aborted = (): AbortSignal | null | undefined => signals.find((signal) => signal?.aborted);
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      // Custom code can throw values that are not objects.
      const failure = Object(error) as { readonly status?: number; readonly response?: Response };
      const { status, response } = failure;
      const isLeft = repeats && attempt <= limit;
      const after = isLeft ? retryAfter(response) : 0;
      const again =
        isLeft &&
        after <= LONGEST_RETRY_AFTER &&
        !aborted() &&
        (statusCodes && status !== undefined
          ? statusCodes.includes(status)
          : endpoint.errorPolicy?.(failure) === 'soft');
      // The wait is at least 1 ms, because `armSignal` takes 0 as no limit. `Infinity` is no retry.
      const together = pauses.get(failure);
      const wait = again ? (together?.wait ?? Math.max(after, backoff(attempt) || 0, 1)) : Infinity;
      if (wait === Infinity) throw error;

      retryHook.note?.(signals, { count: attempt, error });
      if (together) together.wait = wait;
      // Here, `armSignal` is only a timer that an abort ends early.
      const pause = armSignal([...signals, together?.end.signal], wait, '');
      // A signal that was aborted before, for example in `backoff`, fires no event.
      if (pause.signal && !pause.signal.aborted) await untilAborted(pause.signal);
      pause.release(false);
      refuseAborted(aborted());
      endpoint.$repeated?.();
      // Ends the pauses of the other calls that failed with this error.
      together?.end.abort();
    }
  }
}
