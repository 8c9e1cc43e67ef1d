// @ts-check
/**
 * Timing. The results are ratios between cases that are measured in turns in one process, mostly each by its lower
 * quartile. Other programs then disturb all cases alike, and mostly none.
 */

/**
 * Processor time in µs, that of the garbage collector included: what other programs take does not count.
 *
 * @param {() => unknown} work
 */
export async function processorTime(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Processor time without what is left of the work before: twice collected, it is no young object any more that a later collection
 * would have to copy. A whole collection would also throw compiled code away.
 *
 * @param {() => unknown} work
 */
export function ownTime(work) {
  globalThis.gc?.({ type: 'minor' });
  globalThis.gc?.({ type: 'minor' });
  return processorTime(work);
}

/**
 * A sample of something short: the time for one of a number of calls.
 *
 * @param {number} count
 * @param {() => unknown} work
 */
export function repeated(count, work) {
  return async () => {
    const time = await processorTime(() => {
      for (let turn = 0; turn < count; turn += 1) {
        work();
      }
    });
    return time / count;
  };
}

/** @param {readonly number[]} numbers */
export function lowerQuartile(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 4)] ?? Number.NaN;
}

/**
 * The mean without the highest tenth, for what fills the memory: the collector then runs in every second sample or so, and a
 * quartile would depend on the case that it happened to spare.
 *
 * @param {readonly number[]} numbers
 */
export function trimmedMean(numbers) {
  const kept = numbers.toSorted((a, b) => a - b).slice(0, Math.ceil(numbers.length * 0.9));
  return kept.reduce((sum, number) => sum + number, 0) / kept.length;
}

/**
 * One number for each case, `of` its samples, which are taken in turns until the time is up.
 *
 * @template {string} Case
 * @param {Record<Case, () => number | Promise<number>>} cases each takes one sample
 * @param {{ seconds: number, least?: number, of?: typeof lowerQuartile }} options
 * @returns {Promise<Record<Case, number>>}
 */
export async function inTurns(cases, { seconds, least = 12, of = lowerQuartile }) {
  // The casts: `Object.keys` and `Object.fromEntries` forget the names.
  const names = /** @type {Case[]} */ (Object.keys(cases));
  const samples = new Map(names.map((name) => [name, /** @type {number[]} */ ([])]));
  const end = performance.now() + seconds * 1_000;
  for (let round = 0; round < least || performance.now() < end; round += 1) {
    for (const name of names) {
      const sample = await cases[name]();
      // The first rounds run cold code.
      if (round >= 3) {
        samples.get(name)?.push(sample);
      }
    }
  }
  const results = names.map((name) => [name, of(samples.get(name) ?? [])]);
  return /** @type {Record<Case, number>} */ (Object.fromEntries(results));
}
