import { entryOf } from '../host/entryOf.js';
import { isDevelopment } from './development.js';
import { toError } from './toError.js';

/** React Native lacks `DOMException`, so there the result is an `Error` with the given name. */
export function endedError(
  name: 'AbortError' | 'TimeoutError',
  message: string = isDevelopment ? 'The request was aborted.' : 'aborted',
): Error {
  return typeof DOMException === 'function'
    ? new DOMException(message, name)
    : Object.assign(new Error(message), { name });
}

/** Signals in React Native have no reason, so the default is an `AbortError`. */
export function reasonOf({ reason }: AbortSignal): Error {
  // The cast: a reason can be any value, which is returned unchanged.
  return (reason ?? endedError('AbortError')) as Error;
}

const errors = new WeakMap<AbortSignal, Error>();

/** Returns the same error for each call, so that readers see no change. */
export function errorOfAborted(signal: AbortSignal): Error {
  return entryOf(errors, signal, () => toError(reasonOf(signal)));
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Node warns of a leak at more than ten listeners, so requests share one listener per signal. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const all = entryOf(listeners, signal, () => {
    const calls = new Set<() => void>();
    signal.addEventListener('abort', () => calls.forEach((call) => call()));
    return calls;
  });
  all.add(listener);
  return () => all.delete(listener);
}

export function refuseAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) {
    throw reasonOf(signal);
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}
