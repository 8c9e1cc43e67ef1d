import { createStore } from '../store/createStore.js';
import { createHistory } from '../store/history.js';
import type { Result, Store } from '../store/state.js';
import type { Environment } from './Environment.js';

/** An empty store of a controller; `before` is the history of the one that it takes the place of. */
export function newStore(
  { report, now, random }: Environment,
  before: Store['history'],
  renew: (results: readonly Result[]) => void,
): Store {
  return createStore({
    history: before && createHistory(before.traces),
    report,
    now,
    random,
    renew,
  });
}
