/** One shard of a long run of the question model: see `test/model/nightly.ts`. */
import { programs } from './generators.js';
import { search } from './search.js';
import { VARIANTS } from './variants.js';

const [runs = 0, seed = 0] = process.argv.slice(2).map(Number);

let steps = 0;
let count = 0;
const failures: string[] = [];
for (const [name, { share, options }] of Object.entries(VARIANTS)) {
  const found = await search(programs(options), { runs: Math.round(runs * share), seed });
  steps += found.steps;
  count += found.programs;
  if (found.failure !== undefined) failures.push(`${name}: ${found.failure}`);
}
console.log(JSON.stringify({ seed, programs: count, steps, failures }));
