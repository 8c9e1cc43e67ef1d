import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { exportState } from './exportState.js';

/**
 * What the store of a controller holds, as plain data for JSON: to keep it, to look at it, or to send it to another controller's
 * store. Nothing optimistic and no errors. It shares its values with the store: do not change them.
 *
 * @throws RestitchError where something in it has no name in another program: an entity class without a `static key`, a
 * function endpoint without a `name`.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 * import { getState } from 'restitch/state';
 *
 * const controller = new Controller();
 * localStorage.setItem('state', JSON.stringify(getState(controller)));
 * ```
 */
export function getState(controller: Controller): StoreState {
  return exportState(internalsOf(controller).store, controller.environment.now());
}
