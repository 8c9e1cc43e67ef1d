import { onAbort, reasonOf } from '../errors/aborts.js';
import type { Core } from './Core.js';
import { abandon } from './endRequest.js';
import type { Wait } from './Flight.js';

/**
 * Adds a caller that withdraws when one of `signals` aborts. The last caller or reader that
 * withdraws ends the request.
 */
export function join(
  core: Core,
  wait: Wait,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<unknown> {
  wait.wanted += 1;
  const { promise } = wait.outcome;
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length === 0) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    const withdraw = (): void => {
      const aborted = given.find((signal) => signal.aborted);
      if (aborted) {
        const reason = reasonOf(aborted);
        stop();
        reject(reason);
        wait.wanted -= 1;
        if (wait.wanted === 0) {
          abandon(core, wait, reason);
        }
      }
    };
    const stop = (): void => stops.forEach((end) => end());
    const stops = given.map((signal) => onAbort(signal, withdraw));
    withdraw();
    void promise.finally(stop).then(resolve, reject);
  });
}

/**
 * Readers that share a signal count as one, and so do all readers without a signal. `own` is the
 * signal of the endpoint that sends the request.
 */
export function joinAsReader(
  core: Core,
  wait: Wait,
  signal: AbortSignal | undefined,
  own?: AbortSignal,
): void {
  const withdrawing = signal ?? own;
  if (!wait.readers.has(withdrawing)) {
    wait.readers.add(withdrawing);
    // The outcome of `wait` reports the error, including an abort by the endpoint's own signal.
    join(core, wait, signal, own).catch(() => {});
  }
}
