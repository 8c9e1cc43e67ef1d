import type { EndpointError } from '../index.js';
import { warnOptions } from './misspelledOptions.js';
import { useCalls } from './useCalls.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * The callbacks of `useLoading`. The newest callbacks run when a call ends, even after an unmount.
 */
export interface LoadingOptions<Args extends readonly unknown[], R> {
  /** Called after each successful call, even if a later call has begun. */
  readonly onSuccess?: ((value: R, ...args: Args) => unknown) | undefined;
  /** Called after each failed call, but not after an abort. */
  readonly onError?: ((error: EndpointError, ...args: Args) => unknown) | undefined;
}

/**
 * Returns the state of calls of an async function: `[run, loading, error]`.
 *
 * @remarks `loading` is true until the last of overlapping calls has ended. `error` belongs to the
 * latest call, and the next call clears it. An `AbortError` is not an error.
 *
 * `run` is stable across renders and calls the newest `fn`. It rejects like `fn`. An unhandled
 * rejection is not reported, because `error` contains it.
 *
 * A list of dependencies is accepted instead of the options, but has no effect.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useController, useLoading } from 'restitch/react';
 *
 * const save = new RestEndpoint({ path: '/users/:id', method: 'PATCH' });
 *
 * export function Save({ id }: { id: string }) {
 *   const controller = useController();
 *   const [run, loading, error] = useLoading(
 *     () => controller.fetch(save, { id }, { seen: true }),
 *     { onSuccess: () => console.log('Saved') },
 *   );
 *   return (
 *     <button disabled={loading} onClick={run}>
 *       {error ? `Failed: ${error.message}` : 'Save'}
 *     </button>
 *   );
 * }
 * ```
 */
export function useLoading<Args extends readonly unknown[], R>(
  fn: (...args: Args) => Promise<R>,
  options?: LoadingOptions<Args, R> | readonly unknown[],
): [run: (...args: Args) => Promise<R>, loading: boolean, error: EndpointError | undefined] {
  if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production') {
    // The keys of a list of dependencies are numbers, so it causes no warning.
    if (options) warnOptions('useLoading', options);
  }
  // The cast: a list of dependencies has no callbacks.
  const { onSuccess, onError } = { ...(options as LoadingOptions<Args, R> | undefined) };
  const [run, { pending, error }] = useCalls(async (...args: Args) => fn(...args), {
    success: (value, args) => onSuccess?.(value, ...args),
    error: (failure, args) => onError?.(failure, ...args),
  });
  return [run, pending > 0, error];
}
