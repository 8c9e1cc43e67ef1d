import type { Core } from '../controller/Core.js';

/** Resolves when no mutation is in flight. */
export function untilQuiet(core: Core): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (core.store.mutations.size === 0) {
        stop();
        resolve();
      }
    };
    // A request ends before its response is stored.
    const stop = core.watchers.add(() => queueMicrotask(check));
    check();
  });
}
