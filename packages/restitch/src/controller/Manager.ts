import type { Controller } from './Controller.js';
import type { Dispatch } from './actions.js';

/**
 * Extends a controller: every state change is an action that passes `middleware`, so logging, sockets and persistence need no
 * other hook.
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
  /** Called once, when the controller is first used. */
  init?(controller: Controller): void;
  /** Wraps the way of every action; call `next` to let it go on. */
  middleware?(controller: Controller): (next: Dispatch) => Dispatch;
  /** Called once, when the controller is disposed of. */
  cleanup?(): void;
}
