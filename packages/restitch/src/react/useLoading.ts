import { useCallback, useEffect, useRef, useState } from 'react';
import { useLayout } from './root.js';

interface Progress {
  readonly pending: number;
  readonly error: Error | undefined;
}

const idle: Progress = { pending: 0, error: undefined };

/**
 * Tells whether calls of an async function are under way: `[run, loading, error]`.
 *
 * @remarks
 * `loading` is true until the last of overlapping calls has ended; `error` is that of the latest call and clears when the
 * next one starts. `run` is the same function over all renders, calls the newest `fn` (no list of dependencies is needed, one
 * is ignored), and rejects as `fn` does.
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
 *   const [run, loading, error] = useLoading(() => controller.fetch(save, { id }, { seen: true }));
 *   return (
 *     <button disabled={loading} onClick={() => run().catch(() => {})}>
 *       {error ? `Failed: ${error.message}` : 'Save'}
 *     </button>
 *   );
 * }
 * ```
 */
export function useLoading<Args extends readonly unknown[], R>(
  fn: (...args: Args) => Promise<R>,
  _deps?: readonly unknown[],
): [run: (...args: Args) => Promise<R>, loading: boolean, error: Error | undefined] {
  const [{ pending, error }, setProgress] = useState(idle);
  const current = useRef({ fn, calls: 0, isMounted: false });
  useLayout(() => {
    current.current.fn = fn;
  }, [fn]);
  useEffect(() => {
    const state = current.current;
    state.isMounted = true;
    return () => {
      state.isMounted = false;
    };
  }, []);
  const run = useCallback(async (...args: Args): Promise<R> => {
    const state = current.current;
    const call = (state.calls += 1);
    const end = (failure?: Error): void => {
      if (!state.isMounted) return;
      setProgress((now) => ({
        pending: now.pending - 1,
        error: call === state.calls ? failure : now.error,
      }));
    };
    setProgress((now) => ({ pending: now.pending + 1, error: undefined }));
    try {
      const value = await state.fn(...args);
      end();
      return value;
    } catch (failure) {
      end(failure instanceof Error ? failure : new Error(String(failure), { cause: failure }));
      throw failure;
    }
  }, []);
  return [run, pending > 0, error];
}
