import { useCallback, useRef, useState } from 'react';
import { toError } from '../errors/toError.js';
import type { EndpointError } from '../index.js';
import { useLayout } from './root.js';

export interface Calls<Args, R> {
  readonly pending: number;
  readonly args: Args | undefined;
  readonly data: R | undefined;
  readonly error: EndpointError | undefined;
}

/** Called when a call ends, even after the component unmounted. An abort is not an error. */
export interface CallEnds<Args, R> {
  readonly success?: ((value: R, args: Args) => unknown) | undefined;
  readonly error?: ((error: EndpointError, args: Args) => unknown) | undefined;
  readonly settled?: ((outcome: R | EndpointError, args: Args) => unknown) | undefined;
}

const IDLE = { pending: 0, args: undefined, data: undefined, error: undefined };

/**
 * The calls may overlap. `run` and `reset` stay the same functions. `run` uses the newest `fn` and
 * `ends`. A rejection of `fn` counts as handled, because the state contains it. An error that one
 * of `ends` throws is an unhandled rejection.
 */
export function useCalls<Args extends readonly unknown[], R>(
  fn: (...args: Args) => Promise<R>,
  ends: CallEnds<Args, R>,
): readonly [run: (...args: Args) => Promise<R>, calls: Calls<Args, R>, reset: () => void] {
  const [calls, setCalls] = useState<Calls<Args, R>>(IDLE);
  const current = useRef({ fn, ends, latest: 0, resets: 0, calls, rendered: calls });
  useLayout(() => {
    Object.assign(current.current, { fn, ends, rendered: calls });
  }, [fn, ends, calls]);
  const update = useCallback((change: Partial<Calls<Args, R>>): void => {
    const state = current.current;
    state.calls = { ...state.calls, ...change };
    setCalls(state.calls);
    // An async action delays the update until its end; an update in a microtask shows at once.
    queueMicrotask(() => state.rendered === state.calls || setCalls(state.calls));
  }, []);
  const run = useCallback(
    (...args: Args): Promise<R> => {
      const state = current.current;
      const { resets } = state;
      const call = (state.latest += 1);
      const end = (outcome: Partial<Calls<Args, R>>): void => {
        // A call from before a reset must not change the state.
        if (resets !== state.resets) return;
        update({ ...(call === state.latest && outcome), pending: state.calls.pending - 1 });
      };
      update({ pending: state.calls.pending + 1, args, error: undefined });
      const result = state.fn(...args);
      void result.then(
        (data) => {
          end({ data });
          state.ends.success?.(data, args);
          state.ends.settled?.(data, args);
        },
        (failure: unknown) => {
          const error: EndpointError = toError(failure);
          const isAborted = error.name === 'AbortError';
          end(isAborted ? {} : { error, data: undefined });
          if (!isAborted) state.ends.error?.(error, args);
          state.ends.settled?.(error, args);
        },
      );
      return result;
    },
    [update],
  );
  const reset = useCallback((): void => {
    current.current.resets += 1;
    update(IDLE);
  }, [update]);
  return [run, calls, reset];
}
