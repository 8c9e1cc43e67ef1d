import {
  type ArgsOf,
  infinite,
  type InfiniteList,
  type InfiniteView,
  type PagedEndpoint,
  type ViewSnapshot,
} from '../index.js';
import { cancellingOf } from './cancelling.js';
import type { Reading } from './readerModes.js';
import { type Scope, useScope } from './scope.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { useView } from './useView.js';

/** The view is undefined for a skipped list. */
export interface InfiniteReading<E> {
  readonly view: InfiniteView<E> | undefined;
  readonly snapshot: ViewSnapshot<InfiniteList<E>>;
  /** The original endpoint, if the given one is from `useCancelling`. */
  readonly asked: E;
  readonly scope: Scope;
}

export function useInfiniteView<E extends PagedEndpoint>(
  endpoint: E,
  args: ArgsOrNull<E>,
  reading: Reading,
): InfiniteReading<E> {
  const scope = useScope();
  const { root } = scope;
  // The cast: an endpoint that cancels was derived from one of the same type.
  const asked = (cancellingOf(endpoint)?.endpoint ?? endpoint) as E;
  // The cast: the condition has ruled out `[null]`.
  const view =
    args[0] === null ? undefined : infinite(root.controller, asked, ...(args as ArgsOf<E>));
  return { view, snapshot: useView(root, view, reading, undefined), asked, scope };
}

const nothing = Promise.resolve();
const idle = (): Promise<void> => nothing;

const empty = Object.freeze({
  items: Object.freeze([]),
  beside: Object.freeze({}),
  total: undefined,
  hasNext: false,
  hasPrevious: false,
  isLoadingNext: false,
  isLoadingPrevious: false,
  isRefreshing: false,
  nextError: undefined,
  previousError: undefined,
  firstIndex: 0,
  gapAfter: undefined,
  loadNext: idle,
  loadPrevious: idle,
  refresh: idle,
});

// The cast: a list without rows has no page fields.
export const emptyList = <E>(): InfiniteList<E> => empty as unknown as InfiniteList<E>;
