/** One shard of a long run: see `test/model/nightly.ts`. */
import { search } from './search.js';

const [runs = 0, seed = 0] = process.argv.slice(2).map(Number);

const { programs, steps, failure } = await search({ runs, seed });
console.log(JSON.stringify({ seed, programs, steps, failures: failure ? [failure] : [] }));
