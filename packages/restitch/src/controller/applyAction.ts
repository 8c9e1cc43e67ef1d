import { RestitchError } from '../errors/RestitchError.js';
import type { Action, SubscribeAction } from './actions.js';
import { receive } from './receiveResponse.js';
import type { Core } from './Core.js';
import { failRequest } from './failRequest.js';
import { expireStale, outdate } from './invalidateResults.js';
import { setError, setResponse } from './storeResponse.js';
import { reset } from './endRequest.js';
import { send } from './sendRequest.js';
import { setValue } from './setValue.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

type Apply<A> = (core: Core, action: A) => void;

/** Optimization: a rare action has its function in `take`, so most bundles omit the function. */
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
  reset,
};

export function applyAction(core: Core, action: Action): void {
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    action.type === 'subscribe'
  ) {
    reportUnpolled(core, action);
  }
  if ('take' in action) {
    // The cast: the function of an action accepts the state of the same action.
    action.take(action.state as never);
    return;
  }
  (APPLY[action.type] as Apply<Action> | undefined)?.(core, action);
}

function reportUnpolled(core: Core, { key }: SubscribeAction): void {
  if (!core.isPolled && !warned.has(core)) {
    warned.add(core);
    const message = `${key}: no manager handles the subscription. Give the controller \`new PollingManager()\`.`;
    core.environment.report(new RestitchError('nothing-polls', message));
  }
}

const warned = new WeakSet<object>();
