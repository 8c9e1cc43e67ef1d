import { errorOf } from '../controller/LiveView.js';
import type { ViewSnapshot } from '../index.js';
import { absent } from './valueWithoutData.js';

/**
 * The way in which a hook uses a view. All values are constants, because effects depend on them.
 */
export interface Reading {
  /** True if the hook throws a promise while it has no data. */
  readonly suspends: boolean;
  /** True if the hook fetches missing and stale data while mounted. */
  readonly loads: boolean;
  /** True if a reader that rendered `before` need not render for `after`. */
  same(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean;
}

/** The data for a reader that never suspends. Without data, the schema decides the value. */
export function dataOf<T>(snapshot: ViewSnapshot<T>, schema?: unknown): T | undefined {
  return (snapshot.status === 'ready' ? snapshot : absent<T>(schema)).data;
}

/** Like `dataOf`, but also returns an incomplete record from other responses. */
export function knownOf<T>(snapshot: ViewSnapshot<T>, schema?: unknown): T | undefined {
  return (snapshot.status === 'pending' ? snapshot.known : undefined) ?? dataOf(snapshot, schema);
}

/** True if a rendered row was deleted. It stays rendered, because a request would only fail. */
export function stays(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean {
  return before.status === 'ready' && 'deleted' in after;
}

/**
 * For `useSuspense` and `useFetch`, which need data. Staleness and a failed refresh cause no
 * render.
 */
export const waiting: Reading = {
  suspends: true,
  loads: true,
  same: (before, after) =>
    stays(before, after) ||
    (before.status === 'ready' && after.status === 'ready'
      ? Object.is(before.data, after.data)
      : before.status === after.status && errorOf(before) === errorOf(after)),
};

/** For `useDLE`, which renders all states. */
export const telling: Reading = {
  suspends: false,
  loads: true,
  same: (before, after) => before === after || stays(before, after),
};

/** For `useCache` and `useQuery`, which only read cached data. */
export const looking: Reading = {
  suspends: false,
  loads: false,
  same: (before, after) => Object.is(knownOf(before), knownOf(after)),
};

export const failing: Reading = {
  suspends: false,
  loads: false,
  same: (before, after) => errorOf(before) === errorOf(after),
};
