import type { Controller } from './Controller.js';
import type { Dispatch } from './actions.js';

/**
 * Extends a controller, for example with logging, sockets or persistence. Every change of the store
 * is an action that passes through `middleware`.
 *
 * @remarks One manager may serve several controllers at the same time, so keep state for each of
 * them: in variables of `middleware`, which is called once for each controller, or in a `WeakMap`
 * by controller.
 *
 * @example
 * ```ts
 * import type { Manager } from 'restitch';
 *
 * const logger: Manager = {
 *   middleware: () => (next) => (action) => {
 *     console.log(action.type);
 *     next(action);
 *   },
 * };
 * ```
 */
export interface Manager {
  /** Called when the controller is first used, and at the next use after a `cleanup`. */
  init?(controller: Controller): void;
  /** Wraps the dispatch of every action. Call `next` to pass the action on. */
  middleware?(controller: Controller): (next: Dispatch) => Dispatch;
  /**
   * Called when the controller is disposed of, and when the `DataProvider` that created it unmounts
   * or is hidden in an `<Activity>`.
   */
  cleanup?(controller: Controller): void;
}
