import type { Core } from '../controller/Core.js';
import { oldestStart } from '../store/journal/responseOrder.js';

/** By default, waits until no mutation is in flight. */
export function untilQuiet(
  core: Core,
  isQuiet = (): boolean => oldestStart(core.store, 'mutation') === Infinity,
): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (isQuiet()) {
        stop();
        resolve();
      }
    };
    // A request ends before its response is stored, so the check waits for a microtask.
    const stop = core.watchers.add(() => queueMicrotask(check));
    check();
  });
}
