import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { type Flight, outcomeOfMutation } from './Flight.js';
import { startAgain } from './startRequest.js';
import { type FailedCreate, realArgs, temporariesIn, withRealKeys } from './temporaryKeys.js';

/** The number of failed creates whose errors are kept for later requests about their rows. */
const MOST_FAILED = 100;

/** Returns the outcome of the create in flight whose row has a temporary key. */
export function creationOf(core: Core, key: string): Promise<unknown> | undefined {
  return outcomeOfMutation(core, ({ temporary }) => temporary.some(({ pk }) => pk === key));
}

/** Requests about rows that have temporary keys only. They wait for the real keys. */
export class UnnamedRows {
  /** True once a row was created under a temporary key. */
  #hasTemporaries = false;
  /** Waiting requests with their temporary keys, in the order of their calls. */
  readonly waiting: Map<Flight, ReadonlySet<string>> = new Map();
  /** The last failed creates, by temporary key. */
  readonly #failed = new Map<string, FailedCreate>();

  /** Called when a request fails, before its rows are removed. */
  noteFailure({ endpoint: { name }, transaction }: Flight, error: Error): void {
    for (const { pk } of transaction?.temporary ?? []) {
      this.#failed.set(pk, { name, error });
    }
    for (const pk of this.#failed.keys()) {
      if (this.#failed.size > MOST_FAILED) {
        this.#failed.delete(pk);
      }
    }
  }

  /** Resolves to the arguments with real keys, or returns undefined if all keys are real. */
  argsOf(core: Core, flight: Flight): Promise<readonly unknown[]> | undefined {
    const { args, store, transaction } = flight;
    const temporaries = this.#hasTemporaries && temporariesIn(store, args);
    this.#hasTemporaries ||= (transaction?.temporary.length ?? 0) > 0;
    if (!temporaries || temporaries.size === 0) {
      return undefined;
    }
    this.waiting.set(flight, temporaries);
    return realArgs(flight, temporaries, (key) => creationOf(core, key), this.#failed).finally(() =>
      this.waiting.delete(flight),
    );
  }

  /**
   * Gives a new rank to each waiting request whose rows now have real keys, because it is sent only
   * now.
   *
   * @remarks It runs in the commit of the response, so that no reader sees another order meanwhile.
   */
  restart(core: Core, store: Store): void {
    for (const [flight, temporaries] of this.waiting) {
      const { transaction } = flight;
      const isNamed = [...temporaries].every((key) => store.named.has(key));
      if (transaction && flight.store === store && isNamed) {
        this.waiting.delete(flight);
        startAgain(core, flight, transaction, withRealKeys(flight.args, store.named));
      }
    }
  }
}
