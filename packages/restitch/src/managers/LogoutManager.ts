import type { Dispatch } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';

/** Settings of a `LogoutManager`; all optional. */
export interface LogoutManagerOptions {
  /** Whether a failed request says that the session has ended. Default: its error has `status` 401. */
  readonly shouldLogout?: (error: Error & { readonly status?: unknown }) => boolean;
  /** What to do then. Default: `controller.resetEntireStore()`. */
  readonly handleLogout?: (controller: Controller) => void;
}

/**
 * Empties the store when the server says that nobody is logged in any more, so that the next user sees nothing of the last.
 *
 * @example
 * ```ts
 * import { Controller, LogoutManager } from 'restitch';
 *
 * const logout = new LogoutManager({
 *   handleLogout: (controller) => {
 *     controller.resetEntireStore();
 *     location.assign('/login');
 *   },
 * });
 * const controller = new Controller({ managers: [logout] });
 * ```
 */
export class LogoutManager implements Manager {
  readonly #options: LogoutManagerOptions;

  constructor(options: LogoutManagerOptions = {}) {
    this.#options = options;
  }

  readonly middleware =
    (controller: Controller) =>
    (next: Dispatch): Dispatch =>
    (action) => {
      // Whoever waits hears of the error first.
      next(action);
      const {
        shouldLogout = ({ status }) => status === 401,
        handleLogout = ({ resetEntireStore }) => resetEntireStore(),
      } = this.#options;
      if (action.type === 'fail' && shouldLogout(action.error)) handleLogout(controller);
    };
}
