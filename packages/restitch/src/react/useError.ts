import { errorOf } from '../controller/LiveView.js';
import type { ArgsOf, EndpointError, EndpointInterface } from '../index.js';
import { cancellingOf } from './cancelling.js';
import { failing } from './readerModes.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { useView } from './useView.js';

type WithoutLast<A> = A extends readonly [...infer Rest, unknown] ? Rest : never;

/**
 * The arguments of a failed call. The body of a mutation is not part of the key, so it may be
 * omitted.
 */
export type FailedArgs<E extends EndpointInterface> =
  | ArgsOrNull<E>
  | (E extends { readonly sideEffect: true; readonly body: infer B }
      ? [B] extends [undefined]
        ? never
        : WithoutLast<ArgsOf<E>>
      : never);

/**
 * Returns the last error of an endpoint, or undefined. The error is the same object each time. The
 * hook never sends a request.
 *
 * @remarks For a read, this can be the error of a failed refresh with data on the screen. A
 * response or an invalidation clears it. For a mutation, it is the error of the last call with the
 * same key, from any caller. The next call with this key clears it.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useController, useError } from 'restitch/react';
 *
 * const rename = new RestEndpoint({
 *   path: '/users/:id',
 *   method: 'PATCH',
 *   body: {} as { name: string },
 * });
 *
 * export function Rename({ id, name }: { id: string; name: string }) {
 *   const controller = useController();
 *   const error = useError(rename, { id }, { name });
 *   return (
 *     <button onClick={() => controller.fetch(rename, { id }, { name }).catch(() => {})}>
 *       {error ? `Not renamed: ${error.message}` : 'Rename'}
 *     </button>
 *   );
 * }
 * ```
 */
export function useError<E extends EndpointInterface>(
  endpoint: E,
  ...args: FailedArgs<E>
): EndpointError | undefined {
  const { root } = useScope();
  const asked = cancellingOf(endpoint)?.endpoint ?? endpoint;
  // The cast: arguments without the body have the same key.
  const given = args as ArgsOf<E>;
  const view = given[0] === null ? undefined : root.controller.observeError(asked, ...given);
  return errorOf(useView(root, view, failing, undefined));
}
