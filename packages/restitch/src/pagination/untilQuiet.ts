import type { Core } from '../controller/Core.js';
import { STALLED } from '../store/journal/stalled.js';

export function untilQuiet({ environment, watchers }: Core, isQuiet: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    let stopTimer: (() => void) | undefined;
    const check = (): void => {
      if (isOver) {
        return;
      }
      stopTimer?.();
      isOver = isQuiet();
      if (isOver) {
        stop();
        resolve();
      } else {
        // No watcher is notified when a mutation stalls.
        stopTimer = environment.whenIdle(check, STALLED);
      }
    };
    // A request ends before its response is stored, so the check waits for a microtask.
    const stop = watchers.add(() => queueMicrotask(check));
    check();
  });
}
