/**
 * Random programs with a listener of the change feed. After each step, and whenever it is notified, the fold of all changes is the exported
 * state, and what the naive model says is confirmed.
 *
 * The same environment variables as for `model.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { search } from './search.js';
import { VARIANTS } from './variants.js';

/** A quarter of the order model's: each step of these compares the whole state. */
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 8000) / 4);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

/** Milliseconds for one property. */
const TIMEOUT = 20_000 + RUNS * 50;

describe('the fold of all changes is the exported state', () => {
  it.each(Object.entries(VARIANTS))(
    'after every step of programs of the kind %s',
    async (_, { share, options }) => {
      const wanted = {
        runs: Math.ceil(RUNS * share),
        seed: SEED === undefined ? undefined : Number(SEED),
        path: PATH,
      };
      expect((await search(options, wanted, true)).failure).toBeUndefined();
    },
    TIMEOUT,
  );
});
