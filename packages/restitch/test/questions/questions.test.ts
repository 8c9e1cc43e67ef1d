/**
 * Random programs of endpoints that look alike: after each step every reader shows what the server said for its own question.
 *
 * `RESTITCH_MODEL_RUNS` sets how many programs run in all (default 2 000; a long run: `npm run test:nightly -- --model questions`).
 * `RESTITCH_MODEL_SEED` and `RESTITCH_MODEL_PATH`, which a failure prints, repeat one: name the failed test with `-t`.
 */
import { describe, it } from 'vitest';
import { programs } from './generators.js';
import { search } from './search.js';
import { VARIANTS, type Variant } from './variants.js';

const RUNS = Number(process.env['RESTITCH_MODEL_RUNS'] ?? 2000);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

/** Milliseconds for one variant. */
const TIMEOUT = 20_000 + RUNS * 20;

describe('every reader gets the response of the server to its own request', () => {
  it.for(Object.entries<Variant>(VARIANTS))(
    'in programs of the variant %s',
    { timeout: TIMEOUT },
    async ([, { share, options }]) => {
      const { failure } = await search(programs(options), {
        runs: Math.ceil(RUNS * share),
        seed: SEED === undefined ? undefined : Number(SEED),
        path: PATH,
      });
      if (failure !== undefined) throw new Error(failure);
    },
  );
});
