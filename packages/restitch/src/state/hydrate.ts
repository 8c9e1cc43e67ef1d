import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { hydrateStore } from './hydrateStore.js';

/**
 * Adds state that `getState` returned elsewhere. It adds unknown rows, lists and results, and
 * missing fields of known rows. Known data does not change, and deleted records stay deleted. The
 * store takes ownership of the state: do not change it afterward.
 *
 * @remarks The managers receive an action of type `hydrate`. Times stay unchanged, so use `hydrate`
 * of `restitch/ssr` for state of another machine. State that is damaged or has another version is
 * reported and ignored.
 *
 * @throws TypeError when `state` is not an object.
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
