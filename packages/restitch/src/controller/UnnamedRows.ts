import { notePlaces } from '../store/lists/pagePlaces.js';
import { restart } from '../store/journal/transactions.js';
import { shapeOf } from '../schema/shape.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { type Flight, outcomeOfMutation } from './Flight.js';
import { showOptimistic } from './showOptimistic.js';
import { type FailedCreate, realArgs, temporariesIn, withRealKeys } from './temporary.js';

/** Requests about rows whose creates failed longer ago are not told why. */
const MOST_FAILED = 100;

/** Requests about rows that the server has not named yet: they wait for the real keys. */
export class UnnamedRows {
  /** Whether a row was ever created here under a temporary key. */
  #hasTemporaries = false;
  /** Requests that wait, with the temporary keys, in the order in which they were asked for. */
  readonly #waiting = new Map<Flight, ReadonlySet<string>>();
  /** By temporary key, the last creates that failed. */
  readonly #failed = new Map<string, FailedCreate>();

  /** Called when a request fails, before its rows are taken back. */
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

  /** The arguments of a request with real keys, as soon as they are known; undefined where no row is unnamed. */
  argsOf(core: Core, flight: Flight): Promise<readonly unknown[]> | undefined {
    const { args, store, transaction } = flight;
    const temporaries = this.#hasTemporaries && temporariesIn(store, args);
    this.#hasTemporaries ||= (transaction?.temporary.length ?? 0) > 0;
    if (!temporaries || temporaries.size === 0) {
      return undefined;
    }
    this.#waiting.set(flight, temporaries);
    return realArgs(
      flight,
      temporaries,
      (key) => outcomeOfMutation(core, ({ temporary }) => temporary.some(({ pk }) => pk === key)),
      this.#failed,
    ).finally(() => this.#waiting.delete(flight));
  }

  /**
   * Gives requests whose rows are named now their rank: they are sent after all that was sent before. In the commit of the
   * response, so that no reader sees them in another order meanwhile.
   */
  restart(core: Core, store: Store): void {
    for (const [flight, temporaries] of this.#waiting) {
      const { transaction } = flight;
      const isNamed = [...temporaries].every((key) => store.named.has(key));
      if (transaction && flight.store === store && isNamed) {
        this.#waiting.delete(flight);
        const args = withRealKeys(flight.args, store.named);
        restart(store, transaction);
        notePlaces(store, transaction, shapeOf(flight.endpoint.schema), args);
        flight.mutated = core.mutated;
        showOptimistic(core, flight, args);
      }
    }
  }
}
