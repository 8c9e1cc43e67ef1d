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
 * @remarks Readers that stay on the screen ask again then. One that is refused once more shows the error: it is a reason to
 * log out again only after a sign of the next session, which is its own answer, that of a mutation, or a reset of your own.
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
  /** The questions that were refused since the last sign of a session. */
  #refused = new Set<string>();

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
      if (action.type === 'reset') this.#refused.clear();
      if (
        action.type === 'receive' &&
        (action.endpoint.sideEffect || this.#refused.has(action.key))
      )
        this.#refused.clear();
      if (action.type !== 'fail' || !shouldLogout(action.error)) return;
      const { endpoint, key } = action;
      if (this.#refused.has(key)) return;
      // A reset that this leads to is no sign of a session.
      const refused = this.#refused;
      this.#refused = new Set();
      handleLogout(controller);
      this.#refused = refused;
      if (!endpoint.sideEffect) refused.add(key);
    };
}
