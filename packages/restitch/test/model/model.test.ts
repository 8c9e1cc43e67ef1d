/**
 * Random programs on the library and on the naive model, compared after each step.
 *
 * `RESTITCH_MODEL_RUNS` sets how many programs run in all (default 2 000; a long run: 100 000, about ten minutes).
 * `RESTITCH_MODEL_SEED` and `RESTITCH_MODEL_PATH`, which a failure prints, repeat one: name the failed test with `-t`.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { programs, type ProgramOptions } from './generators.js';
import type { Counts } from './checker.js';
import { run } from './interpreter.js';

const RUNS = Number(process.env['RESTITCH_MODEL_RUNS'] ?? 2000);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

/** Milliseconds for one property; a nightly million needs hours. */
const TIMEOUT = 20_000 + RUNS * 50;

/** At most this part of all notifications, and of all new objects against them, may tell of nothing new. Two are always allowed. */
const IN_VAIN_LIMIT = 0.0005;

async function check(share: number, options: ProgramOptions): Promise<void> {
  const total: Counts = { notifications: 0, inVain: 0, forNothing: 0, renewedInVain: 0 };
  const details = await fc.check(
    fc.asyncProperty(programs(options), async (program) => {
      const counts = await run(program);
      total.notifications += counts.notifications;
      total.inVain += counts.inVain;
      total.forNothing += counts.forNothing;
      total.renewedInVain += counts.renewedInVain;
    }),
    {
      numRuns: Math.ceil(RUNS * share),
      ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      ...(PATH === undefined ? {} : { path: PATH }),
    },
  );
  if (details.failed) {
    const { errorInstance: error, seed, counterexamplePath: path, numRuns, numShrinks } = details;
    const story = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The library and the model disagree (program ${numRuns}, shrunk ${numShrinks} times; ` +
        `RESTITCH_MODEL_SEED=${seed} RESTITCH_MODEL_PATH=${path ?? ''}):\n${story}`,
      { cause: error },
    );
  }
  const limit = Math.max(2, total.notifications * IN_VAIN_LIMIT);
  expect(
    total.inVain,
    `of ${total.notifications} notifications told of nothing new`,
  ).toBeLessThanOrEqual(limit);
  expect(total.renewedInVain, 'new objects show what the old ones showed').toBeLessThanOrEqual(
    limit,
  );
}

describe('the store shows what the naive model shows', () => {
  const plain: ProgramOptions = { functionLayers: false, merging: 'plain', maxLength: 30 };

  it('after every step of short programs', () => check(0.3, { ...plain, maxLength: 12 }), TIMEOUT);
  it('after every step of long programs', () => check(0.3, plain), TIMEOUT);
  it('with optimistic functions', () => check(0.2, { ...plain, functionLayers: true }), TIMEOUT);
  it(
    'while what nobody reads is forgotten',
    () => check(0.2, { ...plain, functionLayers: true, forgetful: true }),
    TIMEOUT,
  );
  it(
    'with a merge that is not commutative',
    () => check(0.2, { ...plain, functionLayers: true, merging: 'titles' }),
    TIMEOUT,
  );
  it(
    'with rows that are reordered by what they say themselves',
    () => check(0.2, { ...plain, functionLayers: true, merging: 'counts' }),
    TIMEOUT,
  );
});
