import { RestitchError } from '../errors/RestitchError.js';
import type { Action, SubscribeAction } from './actions.js';
import { receive } from './receiving.js';
import type { Core } from './Core.js';
import { failRequest } from './failing.js';
import { expireStale, outdate } from './outdate.js';
import { setError, setResponse } from './storeResponse.js';
import { reset } from './ending.js';
import { send } from './sending.js';
import { setValue } from './setValue.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

type Apply<A> = (core: Core, action: A) => void;

/** Applies an action that brings its own function. */
const take: Apply<{ readonly state?: unknown; readonly take: (state: never) => void }> = (
  _core,
  action,
  // The cast: each action takes its own state.
) => action.take(action.state as never);

/** Subscriptions are for managers. The store does nothing with them. */
const APPLY: { readonly [T in Action['type']]?: Apply<Action & { readonly type: T }> } = {
  fetch: send,
  receive,
  fail: failRequest,
  set: setValue,
  setResponse,
  setError,
  invalidate: outdate,
  invalidateAll: outdate,
  expireAll: outdate,
  expireStale,
  invalidateWhere: take,
  expireWhere: take,
  hydrate: take,
  reset,
};

/** Applies an action after all managers. Every change of the store goes through here. */
export function applyAction(core: Core, action: Action): void {
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    action.type === 'subscribe'
  ) {
    reportUnpolled(core, action);
  }
  // The cast: each type of action has a function that takes such an action.
  (APPLY[action.type] as Apply<Action> | undefined)?.(core, action);
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
