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

/** Resolves when a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
