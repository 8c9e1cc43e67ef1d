/**
 * One shard of a long run: so many random programs of every kind from one seed, printed as one line of JSON. `scripts/nightly.mjs` bundles
 * this file, which is faster than a test runner, and runs it many times; a process of its own for each shard keeps memory bounded.
 */
import { NO_COUNTS, sum } from './counts.js';
import { search } from './search.js';
import { VARIANTS } from './variants.js';

const [runs = 0, seed = 0] = process.argv.slice(2).map(Number);

let counts = NO_COUNTS;
let programs = 0;
const failures: string[] = [];
for (const [name, { share, options }] of Object.entries(VARIANTS)) {
  const found = await search(options, { runs: Math.round(runs * share), seed });
  counts = sum(counts, found.counts);
  programs += found.programs;
  if (found.failure !== undefined) failures.push(`${name}: ${found.failure}`);
}
console.log(JSON.stringify({ seed, programs, ...counts, failures }));
