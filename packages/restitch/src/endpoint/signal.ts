import { isDevelopment } from '../errors/development.js';
import { endedError, onAbort } from '../errors/aborts.js';
import { startTimer } from '../host/startTimer.js';

/** The signal of one request, made of whatever may end it. */
export interface ArmedSignal {
  /** Undefined when nothing can end the request. */
  readonly signal: AbortSignal | undefined;
  /** What the request should reject with when it ran out of time. */
  readonly timedOut: () => Error | undefined;
  /** Stops the clock and, unless the answer is still being streamed, lets go of the joined signals. */
  readonly release: (streaming: boolean) => void;
}

/**
 * Joins signals and a timeout into one signal.
 *
 * @remarks `AbortSignal.any` and `AbortSignal.timeout` would do, but are missing in React Native and older browsers; and a
 * timer of `AbortSignal.timeout` cannot be stopped when the answer is there.
 * @param timeout Milliseconds from now on; undefined, 0 and Infinity are none.
 * @param owner Names the endpoint in the message of the `TimeoutError`.
 */
export function armSignal(
  candidates: readonly (AbortSignal | null | undefined)[],
  timeout: number | undefined,
  owner: string,
): ArmedSignal {
  const signals = candidates.filter((signal) => signal instanceof Object);
  let expired: Error | undefined;
  if (!timeout && signals.length < 2) {
    return { signal: signals[0], timedOut: () => expired, release: () => {} };
  }
  const controller = new AbortController();
  const ends = signals.map((signal) => {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    return onAbort(signal, abort);
  });
  const expire = (): void => {
    expired = endedError(
      'TimeoutError',
      isDevelopment ? `${owner}: no answer within ${timeout} ms` : `${owner}: ${timeout} ms`,
    );
    controller.abort(expired);
  };
  const stop = timeout ? startTimer(expire, timeout) : undefined;
  return {
    signal: controller.signal,
    timedOut: () => expired,
    release(streaming) {
      stop?.();
      if (!streaming) for (const end of ends) end();
    },
  };
}
