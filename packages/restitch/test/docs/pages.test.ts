/** What pages say, and what they do without. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../../scripts/docBlocks.mjs';

const page = (file: string): string => readFileSync(join(root, file), 'utf8');

it('getting started needs no static key; the page on server rendering introduces it', () => {
  for (const file of ['README.md', 'docs/guide/getting-started.md', 'docs/guide/resources.md']) {
    expect(page(file), file).toContain('extends Entity');
    expect(page(file), file).not.toMatch(/static (override )?(readonly )?key/);
  }
  expect(page('docs/guide/server-rendering.md')).toMatch(/static key = /);
});

it('the page for coding agents names each error code', () => {
  const codesIn = (file: string, line: RegExp): Set<string | undefined> =>
    new Set(Array.from(page(file).matchAll(line), ([, code]) => code));
  const rows = codesIn('packages/restitch/AGENTS.md', /^\| `([a-z-]+)` /gm);
  expect(rows).toEqual(codesIn('docs/errors.md', /^## ([a-z-]+)$/gm));
});
