import type { Dispatch } from './actions.js';
import type { Controller } from './Controller.js';
import type { Manager } from './Manager.js';

/** The managers of one controller: every action passes them before it reaches the store. */
export class ManagerChain {
  readonly #controller: Controller;
  #managers: readonly Manager[] = [];
  #last: Dispatch;
  #isStarted = false;
  dispatch: Dispatch = (action) => this.#last(action);

  constructor(controller: Controller, last: Dispatch) {
    this.#controller = controller;
    this.#last = last;
  }

  /** Puts managers in front. */
  use(managers: readonly Manager[]): void {
    this.#managers = managers;
    this.dispatch = managers.reduceRight(
      (next, manager) => manager.middleware?.(this.#controller)(next) ?? next,
      this.dispatch,
    );
  }

  /** Adds a manager behind the others: it sees what they hand on. */
  add(manager: Manager): void {
    this.#managers = [...this.#managers, manager];
    this.#last = manager.middleware?.(this.#controller)(this.#last) ?? this.#last;
    if (this.#isStarted) {
      manager.init?.(this.#controller);
    }
  }

  /** Whether the controller is in use: not before the first use, nor after it was disposed of. */
  get isStarted(): boolean {
    return this.#isStarted;
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

  end(): void {
    const managers = this.#isStarted ? this.#managers : [];
    this.#isStarted = false;
    for (const manager of managers) {
      try {
        manager.cleanup?.();
      } catch (error) {
        // One manager's mistake must not keep the others, and the requests, from ending.
        this.#controller.environment.report(error);
      }
    }
  }
}
