import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { exportState } from './exportState.js';

/**
 * Returns the state of a controller's store as plain data for JSON. Use it to persist the state,
 * inspect it, or send it to another controller. The state contains no optimistic updates and no
 * errors. Its values are shared with the store, so do not change them.
 *
 * @throws RestitchError if another program could not identify the data. Each entity class needs a
 * `static key`. Each function endpoint and each `Collection` with a `nestKey` needs a `name`.
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
