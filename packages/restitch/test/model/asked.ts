/** Checks that a view of an endpoint agrees with the model about its result. */
import type { View, ViewSnapshot } from 'restitch';
import type { Asked } from './results.js';

/** What readers of the question see, where the rows or the list are there or not; undefined where the rules do not say. */
export function expectedStatus(
  asked: Asked,
  hasData: boolean,
): ViewSnapshot<unknown>['status'] | undefined {
  switch (asked.state) {
    case 'unknown':
      return undefined;
    case 'error':
      return 'error';
    case 'invalid':
      return 'pending';
    case 'untouched':
    case 'value':
      return hasData ? 'ready' : 'pending';
  }
}

/** Whether a reader that comes now has to ask; undefined where the rules do not say. */
export function expectedLoad(asked: Asked, hasData: boolean): boolean | undefined {
  const { age, isBackingOff } = asked;
  switch (expectedStatus(asked, hasData)) {
    case undefined:
      return undefined;
    case 'pending':
      return true;
    case 'error':
      return age && age !== 'fresh';
    case 'ready':
      return isBackingOff ? false : age && age !== 'fresh';
  }
}

/** Whether `fetchIfStale` fetches: not for fresh data, be readers notified or not, and whether or not they wait a while after a failure. */
export function expectedFetch(asked: Asked, hasData: boolean): boolean | undefined {
  // An error is no response, however short a time ago it was.
  return asked.state === 'error' || expectedLoad({ ...asked, isBackingOff: false }, hasData);
}

/** The disagreement, or undefined. A view that is `held` does not notify when time passes. */
export function wrongAbout(
  asked: Asked,
  hasData: boolean,
  view: View<unknown>,
  isHeld: boolean,
): string | undefined {
  const snapshot = view.getSnapshot();
  const status = expectedStatus(asked, hasData);
  if (status === undefined) return undefined;
  if (snapshot.status !== status) return `it is ${snapshot.status}, should be ${status}`;
  const { age } = asked;
  if (snapshot.status === 'ready' && age !== undefined && !(isHeld && age === 'old')) {
    const stale = age !== 'fresh';
    if (snapshot.stale !== stale) return `its data counts as ${stale ? 'fresh' : 'stale'}`;
  }
  const needsLoad = expectedLoad(asked, hasData);
  if (needsLoad !== undefined && view.needsLoad() !== needsLoad)
    return `a reader that comes ${needsLoad ? 'does not ask' : 'asks'}`;
  return undefined;
}
