import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { hydrateStore } from './hydrateStore.js';

/**
 * Fills a controller in with what `getState` gave elsewhere: rows, lists and answers that are not known here, and fields that a
 * row lacks. Nothing that is known changes, and what was deleted stays deleted. The state is taken over: do not change it
 * afterwards.
 *
 * @remarks An action of type `hydrate` passes the managers. Times are taken as they are: for state of another machine use
 * `hydrate` of `restitch/ssr`.
 *
 * @throws TypeError when `state` is no object. State of another version, or that is damaged, is reported and not taken.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 * import { hydrate } from 'restitch/state';
 *
 * const controller = new Controller();
 * const saved = localStorage.getItem('state');
 * if (saved) hydrate(controller, JSON.parse(saved));
 * ```
 */
export function hydrate(controller: Controller, state: StoreState): void {
  const core = internalsOf(controller);
  core.dispatch({
    type: 'hydrate',
    state,
    take: (taken) => hydrateStore(core.store, taken, false),
  });
}
