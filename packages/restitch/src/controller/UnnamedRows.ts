import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import type { Flight } from './Flight.js';
import { startAgain } from './startRequest.js';
import { type FailedCreate, realArgs, temporariesIn, withRealKeys } from './temporaryKeys.js';

const MOST_FAILED = 100;

/** Requests about rows that have no real key yet. They wait for the responses of the creates. */
export class UnnamedRows {
  #hasTemporaries = false;
  /** Waiting requests with their temporary keys, in the order of their calls. */
  readonly waiting: Map<Flight, ReadonlySet<string>> = new Map();
  /**
   * The last failed creates, by temporary key. Later requests about the rows report these errors.
   */
  readonly #failed = new Map<string, FailedCreate>();

  /** Called before the rows of a failed request are removed. */
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

  /** Resolves to the arguments with real keys. Returns undefined if all keys are real already. */
  argsOf(core: Core, flight: Flight): Promise<readonly unknown[]> | undefined {
    const { args, store, transaction } = flight;
    const temporaries = this.#hasTemporaries ? temporariesIn(store, args) : undefined;
    this.#hasTemporaries ||= (transaction?.temporary.length ?? 0) > 0;
    if (!temporaries?.size) {
      return undefined;
    }
    this.waiting.set(flight, temporaries);
    return realArgs(core, flight, temporaries, this.#failed).finally(() =>
      this.waiting.delete(flight),
    );
  }

  /**
   * Restarts each waiting request whose rows now have real keys. Must run in the commit that stores
   * the response to the create. A restart moves the optimistic update to the top, and readers must
   * not see the order before it.
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
