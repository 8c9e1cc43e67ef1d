import type { Dispatch, FailAction, ReceiveAction, ResetAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';
import { logout } from './logout.js';
import { warnOptions } from './misspeltOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Settings of a `LogoutManager`; all optional. */
export interface LogoutManagerOptions {
  /** Whether a failed request says that the session has ended. Default: its error has `status` 401. */
  readonly shouldLogout?: (error: Error & { readonly status?: unknown }) => boolean;
  /** What to do then, once for each session. Default: `logout(controller)`. */
  readonly handleLogout?: (controller: Controller) => void | Promise<void>;
}

/**
 * Empties the store when the server says that the session has ended, so that the next user sees nothing of the last.
 *
 * @remarks
 * Readers on the screen then send nothing until the application says so; the one that was refused shows its error. However
 * many requests are refused, the session ends once. The next session is known by an answered mutation, such as the sign-in,
 * by an answer to what was refused or aborted, or by a `resetEntireStore()` of the application.
 *
 * @example
 * ```ts
 * import { Controller, logout, LogoutManager } from 'restitch';
 *
 * const logoutManager = new LogoutManager({
 *   handleLogout: (controller) => {
 *     logout(controller);
 *     location.assign('/login');
 *   },
 * });
 * const controller = new Controller({ managers: [logoutManager] });
 * ```
 */
export class LogoutManager implements Manager {
  readonly #options: LogoutManagerOptions;
  /** After the end of a session: the keys that were refused, or aborted by it. */
  #refused: Set<string> | undefined;
  /** What the application does about it is under way: its resets belong to that end. */
  #isHandling = false;
  #wasReset = false;

  constructor(options: LogoutManagerOptions = {}) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('LogoutManager', options);
  }

  readonly middleware =
    (controller: Controller) =>
    (next: Dispatch): Dispatch =>
    (action) => {
      // Whoever waits hears of the error first.
      next(action);
      if (action.type === 'reset') this.#reset(action);
      else if (action.type === 'receive') this.#answered(action);
      else if (action.type === 'fail') this.#failed(controller, action);
    };

  #reset({ refetch }: ResetAction): void {
    this.#wasReset = true;
    if (refetch === false) this.#refused ??= new Set();
    else if (!this.#isHandling) this.#refused = undefined;
  }

  #answered({ endpoint, key }: ReceiveAction): void {
    if (endpoint.sideEffect || this.#refused?.has(key)) this.#refused = undefined;
  }

  #failed(controller: Controller, { aborted, endpoint, args, key, error }: FailAction): void {
    const { shouldLogout = ({ status }) => status === 401 } = this.#options;
    if (aborted === 'reset') this.#refused?.add(key);
    if (aborted || !shouldLogout(error)) return;
    const isOver = this.#refused !== undefined;
    this.#refused = (this.#refused ?? new Set()).add(key);
    if (isOver) return;
    this.#wasReset = false;
    this.#handle(controller);
    // In the emptied store, too, the reader that was refused shows why.
    if (this.#wasReset) controller.setError(endpoint, ...args, error);
  }

  #handle(controller: Controller): void {
    const { handleLogout = logout } = this.#options;
    let handled: unknown;
    this.#isHandling = true;
    try {
      handled = handleLogout(controller);
    } finally {
      this.#isHandling = handled instanceof Promise;
    }
    if (handled instanceof Promise) void handled.finally(() => (this.#isHandling = false));
  }
}
