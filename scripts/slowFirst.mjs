// @ts-check
import { BaseSequencer } from 'vitest/node';

/** Files of the project `long` that take between ten seconds and minutes. */
const SLOW = /\/(model|questions|differential|soak)\/|\.property\.test\./;

/** Starts the slowest files first, so that no processor is idle while the last one runs. */
export class SlowFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    const isSlow = sorted.map(({ moduleId }) => SLOW.test(moduleId));
    return [
      ...sorted.filter((_, index) => isSlow[index]),
      ...sorted.filter((_, index) => !isSlow[index]),
    ];
  }
}
