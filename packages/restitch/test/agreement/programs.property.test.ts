/**
 * Random programs with lists by status and by tag, records, owners, and mutations of all kinds. Requests overlap, responses
 * arrive in any order, and mutations get full, partial or empty responses. Once all is quiet, each mounted reader shows what
 * the server has, and so does each reader that mounts then.
 *
 * A fifth of `RESTITCH_MODEL_RUNS` programs run (default 1 000). `RESTITCH_MODEL_SEED` and `RESTITCH_MODEL_PATH`, which a
 * failure prints, repeat one. A long run: `npm run test:nightly -- --model agreement`.
 */
import { it } from 'vitest';
import { search } from './search.js';

const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 5);
const SEED = process.env['RESTITCH_MODEL_SEED'];

it('client and server agree once all is quiet', { timeout: 20_000 + RUNS * 50 }, async () => {
  const { failure } = await search({
    runs: RUNS,
    seed: SEED === undefined ? undefined : Number(SEED),
    path: process.env['RESTITCH_MODEL_PATH'],
  });
  if (failure !== undefined) throw new Error(failure);
});
