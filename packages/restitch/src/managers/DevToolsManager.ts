import type { Action, Dispatch } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';
import { inspect, readableKey } from '../state/inspect.js';
import { warnOptions } from './misspeltOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** A connection to the Redux DevTools, as their browser extension gives it. */
export interface DevToolsConnection {
  /** Shows a first state. */
  init(state: unknown): void;
  /** Shows an action and the state after it. */
  send(action: { readonly type: string }, state: unknown): void;
  /** Tells what is clicked in the tools; may return how to stop. */
  subscribe?(listener: (message: DevToolsMessage) => void): unknown;
}

/** What is clicked in the tools. */
export interface DevToolsMessage {
  readonly type: string;
  readonly payload?: { readonly type?: string };
}

/** The Redux DevTools extension, as it stands on the window. */
export interface DevToolsExtension {
  /** Opens a tab of that name. */
  connect(options: { readonly name: string }): DevToolsConnection;
}

/** Settings of a `DevToolsManager`; all optional. */
export interface DevToolsManagerOptions {
  /** Names this controller among others in the tools. Default: `'restitch'`. */
  readonly name?: string;
  /** Leaves actions out, such as those of a stream. Default: all are shown. */
  readonly skip?: (action: Action) => boolean;
  /** Default: the browser's, where it is installed. */
  readonly extension?: DevToolsExtension;
}

/**
 * Shows every action and the state after it in the Redux DevTools browser extension. Their "reset" empties the store, "commit"
 * begins a new history. Without the extension it does nothing.
 *
 * @remarks For development: the whole store is exported for each action.
 *
 * @example
 * ```ts
 * import { Controller, DevToolsManager, PollingManager } from 'restitch';
 *
 * const managers = [new PollingManager(), new DevToolsManager({ name: 'shop' })];
 * const controller = new Controller({ managers });
 * ```
 */
export class DevToolsManager implements Manager {
  readonly #options: DevToolsManagerOptions;
  #connection: DevToolsConnection | undefined;
  #stop: unknown;

  constructor(options: DevToolsManagerOptions = {}) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('DevToolsManager', options);
  }

  init(controller: Controller): void {
    // The cast: what the extension puts there, if it is installed.
    const host = globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: DevToolsExtension };
    const { extension = host.__REDUX_DEVTOOLS_EXTENSION__, name = 'restitch' } = this.#options;
    const connection = extension?.connect({ name });
    this.#connection = connection;
    connection?.init(inspect(controller));
    this.#stop = connection?.subscribe?.(({ type, payload }) => {
      if (type !== 'DISPATCH') return;
      if (payload?.type === 'RESET') controller.resetEntireStore();
      if (payload?.type === 'RESET' || payload?.type === 'COMMIT') {
        connection.init(inspect(controller));
      }
    });
  }

  readonly middleware =
    (controller: Controller) =>
    (next: Dispatch): Dispatch =>
    (action) => {
      next(action);
      if (this.#connection && !this.#options.skip?.(action)) {
        this.#connection.send(described(action), inspect(controller));
      }
    };

  cleanup(): void {
    if (typeof this.#stop === 'function') this.#stop();
    this.#connection = undefined;
  }
}

/** An action as the tools can show it: an endpoint is its name, a request in flight nothing. */
function described(action: Action): { readonly type: string } {
  const { type, ...rest } = action;
  const asker = 'endpoint' in action ? action.endpoint.name : '';
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (name === 'endpoint') shown[name] = nameOf(value);
    else if (name === 'schema') shown[name] = nameOf(value);
    else if (typeof value === 'function' && name !== 'take') shown[name] = '(a function)';
    else if (value instanceof Error) shown[name] = { name: value.name, message: value.message };
    else if (name === 'key') shown[name] = readableKey(String(value), asker);
    else if (name !== 'flight' && name !== 'fetch' && name !== 'take') shown[name] = value;
  }
  const about = shown['key'] ?? shown['endpoint'] ?? shown['schema'];
  return { ...shown, type: typeof about === 'string' ? `${type} ${about}` : type };
}

function nameOf(value: unknown): unknown {
  const isNamed = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return isNamed && 'name' in value ? value.name : undefined;
}
