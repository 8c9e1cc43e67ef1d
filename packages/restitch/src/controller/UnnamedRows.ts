import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { Flight } from './Flight.js';
import { showOptimistic } from './showOptimistic.js';
import * as storeActions from './storeActions.js';
import type { RequestsHost } from './RequestsHost.js';
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
  argsOf(
    flight: Flight,
    mutationOf: (test: (creation: Transaction) => boolean) => Promise<unknown> | undefined,
  ): Promise<readonly unknown[]> | undefined {
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
      (key) => mutationOf(({ temporary }) => temporary.some(({ pk }) => pk === key)),
      this.#failed,
    ).finally(() => this.#waiting.delete(flight));
  }

  /**
   * Gives requests whose rows are named now their rank: they are sent after all that was sent before. In the commit of the
   * response, so that no reader sees them in another order meanwhile.
   */
  restart(
    store: Store,
    host: Pick<RequestsHost, 'dispatch' | 'now' | 'report'>,
    mutated: number,
  ): void {
    for (const [flight, temporaries] of this.#waiting) {
      if (flight.store === store && [...temporaries].every((key) => store.named.has(key))) {
        this.#waiting.delete(flight);
        const args = withRealKeys(flight.args, store.named);
        storeActions.restart(flight, args);
        flight.mutated = mutated;
        showOptimistic(flight, args, host);
      }
    }
  }
}
