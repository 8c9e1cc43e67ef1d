import type { Dispatch, FailAction, ReceiveAction, ResetAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import { flightOf } from '../controller/Flight.js';
import type { Manager } from '../controller/Manager.js';
import { logout } from './logout.js';
import { warnOptions } from './misspelledOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Options of `LogoutManager`: which errors end a session, and which function then runs. */
export interface LogoutManagerOptions {
  /** Returns true if an error means that the session has ended. Default: for the status 401. */
  readonly shouldLogout?: (error: Error & { readonly status?: unknown }) => boolean;
  /** Called once at the end of each session. Errors are reported. Default: `logout(controller)`. */
  readonly handleLogout?: (controller: Controller) => void | Promise<void>;
}

/**
 * Empties the store when the server rejects a request because the session has ended. The next user
 * then never sees data of the previous one.
 *
 * @remarks After the logout, mounted readers send nothing until the application resumes them. The
 * reader of the rejected request receives the error. Any of these begins the next session:
 *
 * - a mutation that succeeds, such as the sign-in
 * - a successful repeat of a request that was rejected or aborted at the logout
 * - a `resetEntireStore()` of the application
 *
 * The session ends once, even if many requests are rejected.
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

  constructor(options: LogoutManagerOptions = {}) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('LogoutManager', options);
  }

  readonly middleware = (controller: Controller): ((next: Dispatch) => Dispatch) => {
    const session = new Session(controller, this.#options);
    return (next) => (action) => {
      // The callers of the request receive the error before the store is emptied.
      next(action);
      if (action.type === 'reset') session.reset(action);
      else if (action.type === 'receive') session.received(action);
      else if (action.type === 'fail') session.failed(action);
    };
  };
}

/** The session of the user of one controller. */
class Session {
  readonly #controller: Controller;
  readonly #options: LogoutManagerOptions;
  /** The cache keys of the requests that were rejected or aborted. Undefined during a session. */
  #refused: Set<string> | undefined;
  /** True while `handleLogout` runs. A reset during that time belongs to the end of the session. */
  #isHandling = false;
  #wasReset = false;

  constructor(controller: Controller, options: LogoutManagerOptions) {
    this.#controller = controller;
    this.#options = options;
  }

  reset({ refetch }: ResetAction): void {
    this.#wasReset = true;
    if (refetch === false) this.#refused ??= new Set();
    else if (!this.#isHandling) this.#refused = undefined;
  }

  received({ endpoint, key }: ReceiveAction): void {
    if (endpoint.sideEffect || this.#refused?.has(key)) this.#refused = undefined;
  }

  failed(action: FailAction): void {
    const { aborted, args, key, error } = action;
    const { shouldLogout = ({ status }) => status === 401 } = this.#options;
    if (aborted === 'reset') this.#refused?.add(key);
    if (aborted || !shouldLogout(error)) return;
    const isOver = this.#refused !== undefined;
    this.#refused = (this.#refused ?? new Set()).add(key);
    if (isOver) return;
    this.#wasReset = false;
    this.#handle();
    // The reset has removed the error of the rejected request, so the error is stored again.
    if (this.#wasReset) this.#controller.setError(flightOf(action).endpoint, ...args, error);
  }

  #handle(): void {
    const controller = this.#controller;
    const { handleLogout = logout } = this.#options;
    const report = (error: unknown): void => controller.environment.report(error);
    const end = (): void => {
      this.#isHandling = false;
    };
    this.#isHandling = true;
    try {
      const handled: unknown = handleLogout(controller);
      // A promise of another realm is no `instanceof Promise`. The cast: `then` is optional.
      const { then } = Object(handled) as Partial<PromiseLike<unknown>>;
      if (typeof then === 'function') {
        void Promise.resolve(handled).catch(report).then(end);
        return;
      }
    } catch (error) {
      report(error);
    }
    end();
  }
}
