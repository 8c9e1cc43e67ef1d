import { afterEach, beforeEach } from 'vitest';

/** Collects, for each test anew, the rejections that nothing handles: the test runner's own listener would fail the test. */
export function collectUnhandled(): readonly unknown[] {
  const unhandled: unknown[] = [];
  let others: NodeJS.UnhandledRejectionListener[] = [];
  beforeEach(() => {
    unhandled.length = 0;
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error: unknown) => {
      unhandled.push(error);
    });
  });
  afterEach(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  });
  return unhandled;
}
