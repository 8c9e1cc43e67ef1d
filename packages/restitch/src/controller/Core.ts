import { createStore } from '../store/cells/createStore.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Action, FailAction } from './actions.js';
import { applyAction } from './applyAction.js';
import type { Controller } from './Controller.js';
import type { ControllerOptions } from './ControllerOptions.js';
import type { Environment } from './Environment.js';
import type { Flight } from './Flight.js';
import { Listeners } from './Listeners.js';
import { ManagerChain } from './ManagerChain.js';
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
  readonly managers: ManagerChain;
  /** Whether a manager polls the subscriptions. */
  isPolled = false;

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
    this.environment = environment;
    this.dataExpiryLength = dataExpiryLength;
    this.errorExpiryLength = errorExpiryLength;
    this.store = this.newStore();
    this.sweeper = new Sweeper(this, options);
    this.strays = new Strays(now);
    this.failures = new Listeners(report);
    this.watchers = new Listeners(report);
    this.resets = new Listeners(report);
    this.managers = new ManagerChain(controller, (action) => applyAction(this, action));
  }

  newStore(): Store {
    const { report, now, random } = this.environment;
    return createStore({ report, now, random, renew: (results) => renew(this, results) });
  }

  /** Sends an action through the managers to the store. `starts`: from then on the controller is in use. */
  dispatch(action: Action, starts = true): void {
    if (starts) {
      this.managers.start();
    }
    this.managers.dispatch(action);
    if (this.managers.isStarted) {
      this.sweeper.wake(/^(receive|set)/.test(action.type));
    }
  }
}
