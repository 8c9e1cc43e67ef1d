/**
 * Random programs on the library and on the naive model, compared after each step.
 *
 * `RESTITCH_MODEL_RUNS` sets how many programs run in all (default 2 000; a long run: `npm run test:nightly`).
 * `RESTITCH_MODEL_SEED` and `RESTITCH_MODEL_PATH`, which a failure prints, repeat one: name the failed test with `-t`.
 */
import { describe, expect, it } from 'vitest';
import { mayBeInVain, search } from './search.js';
import { VARIANTS, type Variant } from './variants.js';

const RUNS = Number(process.env['RESTITCH_MODEL_RUNS'] ?? 2000);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

/** Milliseconds for one property. */
const TIMEOUT = 20_000 + RUNS * 50;

async function check({ share, options }: Variant): Promise<void> {
  const { counts, failure } = await search(options, {
    runs: Math.ceil(RUNS * share),
    seed: SEED === undefined ? undefined : Number(SEED),
    path: PATH,
  });
  if (failure !== undefined) throw new Error(failure);
  const limit = mayBeInVain(counts);
  const { notifications, inVain, renewedInVain } = counts;
  expect(inVain, `of ${notifications} notifications without a change`).toBeLessThanOrEqual(limit);
  expect(renewedInVain, 'new objects show what the old ones showed').toBeLessThanOrEqual(limit);
}

describe('the store reads the same values as the naive model', () => {
  it('after every step of short programs', () => check(VARIANTS.short), TIMEOUT);
  it('after every step of long programs', () => check(VARIANTS.long), TIMEOUT);
  it('while polls mostly repeat known values', () => check(VARIANTS.polling), TIMEOUT);
  it('with optimistic functions', () => check(VARIANTS.functions), TIMEOUT);
  it('with relations to rows that have no key yet', () => check(VARIANTS.adoption), TIMEOUT);
  it('while data without readers is evicted', () => check(VARIANTS.forgetful), TIMEOUT);
  it('when results grow stale, fail, or are removed', () => check(VARIANTS.freshness), TIMEOUT);
  it('while other stores hydrate their state', () => check(VARIANTS.hydrating), TIMEOUT);
  it('while requests never end', () => check(VARIANTS.stalling), TIMEOUT);
  it(
    'while requests never end and data without readers is evicted',
    () => check(VARIANTS.abandoned),
    TIMEOUT,
  );
  it('with a merge that is not commutative', () => check(VARIANTS.merging), TIMEOUT);
  it(
    'with rows that are reordered by what they say themselves',
    () => check(VARIANTS.reordering),
    TIMEOUT,
  );
});
