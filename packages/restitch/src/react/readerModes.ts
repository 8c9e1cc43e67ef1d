import { errorOf } from '../controller/LiveView.js';
import type { ViewSnapshot } from '../index.js';
import { absent } from './valueWithoutData.js';

/** Each `Reading` is a constant, because effects depend on it. */
export interface Reading {
  /** True if the hook throws or returns a promise while it has no data. */
  readonly suspends: boolean;
  /** True if the hook fetches missing and stale data while mounted. */
  readonly loads: boolean;
  /** Returns true if a reader that rendered `before` does not have to render `after`. */
  same(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean;
}

export function dataOf<T>(snapshot: ViewSnapshot<T>, schema?: unknown): T | undefined {
  return (snapshot.status === 'ready' ? snapshot : absent<T>(schema)).data;
}

/** Also returns an incomplete record from other responses. */
export function knownOf<T>(snapshot: ViewSnapshot<T>, schema?: unknown): T | undefined {
  return (snapshot.status === 'pending' ? snapshot.known : undefined) ?? dataOf(snapshot, schema);
}

/** A reader keeps rendering a deleted row, because a request for it would only fail. */
export function stays(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean {
  return before.status === 'ready' && 'deleted' in after;
}

/** For `useSuspense` and `useFetch`: no render when data becomes stale or a refresh fails. */
export const waiting: Reading = {
  suspends: true,
  loads: true,
  same: (before, after) =>
    stays(before, after) ||
    (before.status === 'ready' && after.status === 'ready'
      ? Object.is(before.data, after.data)
      : before.status === after.status && errorOf(before) === errorOf(after)),
};

/** For hooks that render all states, such as `useDLE`. */
export const telling: Reading = {
  suspends: false,
  loads: true,
  same: (before, after) => before === after || stays(before, after),
};

/** For hooks that start no request, such as `useCache` and `useQuery`. */
export const looking: Reading = {
  suspends: false,
  loads: false,
  same: (before, after) => Object.is(knownOf(before), knownOf(after)),
};

/** For `useError`, which renders only when the error changes. */
export const failing: Reading = {
  suspends: false,
  loads: false,
  same: (before, after) => errorOf(before) === errorOf(after),
};
