/**
 * Random declarations on a simulated server: each reader shows what the server said for its own question.
 *
 * `RESTITCH_MODEL_RUNS` sets how many programs run in all (default 2 000; a long run: `npm run test:nightly`).
 * `RESTITCH_MODEL_SEED` and `RESTITCH_MODEL_PATH`, which a failure prints, repeat one: name the failed test with `-t`.
 */
import { describe, it } from 'vitest';
import { programs } from './generators.js';
import { search } from './search.js';
import { VARIANTS, type Variant } from './variants.js';

const RUNS = Number(process.env['RESTITCH_MODEL_RUNS'] ?? 2000);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

/** Milliseconds for one property. */
const TIMEOUT = 20_000 + RUNS * 50;

async function check({ share, options }: Variant): Promise<void> {
  const { failure } = await search(programs(options), {
    runs: Math.ceil(RUNS * share),
    seed: SEED === undefined ? undefined : Number(SEED),
    path: PATH,
  });
  if (failure !== undefined) throw new Error(failure);
}

describe('each reader shows what the server said for its own question', () => {
  it.for(Object.entries(VARIANTS))('%s', { timeout: TIMEOUT }, ([, variant]) => check(variant));
});
