import { RestitchError } from '../errors/RestitchError.js';
import type { Action, SubscribeAction } from './actions.js';
import { receive } from './receiving.js';
import { batch } from './batch.js';
import type { Core } from './Core.js';
import { failRequest } from './failing.js';
import { errorLifetimeOf, lifetimeOf } from './lifetimes.js';
import { expireStale, outdate } from './outdate.js';
import { setError, setResponse } from './storeResponse.js';
import { reset } from './reset.js';
import { send } from './sending.js';
import { setValue } from './setValue.js';
import { renew } from './starting.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Applies an action after all managers. Every change of the store goes through here. */
export function applyAction(core: Core, action: Action): void {
  const { store } = core;
  switch (action.type) {
    case 'fetch':
      return send(core, action);
    case 'receive':
      return receive(core, action);
    case 'fail':
      return failRequest(core, action);
    case 'set':
      return setValue(store, action, lifetimeOf(core));
    case 'setResponse':
      return setResponse(store, action, lifetimeOf(core, action.endpoint));
    case 'setError':
      return setError(store, action, errorLifetimeOf(core, action.endpoint));
    case 'invalidate':
    case 'invalidateAll':
    case 'expireAll':
      // In one commit, so that notified readers find the new requests in flight and join them.
      return batch(core, () => renew(core, outdate(core, action)));
    case 'expireStale':
      return expireStale(core);
    case 'invalidateWhere':
    case 'expireWhere':
    case 'hydrate':
      // The cast: each action takes its own state.
      return action.take(action.state as never);
    case 'reset':
      return reset(core, action.refetch === false);
    case 'subscribe':
      if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
        reportUnpolled(core, action);
      }
      return;
    case 'unsubscribe':
      return; // only managers act on it
  }
}

/** Reports once that no manager polls a subscription. */
function reportUnpolled(core: Core, { key }: SubscribeAction): void {
  if (!core.isPolled && !warned.has(core)) {
    warned.add(core);
    const message = `${key}: no manager handles the subscription. Give the controller \`new PollingManager()\`.`;
    core.environment.report(new RestitchError('nothing-polls', message));
  }
}

/** Controllers that have reported it. */
const warned = new WeakSet<object>();
