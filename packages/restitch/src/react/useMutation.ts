import { useCallback, useMemo, useRef } from 'react';
import { internalsOf } from '../controller/internals.js';
import type {
  ArgsOf,
  CallOf,
  Controller,
  EndpointError,
  EndpointInterface,
  ValueOf,
} from '../index.js';
import { warnOptions } from './misspelledOptions.js';
import { useCalls } from './useCalls.js';
import { useController } from './useController.js';
import { useLayout } from './root.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * The options of `useMutation`. Each callback runs once per call, even after an unmount.
 *
 * @remarks An error that a callback throws, or rejects with, is reported with `report` of the
 * controller's `environment`. The other callbacks still run, and the outcome of the call stays the
 * same.
 */
export interface MutationOptions<E extends EndpointInterface> {
  /** Called after a response was stored. */
  readonly onSuccess?:
    | ((data: ValueOf<E>, args: ArgsOf<E>, controller: Controller) => unknown)
    | undefined;
  /** Called after a failure, but not after an abort. By then, the optimistic update is removed. */
  readonly onError?:
    | ((error: EndpointError, args: ArgsOf<E>, controller: Controller) => unknown)
    | undefined;
  /** Called at the end of every call. */
  readonly onSettled?:
    | ((outcome: ValueOf<E> | EndpointError, args: ArgsOf<E>, controller: Controller) => unknown)
    | undefined;
}

/** The state of the calls of one `useMutation`, and the functions that make them. */
export interface Mutation<E extends EndpointInterface> {
  /** Sends the request. Never rejects, so it can be an event handler. */
  readonly mutate: (...args: ArgsOf<E>) => void;
  /** Sends the request, and returns the promise of `controller.fetch`, which may reject. */
  readonly mutateAsync: (...args: ArgsOf<E>) => CallOf<E>;
  /** True until the last of overlapping calls ends. */
  readonly isPending: boolean;
  /** The error of the latest call, unless it was aborted. The next call clears it. */
  readonly error: EndpointError | undefined;
  /**
   * The data of the latest call, if it succeeded. During a call and after an abort, the previous
   * data stays. Undefined after a failure.
   */
  readonly data: ValueOf<E> | undefined;
  /** The arguments of the latest call. */
  readonly variables: ArgsOf<E> | undefined;
  /**
   * Clears the state. Calls in flight continue, but no longer change it. The state is also cleared
   * when the store is reset, for example at a sign-out, or when the controller changes.
   */
  readonly reset: () => void;
}

/**
 * Calls an endpoint with `controller.fetch` and returns the state of the calls.
 *
 * @remarks `mutate`, `mutateAsync` and `reset` are stable across renders. The returned object stays
 * the same while its state does not change. For a function that is not an endpoint, use
 * `useLoading`.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useMutation } from 'restitch/react';
 *
 * const rename = new RestEndpoint({
 *   path: '/users/:id',
 *   method: 'PATCH',
 *   body: {} as { name: string },
 * });
 *
 * export function Rename({ id }: { id: string }) {
 *   const { mutate, isPending, error } = useMutation(rename, {
 *     onSuccess: () => console.log('Renamed'),
 *   });
 *   return (
 *     <button disabled={isPending} onClick={() => mutate({ id }, { name: 'Ada' })}>
 *       {error ? `Not renamed: ${error.message}` : 'Rename'}
 *     </button>
 *   );
 * }
 * ```
 */
export function useMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): Mutation<E> {
  if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production') {
    warnOptions('useMutation', options);
  }
  const controller = useController();
  const { onSuccess, onError, onSettled } = options;
  const [mutateAsync, { pending, args: variables, data, error }, reset] = useCalls<
    ArgsOf<E>,
    ValueOf<E>
  >((...args) => controller.fetch(endpoint, ...args), {
    success: (value, args) => attempt(controller, () => onSuccess?.(value, args, controller)),
    error: (failure, args) => attempt(controller, () => onError?.(failure, args, controller)),
    settled: (outcome, args) => attempt(controller, () => onSettled?.(outcome, args, controller)),
  });
  // After a sign-out, or with another controller, the state belongs to another user. In a hidden
  // `Activity`, the effect is unmounted and misses a reset, so it checks at its start.
  const owner = useRef(internalsOf(controller).store);
  useLayout(() => {
    const check = (): void => {
      const { store } = internalsOf(controller);
      if (owner.current !== store) {
        owner.current = store;
        reset();
      }
    };
    check();
    return controller.watchResets(check);
  }, [controller, reset]);
  const mutate = useCallback((...args: ArgsOf<E>) => void mutateAsync(...args), [mutateAsync]);
  return useMemo(
    () => ({
      mutate,
      // The cast: the promise is that of `controller.fetch`, which is a `CallOf<E>`.
      mutateAsync: mutateAsync as Mutation<E>['mutateAsync'],
      isPending: pending > 0,
      error,
      data,
      variables,
      reset,
    }),
    [mutate, mutateAsync, pending, error, data, variables, reset],
  );
}

/** Calls a callback and reports its error. An unhandled rejection would end a Node process. */
function attempt({ environment }: Controller, callback: () => unknown): void {
  new Promise((resolve) => resolve(callback())).catch((error: unknown) =>
    environment.report(error),
  );
}
