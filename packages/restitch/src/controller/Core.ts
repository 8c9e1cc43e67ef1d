import { createStore } from '../store/cells/createStore.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Action, Dispatch, FailAction } from './actions.js';
import { applyAction } from './applyAction.js';
import type { Controller } from './Controller.js';
import type { ControllerOptions } from './ControllerOptions.js';
import type { Environment } from './Environment.js';
import type { Flight } from './Flight.js';
import { Listeners } from './Listeners.js';
import type { Manager } from './Manager.js';
import { renew } from './starting.js';
import { Strays } from './Strays.js';
import { Sweeper } from './Sweeper.js';
import { UnnamedRows } from './UnnamedRows.js';
import { Views } from './Views.js';

/** The parts of one controller. Each of them, and what else of the library looks into it, is given the whole. */
export class Core {
  readonly environment: Environment;
  /** Milliseconds, where an endpoint sets none. */
  readonly dataExpiryLength: number;
  /** Milliseconds, where an endpoint sets none. */
  readonly errorExpiryLength: number;
  /** Another one after a reset. */
  store: Store;
  readonly views: Views = new Views(this);
  readonly sweeper: Sweeper;
  /** Whether a manager polls the subscriptions. */
  isPolled = false;
  readonly #controller: Controller;
  #managers: readonly Manager[] = [];
  #last: Dispatch = (action) => applyAction(this, action);
  #first: Dispatch = (action) => this.#last(action);
  /** Whether the controller is in use: not before the first use, nor after it was disposed of. */
  #isStarted = false;

  /** The reads under way whose outcome readers see. */
  readonly reads: Map<Result, Flight> = new Map();
  readonly mutations: Set<Flight> = new Set();
  /** Reads that others took the place of: their rows still count, their outcome only for those who still wait for them. */
  readonly superseded: Set<Flight> = new Set();
  /** How many mutations have ended. A read that began before the last of them may lack what it changed. */
  mutated = 0;
  readonly unnamed: UnnamedRows = new UnnamedRows();
  readonly strays: Strays;

  readonly failures: Listeners<[error: Error, action: FailAction]>;
  /** Those who follow which requests are under way. */
  readonly watchers: Listeners;
  /** Those who hear of resets that let readers fetch. */
  readonly resets: Listeners;

  constructor(controller: Controller, options: ControllerOptions) {
    const { environment } = controller;
    const { report, now } = environment;
    const { dataExpiryLength = 60_000, errorExpiryLength = 1_000 } = options;
    this.#controller = controller;
    this.environment = environment;
    this.dataExpiryLength = dataExpiryLength;
    this.errorExpiryLength = errorExpiryLength;
    this.store = this.newStore();
    this.sweeper = new Sweeper(this, options);
    this.strays = new Strays(now);
    this.failures = new Listeners(report);
    this.watchers = new Listeners(report);
    this.resets = new Listeners(report);
  }

  newStore(): Store {
    const { report, now, random } = this.environment;
    return createStore({ report, now, random, renew: (results) => renew(this, results) });
  }

  /** Puts managers in front: every action passes them before it reaches the store. */
  use(managers: readonly Manager[]): void {
    this.#managers = managers;
    this.#first = managers.reduceRight(
      (next, manager) => manager.middleware?.(this.#controller)(next) ?? next,
      this.#first,
    );
  }

  /** Adds a manager behind the others: it sees what they hand on. */
  addManager(manager: Manager): void {
    this.#managers = [...this.#managers, manager];
    this.#last = manager.middleware?.(this.#controller)(this.#last) ?? this.#last;
    if (this.#isStarted) {
      manager.init?.(this.#controller);
    }
  }

  /** Managers begin with the first use: a controller that was only made holds nothing that would have to be disposed of. */
  start(): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      for (const manager of this.#managers) {
        manager.init?.(this.#controller);
      }
    }
  }

  /** Ends the managers. */
  end(): void {
    const managers = this.#isStarted ? this.#managers : [];
    this.#isStarted = false;
    for (const manager of managers) {
      try {
        manager.cleanup?.();
      } catch (error) {
        // One manager's mistake must not keep the others, and the requests, from ending.
        this.environment.report(error);
      }
    }
  }

  /** Sends an action through the managers to the store. `starts`: from then on the controller is in use. */
  dispatch(action: Action, starts = true): void {
    if (starts) {
      this.start();
    }
    this.#first(action);
    if (this.#isStarted) {
      this.sweeper.wake(/^(receive|set)/.test(action.type));
    }
  }
}
