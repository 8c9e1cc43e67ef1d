import type { EndpointError } from '../index.js';
import { warnOptions } from './misspeltOptions.js';
import { useCalls } from './useCalls.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What `useLoading` calls when a call has ended, mounted or not: always the newest function. */
export interface LoadingOptions<Args extends readonly unknown[], R> {
  /** Given the value, and the arguments of the call. */
  readonly onSuccess?: ((value: R, ...args: Args) => unknown) | undefined;
  /** Given the error, and the arguments of the call. */
  readonly onError?: ((error: EndpointError, ...args: Args) => unknown) | undefined;
}

/**
 * Tells whether calls of an async function are under way: `[run, loading, error]`.
 *
 * @remarks
 * `loading` is true until the last of overlapping calls has ended; `error` is that of the latest call and clears when the
 * next one starts. `run` is the same function over all renders and calls the newest `fn`. It rejects as `fn` does; where no
 * caller handles that, the hook has shown the error, and nothing is reported as unhandled. In place of the options a list of
 * dependencies is accepted and not needed.
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
 *   const [run, loading, error] = useLoading(() => controller.fetch(save, { id }, { seen: true }), {
 *     onSuccess: () => console.log('Saved'),
 *   });
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
    // A list of dependencies has numbers for keys.
    if (options) warnOptions('useLoading', options);
  }
  // The cast: a list of dependencies has no callbacks.
  const { onSuccess, onError } = { ...(options as LoadingOptions<Args, R> | undefined) };
  const [run, { pending, error }] = useCalls(fn, {
    success: (value, args) => onSuccess?.(value, ...args),
    error: (failure, args) => onError?.(failure, ...args),
  });
  return [run, pending > 0, error];
}
