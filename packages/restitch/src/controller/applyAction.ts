import { RestitchError } from '../errors/RestitchError.js';
import type { Store } from '../store/cells/Store.js';
import type { Action, ResetAction, SubscribeAction } from './actions.js';
import type { Environment } from './Environment.js';
import type { Failures } from './Failures.js';
import type { Lifetimes } from './Lifetimes.js';
import type { Internals } from './internals.js';
import * as storeActions from './storeActions.js';
import type { Requests } from './Requests.js';
import { setValue } from './setValue.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What actions change. */
export interface ActionTarget {
  readonly store: () => Store;
  readonly environment: Environment;
  readonly requests: Requests;
  readonly failures: Failures;
  readonly lifetimes: Lifetimes;
  readonly batch: <T>(work: () => T) => T;
  readonly internals: Pick<Internals, 'isPolled'>;
  readonly reset: (action: ResetAction) => void;
}

/** Carries out an action, after all managers saw it. */
export function applyAction(target: ActionTarget, action: Action): void {
  const { requests, lifetimes } = target;
  const store = target.store();
  switch (action.type) {
    case 'fetch':
      return requests.send(action);
    case 'receive':
      return requests.receive(action);
    case 'fail':
      requests.fail(action);
      return target.failures.notify(action.error, action);
    case 'set':
      return setValue(store, action, lifetimes.ofData());
    case 'setResponse':
      return storeActions.setResponse(store, action, lifetimes.ofData(action.endpoint));
    case 'setError':
      return storeActions.setError(store, action, lifetimes.ofError(action.endpoint));
    case 'invalidate':
    case 'invalidateAll':
    case 'expireAll':
      // In one commit: readers that are told then find the new requests under way, and join them.
      return target.batch(() => requests.renew(storeActions.outdate(store, action)));
    case 'expireStale':
      return storeActions.expireStale(store, target.environment.now(), requests);
    case 'hydrate':
      return action.take(action.state);
    case 'reset':
      return target.reset(action);
    case 'subscribe':
      if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
        reportUnpolled(target, action);
      }
      return;
    case 'unsubscribe':
      return; // for managers: in the store nothing changes
  }
}

/** Says once that a subscription reached the end of the managers, and that none of them polls. */
function reportUnpolled({ environment, internals }: ActionTarget, { key }: SubscribeAction): void {
  if (!internals.isPolled && !told.has(internals)) {
    told.add(internals);
    const message = `${key}: no manager answers the subscription. Give the controller \`new PollingManager()\`.`;
    environment.report(new RestitchError('nothing-polls', message));
  }
}

/** Controllers of which that was said. */
const told = new WeakSet<object>();
