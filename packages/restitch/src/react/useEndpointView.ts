import type { ArgsOf, ReadEndpoint, ValueOf, View, ViewSnapshot } from '../index.js';
import { cancellingOf, type Interest } from './cancelling.js';
import type { Reading } from './readerModes.js';
import { type Scope, useScope } from './scope.js';
import { useView } from './useView.js';

/**
 * The arguments of a hook after its endpoint: those of the endpoint, or only `null` to skip the
 * request.
 */
export type ArgsOrNull<E> = ArgsOf<E> | readonly [null];

/** The view is undefined for a skipped request. */
export interface EndpointView<E> {
  readonly view: View<ValueOf<E>> | undefined;
  readonly snapshot: ViewSnapshot<ValueOf<E>>;
  /** The original endpoint, if the given one is from `useCancelling`. */
  readonly asked: E;
  readonly interest: Interest | undefined;
  readonly scope: Scope;
}

export function useEndpointView<E extends ReadEndpoint>(
  endpoint: E,
  args: ArgsOrNull<E>,
  reading: Reading,
): EndpointView<E> {
  const scope = useScope();
  const { root } = scope;
  const cancelling = cancellingOf(endpoint);
  const asked = cancelling?.endpoint ?? endpoint;
  // The cast: the condition has ruled out `[null]`.
  const view =
    args[0] === null ? undefined : root.controller.observe(asked, ...(args as ArgsOf<E>));
  const interest = view && reading.loads ? cancelling?.ask(view.key) : undefined;
  const snapshot = useView(root, view, reading, asked.schema, interest);
  return { view, snapshot, asked, interest, scope };
}
