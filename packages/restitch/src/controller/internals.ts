import type { Store } from '../store/cells/Store.js';
import type { Dispatch } from './actions.js';
import type { Manager } from './Manager.js';

/** What other parts of the library use of a controller, and its users do not. */
export interface Internals {
  readonly store: () => Store;
  /** Sends an action through the managers to the store. */
  readonly dispatch: Dispatch;
  /** Adds a manager behind those that were given. */
  readonly addManager: (manager: Manager) => void;
  /** Whether a manager polls the subscriptions. */
  isPolled: boolean;
}

const exposed = new WeakMap<object, Internals>();

/** Lets the other parts of the library look into a controller. */
export function exposeInternals(controller: object, internals: Internals): void {
  exposed.set(controller, internals);
}

/**
 * What `exposeInternals` was given.
 *
 * @throws TypeError when `controller` is none.
 */
export function internalsOf(controller: object): Internals {
  const internals = exposed.get(controller);
  if (!internals) {
    throw new TypeError('`controller` must be a Controller of this copy of restitch.');
  }
  return internals;
}
