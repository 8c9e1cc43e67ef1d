import type { ArgsOf, ReadEndpoint, TrackedPromise, ValueOf } from '../index.js';
import type { AbsentOf } from './absent.js';
import { type Settled, useAnswer } from './useAnswer.js';
import type { ArgsOrNull } from './useEndpointView.js';

/**
 * Reads an endpoint: the data, always. While there is none the component suspends (the nearest `AsyncBoundary` shows its
 * fallback), and a failed request is thrown to the boundary. Stale data is shown and fetched again in the background.
 *
 * @remarks
 * `null` as the only argument means "not now": no request, and undefined is returned (for an object schema, an object of
 * undefined fields). The component renders again only
 * when what this returns changed.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useSuspense } from 'restitch/react';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 *
 * export function UserName({ id }: { id: string }) {
 *   const user = useSuspense(getUser, { id });
 *   return <b>{user.name}</b>;
 * }
 * ```
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E> {
  return dataOrThrow(useAnswer(endpoint, args, true));
}

/** The data of an answer; throws what React or a boundary has to know instead. */
export function dataOrThrow<T>(answer: Settled<T> | TrackedPromise<T>): T {
  if (answer.status === 'ready') return answer.data;
  // oxlint-disable-next-line typescript/only-throw-error -- a thrown promise is how React is told to wait
  throw answer.status === 'error' ? answer.error : answer;
}
