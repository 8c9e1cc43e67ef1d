/**
 * Random programs, run under real axios and after their conversion, against one recording server.
 *
 * `RESTITCH_CODEMOD_RUNS` sets how many programs run (default 2 000), `RESTITCH_CODEMOD_SEED` and `RESTITCH_CODEMOD_PATH`, which a
 * failure prints, repeat one. `RESTITCH_CODEMOD_WRITE=1` writes the shares into `CONVERSION.md`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { programs } from './generate.js';
import { examine, type Verdict } from './judge.js';
import { startServer, type RecordingServer } from './server.js';
import { sharesText } from './shares.js';
import { newTypeErrors } from './typeCheck.js';

const DEFAULT_RUNS = 2000;
const DEFAULT_SEED = 20_261_120;
const RUNS = Number(process.env['RESTITCH_CODEMOD_RUNS'] ?? DEFAULT_RUNS);
const SEED = Number(process.env['RESTITCH_CODEMOD_SEED'] ?? DEFAULT_SEED);
const PATH = process.env['RESTITCH_CODEMOD_PATH'];

/** Milliseconds; a program needs about thirty. */
const TIMEOUT = 60_000 + RUNS * 200;

const PAGE = new URL('../../CONVERSION.md', import.meta.url);
const MARKS = /(<!-- shares -->\n)[^]*?(<!-- end of shares -->)/;

let server: RecordingServer;
beforeAll(async () => {
  server = await startServer();
  // Some programs read their address from here.
  vi.stubEnv('EXAMPLE_HOST', 'https://environment.example.com');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

describe('random programs', () => {
  const verdicts: Verdict[] = [];

  it(
    'send the same requests and give the same values after their conversion',
    async () => {
      const details = await fc.check(
        fc.asyncProperty(programs(), async (program) => {
          const verdict = await examine(program, server);
          verdicts.push(verdict);
          if (verdict.problem) throw new Error(verdict.problem);
        }),
        { numRuns: RUNS, seed: SEED, ...(PATH === undefined ? {} : { path: PATH }) },
      );
      if (!details.failed) return;
      const { errorInstance: error, seed, counterexamplePath, numRuns, numShrinks } = details;
      throw new Error(
        `A conversion is wrong (program ${numRuns}, shrunk ${numShrinks} times; ` +
          `RESTITCH_CODEMOD_SEED=${seed} RESTITCH_CODEMOD_PATH=${counterexamplePath ?? ''}):\n` +
          (error instanceof Error ? error.message : String(error)),
      );
    },
    TIMEOUT,
  );

  it(
    'compile after their conversion if they did before',
    async () => {
      const pairs = verdicts.map(({ written, converted }) => ({
        before: written.files,
        after: converted,
      }));
      const [first] = await newTypeErrors(pairs);
      if (!first) return;
      const [index, errors] = first;
      const show = pairs[index]?.after.map(({ path, source }) => `// ${path}\n${source}`);
      const shown = pairs[index]?.before.map(({ path, source }) => `// ${path}\n${source}`);
      throw new Error(`${errors}\n${shown?.join('\n')}\n=== conversion\n${show?.join('\n')}`);
    },
    TIMEOUT,
  );

  // Another number of programs has other shares.
  it.runIf(RUNS === DEFAULT_RUNS && SEED === DEFAULT_SEED && PATH === undefined)(
    'are converted in the shares that CONVERSION.md states',
    async () => {
      const page = await readFile(PAGE, 'utf8');
      expect(page).toMatch(MARKS);
      const next = page.replace(
        MARKS,
        (_, start: string, end: string) => `${start}\n${sharesText(verdicts)}\n\n${end}`,
      );
      if (process.env['RESTITCH_CODEMOD_WRITE']) await writeFile(PAGE, next);
      else expect(page, 'run `npm run conversion -w restitch-codemod`').toBe(next);
    },
  );
});
