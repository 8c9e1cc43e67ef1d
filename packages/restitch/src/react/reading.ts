import type { EndpointError, ViewSnapshot } from '../index.js';
import { absent } from './absent.js';

/** How a hook uses a view. Constants: their identity is a dependency of effects. */
export interface Reading {
  /** Throws a promise while there is nothing to show. */
  readonly suspends: boolean;
  /** Wants missing and stale data to be fetched while mounted. */
  readonly loads: boolean;
  /** Whether a reader that shows `before` has nothing to change when its view says `after`. */
  same(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean;
}

/** The value a reader that never waits sees; of nothing what the schema leaves. */
export function dataOf<T>(snapshot: ViewSnapshot<T>, schema?: unknown): T | undefined {
  return (snapshot.status === 'ready' ? snapshot : absent<T>(schema)).data;
}

/** As `dataOf`, and what other responses brought of a record that is not known in full. */
export function knownOf<T>(snapshot: ViewSnapshot<T>, schema?: unknown): T | undefined {
  return (snapshot.status === 'pending' ? snapshot.known : undefined) ?? dataOf(snapshot, schema);
}

/** The last failure, in place of data or beside it. */
export function errorOf(snapshot: ViewSnapshot<unknown>): EndpointError | undefined {
  return snapshot.status === 'pending' ? undefined : snapshot.error;
}

/**
 * Whether a row that is shown was deleted: it stays where it is shown already, since asking for it again would only fail.
 */
export function stays(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean {
  return before.status === 'ready' && 'deleted' in after;
}

/** Shows data or waits: `useSuspense`, `useFetch`. Stale data and a failed refresh show nothing new. */
export const waiting: Reading = {
  suspends: true,
  loads: true,
  same: (before, after) =>
    stays(before, after) ||
    (before.status === after.status &&
      Object.is(dataOf(before), dataOf(after)) &&
      (before.status === 'ready' || errorOf(before) === errorOf(after))),
};

/** Shows everything: `useDLE`. */
export const telling: Reading = {
  suspends: false,
  loads: true,
  same: (before, after) => before === after || stays(before, after),
};

/** Shows what there is: `useCache`, `useQuery`. */
export const looking: Reading = {
  suspends: false,
  loads: false,
  same: (before, after) => Object.is(knownOf(before), knownOf(after)),
};

/** Shows only whether it failed: `useError`. */
export const failing: Reading = {
  suspends: false,
  loads: false,
  same: (before, after) => errorOf(before) === errorOf(after),
};
