import type { Core } from '../controller/Core.js';

/** Resolves when `isQuiet` returns true. By default, this is when no mutation is in flight. */
export function untilQuiet(
  core: Core,
  isQuiet = (): boolean => core.store.mutations.size === 0,
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
