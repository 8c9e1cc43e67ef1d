import type { Action, Dispatch } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';
import { inspect, readableKey } from '../state/inspect.js';
import { warnOptions } from './misspelledOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The connection to the Redux DevTools that `connect` opens. */
export interface DevToolsConnection {
  /** Displays a state and begins a new history. */
  init(state: unknown): void;
  /** Displays an action and the state after it. */
  send(action: { readonly type: string }, state: unknown): void;
  /** Calls `listener` for each click in the tools. May return a function that removes it. */
  subscribe?(listener: (message: DevToolsMessage) => void): unknown;
}

/** A message of the tools: the button that was clicked. */
export interface DevToolsMessage {
  readonly type: string;
  readonly payload?: { readonly type?: string };
}

/** The Redux DevTools extension, as defined on the window. */
export interface DevToolsExtension {
  /** Opens a tab with this name. */
  connect(options: { readonly name: string }): DevToolsConnection;
}

interface Connected {
  readonly connection: DevToolsConnection;
  readonly stop: unknown;
}

/** Selects the name of a controller and the actions that a `DevToolsManager` displays. */
export interface DevToolsManagerOptions {
  /** The name of this controller in the tools. Default: `'restitch'`. */
  readonly name?: string;
  /** Returns true for an action that the tools must not display. Default: all are displayed. */
  readonly skip?: (action: Action) => boolean;
  /** The extension to use. Default: the browser's, if it is installed. */
  readonly extension?: DevToolsExtension;
}

/**
 * Displays every action and the state after it in the Redux DevTools browser extension. Without the
 * extension, the manager does nothing.
 *
 * @remarks Use the manager in development only, because each action exports the whole store. The
 * button "reset" empties the store. The button "commit" begins a new history.
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
  readonly #connections = new WeakMap<Controller, Connected>();

  constructor(options: DevToolsManagerOptions = {}) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('DevToolsManager', options);
  }

  init(controller: Controller): void {
    // The cast: the extension defines this global, if it is installed.
    const host = globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: DevToolsExtension };
    const { extension = host.__REDUX_DEVTOOLS_EXTENSION__, name = 'restitch' } = this.#options;
    const connection = extension?.connect({ name });
    if (!connection) return;
    connection.init(inspect(controller));
    const stop = connection.subscribe?.(({ type, payload }) => {
      if (type !== 'DISPATCH') return;
      if (payload?.type === 'RESET') controller.resetEntireStore();
      if (payload?.type === 'RESET' || payload?.type === 'COMMIT') {
        connection.init(inspect(controller));
      }
    });
    this.#connections.set(controller, { connection, stop });
  }

  readonly middleware =
    (controller: Controller) =>
    (next: Dispatch): Dispatch =>
    (action) => {
      next(action);
      const connected = this.#connections.get(controller);
      if (connected && !this.#options.skip?.(action)) {
        connected.connection.send(described(action), inspect(controller));
      }
    };

  cleanup(controller: Controller): void {
    const stop = this.#connections.get(controller)?.stop;
    if (typeof stop === 'function') stop();
    this.#connections.delete(controller);
  }
}

const HIDDEN = ['flight', 'fetch', 'take', 'view'];

function described(action: Action): { readonly type: string } {
  const { type, ...rest } = action;
  const endpointName = 'endpoint' in action ? action.endpoint.name : '';
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (name === 'endpoint') fields[name] = nameOf(value);
    else if (name === 'schema') fields[name] = nameOf(value);
    else if (typeof value === 'function' && name !== 'take') fields[name] = '(a function)';
    else if (value instanceof Error) fields[name] = { name: value.name, message: value.message };
    else if (name === 'key') fields[name] = readableKey(String(value), endpointName);
    else if (!HIDDEN.includes(name)) fields[name] = value;
  }
  const about = fields['key'] ?? fields['endpoint'] ?? fields['schema'];
  return { ...fields, type: typeof about === 'string' ? `${type} ${about}` : type };
}

function nameOf(value: unknown): unknown {
  const isNamed = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return isNamed && 'name' in value ? value.name : undefined;
}
