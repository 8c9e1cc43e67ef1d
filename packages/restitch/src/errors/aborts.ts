/** An error as the platform makes them for requests that were ended. React Native has no `DOMException`; the name is the same. */
export function endedError(
  name: 'AbortError' | 'TimeoutError',
  message: string = 'The request was aborted.',
): Error {
  return typeof DOMException === 'function'
    ? new DOMException(message, name)
    : Object.assign(new Error(message), { name });
}

/** Why a signal was aborted. Signals of React Native do not say. */
export function reasonOf({ reason }: AbortSignal): Error {
  // The cast: a reason may be anything, and is passed on as it is.
  return (reason ?? endedError('AbortError')) as Error;
}

/** What to call when a signal aborts. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` when a signal aborts, unless the returned function was called before. However many requests share the
 * signal, it has one listener, which stays: Node warns of more than ten as of a leak.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const all = listeners.get(signal) ?? new Set();
  if (!listeners.has(signal)) {
    listeners.set(signal, all);
    signal.addEventListener('abort', () => all.forEach((call) => call()));
  }
  all.add(listener);
  return () => all.delete(listener);
}

/** Resolves when a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}
