// @ts-check
/** @import { Reporter } from 'vitest/node' */

/**
 * Ends the test run with `N passed, N failed, N skipped` alone on a line, without color, for programs
 * that count.
 * @implements {Reporter}
 */
export default class ClosingLine {
  /** @type {NonNullable<Reporter['onTestRunEnd']>} */
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that cannot be loaded has no tests to fail.
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const skipped = count.skipped + count.pending;
    const rest = skipped === 0 ? '' : `, ${skipped} skipped`;
    console.log(`${count.passed} passed, ${count.failed} failed${rest}`);
  }
}
