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
  const sections = [...page('docs/errors.md').matchAll(/^## ([a-z-]+)$/gm)].map(([, code]) => code);
  const rows = [...page('packages/restitch/AGENTS.md').matchAll(/^\| `([a-z-]+)` /gm)];
  expect(rows.map(([, code]) => code).sort()).toEqual(sections.sort());
});
