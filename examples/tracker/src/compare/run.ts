import { isCompared } from './cost.js';

let stop: Promise<() => void> | undefined;

/** Starts or ends the comparison. The other cache is loaded when it is needed. */
export function runComparison(isRunning: boolean) {
  isCompared.set(isRunning);
  if (isRunning) {
    stop ??= import('./start.js').then(({ start }) => start());
    return;
  }
  void stop?.then((end) => end());
  stop = undefined;
}
