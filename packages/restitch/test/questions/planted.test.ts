/** Mistakes that are planted on purpose: the model finds each of them. */
import { afterAll, describe, expect, it } from 'vitest';
import { LIBRARY } from './kit.js';
import { MISTAKES } from './planted.js';
import { anyProgram, search } from './search.js';

const RUNS = 2000;
const SEED = Number(process.env['RESTITCH_MODEL_SEED'] ?? 1);

describe('the question model finds a mistake within 2 000 programs', () => {
  const rows: string[] = [];
  afterAll(() => {
    console.log(
      ['| Mistake | Found by program | As |', '| --- | ---: | --- |', ...rows].join('\n'),
    );
  });

  it.for(Object.entries(MISTAKES))('%s', { timeout: 60_000 }, async ([name, part]) => {
    const kit = { ...LIBRARY, ...part };
    const found = await search(anyProgram, { runs: RUNS, seed: SEED, shrinks: false }, kit);
    rows.push(`| ${name} | ${found.programs} | ${found.code ?? 'not found'} |`);
    expect(found.code).toBeDefined();
  });
});
