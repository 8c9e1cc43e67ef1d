import type { Core } from './Core.js';
import type { Flight, Send } from './Flight.js';
import { startAgain } from './startRequest.js';
import { temporaryIn, untilNamed, withRealKeys } from './temporaryKeys.js';

/** Calls `send` with real keys: at once, or as soon as all creates have returned their keys. */
export function sendNamed(
  core: Core,
  flight: Flight,
  args: readonly unknown[],
  send: Send,
): Promise<unknown> {
  const { store } = flight;
  const sendReal = (): Promise<unknown> => send(withRealKeys(args, store.named));
  if (!temporaryIn(store, args)) {
    return sendReal();
  }
  return new Promise((resolve, reject) => {
    core.waiting.set(flight, () => {
      core.waiting.delete(flight);
      resolve(sendReal());
    });
    // `sendWaiting` does not run for a response that contains the key, but cannot be stored.
    untilNamed(core, flight).then(() => core.waiting.get(flight)?.(), reject);
  });
}

/**
 * Must run in the commit that stores the response to the create:
 * - A restart moves the optimistic update to the top, and readers must not see the earlier order.
 * - The waiting requests must be sent before any request that a caller sends after the commit.
 */
export function sendWaiting(core: Core): void {
  for (const [flight, send] of core.waiting) {
    const { args, store, transaction } = flight;
    if (transaction && !temporaryIn(store, args)) {
      startAgain(core, flight, transaction, withRealKeys(args, store.named));
      send();
    }
  }
}
