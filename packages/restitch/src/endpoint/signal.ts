import { isDevelopment } from '../errors/development.js';
import { endedError, onAbort } from '../errors/aborts.js';
import { startTimer } from '../host/startTimer.js';

export interface ArmedSignal {
  /** Undefined if no signal or timeout can end the request. */
  readonly signal: AbortSignal | undefined;
  readonly timedOut: () => Error | undefined;
  /** Stops the timer. Also unsubscribes from the signals, except while the response is streamed. */
  readonly release: (streaming: boolean) => void;
}

/**
 * React Native and older browsers lack `AbortSignal.any` and `AbortSignal.timeout`. Also, the timer
 * of `AbortSignal.timeout` cannot be stopped after the response.
 */
export function armSignal(
  candidates: readonly (AbortSignal | null | undefined)[],
  timeout: number | undefined,
  owner: string,
): ArmedSignal {
  const signals = candidates.filter((signal) => signal != null);
  const controller = new AbortController();
  const isAlone = !timeout && signals.length < 2;
  let expired: Error | undefined;
  const ends = (isAlone ? [] : signals).map((signal) => {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    return onAbort(signal, abort);
  });
  const expire = (): void => {
    expired = endedError(
      'TimeoutError',
      isDevelopment ? `${owner}: no response within ${timeout} ms` : `${owner}: ${timeout} ms`,
    );
    controller.abort(expired);
  };
  const stop = startTimer(expire, timeout || Infinity);
  return {
    signal: isAlone ? signals[0] : controller.signal,
    timedOut: () => expired,
    release(streaming) {
      stop();
      if (!streaming) for (const end of ends) end();
    },
  };
}
