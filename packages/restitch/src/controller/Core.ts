import { createStore } from '../store/cells/createStore.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Action, Dispatch, FailAction, ReceiveAction } from './actions.js';
import { applyAction } from './applyAction.js';
import type { Controller } from './Controller.js';
import type { ControllerOptions } from './ControllerOptions.js';
import type { Environment } from './Environment.js';
import type { Flight } from './Flight.js';
import { Listeners } from './Listeners.js';
import type { Manager } from './Manager.js';
import { renew } from './startRequest.js';
import { Sweeper } from './Sweeper.js';
import type { FailedCreate } from './temporaryKeys.js';
import { Views } from './Views.js';

export class Core {
  // Optimization: the compiler emits no code for fields with `declare`.
  declare readonly environment: Environment;
  declare readonly dataExpiryLength: number;
  declare readonly errorExpiryLength: number;
  /** A reset replaces the store. */
  declare store: Store;
  readonly views: Views = new Views(this);
  declare readonly sweeper: Sweeper;
  /** True if a manager polls the subscriptions. */
  declare isPolled?: boolean;
  readonly #controller: Controller;
  readonly #managers: Manager[] = [];
  /** Each action passes through these functions: the managers, then the store. */
  readonly #chain: Dispatch[] = [(action) => applyAction(this, action)];
  #isStarted = false;
  /** True while the provider that created the controller is hidden or unmounted. */
  #isResting = false;

  /** The current read in flight of each result. Look-ups for a mutation pass undefined. */
  readonly reads: Map<Result | undefined, Flight> = new Map();
  readonly mutations: Set<Flight> = new Set();
  /** Replaced reads stay in flight, because the store uses the rows of each response. */
  readonly superseded: Set<Flight> = new Set();
  /** The number of ended mutations. A read that began at a lower number may lack a change. */
  mutated = 0;
  /**
   * Requests that are not sent yet, in order of the calls. A request that waits for real keys has a
   * function that sends it.
   */
  readonly waiting: Map<Flight, (() => void) | undefined> = new Map();
  /** By temporary key. Later requests about a row report the error of its create. */
  readonly failedCreates: Map<string, FailedCreate> = new Map();

  declare readonly failures: Listeners<[error: Error, action: FailAction]>;
  declare readonly successes: Listeners<[response: unknown, action: ReceiveAction]>;
  declare readonly watchers: Listeners;
  declare readonly resets: Listeners<[refetch: boolean]>;
  declare readonly beforeReset: Listeners;
  /** Notified after optimistic updates. */
  declare readonly predictions: Listeners;

  constructor(controller: Controller, options: ControllerOptions) {
    const { environment } = controller;
    const { report } = environment;
    const { dataExpiryLength = 60_000, errorExpiryLength = 1_000 } = options;
    this.#controller = controller;
    this.environment = environment;
    this.dataExpiryLength = dataExpiryLength;
    this.errorExpiryLength = errorExpiryLength;
    this.store = this.newStore();
    this.sweeper = new Sweeper(this, options);
    this.failures = new Listeners(report);
    this.successes = new Listeners(report);
    this.watchers = new Listeners(report);
    this.resets = new Listeners(report);
    this.beforeReset = new Listeners(report);
    this.predictions = new Listeners(report);
  }

  newStore(): Store {
    return createStore(this.environment, (results) => renew(this, results));
  }

  addManager(manager: Manager): void {
    const at = this.#managers.push(manager) - 1;
    const next: Dispatch = (action) => this.#chain[at + 1]?.(action);
    this.#chain.splice(at, 0, manager.middleware?.(this.#controller)(next) ?? next);
    if (this.#isStarted) {
      manager.init?.(this.#controller);
    }
  }

  start(): void {
    if (!this.#isStarted && !this.#isResting) {
      this.#isStarted = true;
      // The loop skips managers that an `init` adds, because `addManager` starts these managers.
      this.#managers.forEach((manager) => manager.init?.(this.#controller));
    }
  }

  wake(isWrite: boolean): void {
    if (this.#isStarted) {
      this.sweeper.wake(isWrite);
    }
  }

  end(): void {
    const managers = this.#isStarted ? this.#managers : [];
    this.#isStarted = false;
    for (const manager of managers) {
      try {
        manager.cleanup?.(this.#controller);
      } catch (error) {
        // If one `cleanup` throws, the other managers and the requests must still stop.
        this.environment.report(error);
      }
    }
  }

  /** Stops what a controller without readers doesn't need. Requests in flight continue. */
  rest(): void {
    this.#isResting = true;
    this.end();
    this.sweeper.stop();
  }

  resume(): void {
    if (this.#isResting) {
      this.#isResting = false;
      this.start();
    }
  }

  dispatch(action: Action, starts = true): void {
    if (starts) {
      this.start();
    }
    this.#chain[0]?.(action);
    this.wake(/^(receive|set)/.test(action.type));
  }
}
