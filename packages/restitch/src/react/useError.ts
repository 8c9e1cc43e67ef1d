import type { ArgsOf, EndpointError, EndpointInterface } from '../index.js';
import { cancellingOf } from './cancelling.js';
import { errorOf, failing } from './reading.js';
import { useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { useView } from './useView.js';

type WithoutLast<A> = A extends readonly [...infer Rest, unknown] ? Rest : never;

/** The arguments of a call that failed. The body of a mutation may be left out: it is no part of the key. */
export type FailedArgs<E extends EndpointInterface> =
  | ArgsOrNull<E>
  | (E extends { readonly sideEffect: true; readonly body: infer B }
      ? [B] extends [undefined]
        ? never
        : WithoutLast<ArgsOf<E>>
      : never);

/**
 * The last failure of an endpoint, the same object each time, or undefined while nothing has failed; never sends a request.
 * Of a read also that of a refresh, beside data that is still shown, until a response or an invalidation replaces it. Of a
 * mutation that of the call with the same key, whoever made it, until that succeeds or is repeated.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useController, useError } from 'restitch/react';
 *
 * const rename = new RestEndpoint({ path: '/users/:id', method: 'PATCH', body: {} as { name: string } });
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
  // The cast: fewer arguments have the same key.
  const given = args as ArgsOrNull<E>;
  const view = given[0] === null ? undefined : root.controller.observeError(asked, ...given);
  return errorOf(useView(root, view, failing, undefined));
}
