import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import type { Flight } from './Flight.js';
import { startAgain } from './startRequest.js';
import { realArgs, temporariesIn, withRealKeys } from './temporaryKeys.js';

/** Resolves to the arguments with real keys, or returns undefined if all keys are real already. */
export function waitForKeys(core: Core, flight: Flight): Promise<readonly unknown[]> | undefined {
  const { args, store, transaction } = flight;
  // Optimization: arguments are not searched until the first create.
  const temporaries = core.hasTemporaries ? temporariesIn(store, args) : undefined;
  core.hasTemporaries ||= (transaction?.temporary.length ?? 0) > 0;
  if (!temporaries?.size) {
    return undefined;
  }
  core.waiting.set(flight, temporaries);
  return realArgs(core, flight, temporaries).finally(() => core.waiting.delete(flight));
}

/**
 * Must run in the commit that stores the response to the create. A restart moves the optimistic
 * update to the top, and readers must not see the earlier order.
 */
export function restartNamed(core: Core, store: Store): void {
  for (const [flight, temporaries] of core.waiting) {
    const { transaction } = flight;
    const isNamed = [...temporaries].every((key) => store.named.has(key));
    if (transaction && flight.store === store && isNamed) {
      core.waiting.delete(flight);
      startAgain(core, flight, transaction, withRealKeys(flight.args, store.named));
    }
  }
}
