import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const docs = new URL('../../../docs/', import.meta.url);
const sources = new URL('../src/', import.meta.url);
const read = (name: string, folder: URL): string => readFileSync(new URL(name, folder), 'utf8');
const guides = read('guide/transforming-data.md', docs) + read('guide/authentication.md', docs);

/** Code without what a document leaves out: imports of other parts, comments for an editor's tool tips, layout. */
const essence = (code: string): string =>
  code
    .replace(/^ *import .*;$/gm, '')
    .replace(/\/\*\*(?:(?!\*\/)[^])*\*\//g, '')
    .replace(/\s+/g, '');

describe('the guides', () => {
  it.each(readdirSync(sources))('show the code of %s as it is', (name) => {
    const [before] = guides.split(`(../../examples/recipes/src/${name})`);
    expect(before, `no link to ${name}`).not.toBe(guides);
    const blocks = [...(before ?? '').matchAll(/^ *```ts\n([^]*?)\n *```$/gm)];
    const shown = blocks.at(-1)?.[1] ?? '';
    expect(shown).not.toBe('');
    expect(essence(read(name, sources))).toContain(essence(shown));
  });

  it('link only to files that exist', () => {
    const paths = [...guides.matchAll(/\(\.\.\/(\.\.\/examples\/[^)]+)\)/g)];
    expect(paths.length).toBeGreaterThan(0);
    for (const [, path] of paths) expect(existsSync(new URL(path ?? '', docs)), path).toBe(true);
  });
});

describe('the migration from axios', () => {
  const text = read('migrating-from-axios.md', docs);
  // Over the instance both stand in one program.
  const sections = text
    .split(/^## /m)
    .filter(
      (section) => section.includes('```ts') && !section.startsWith('Keep the axios instance'),
    );

  it('has a section for every row of its table', () => {
    const rows = [...text.matchAll(/\]\(#([\w-]+)\) *\|$/gm)].map(([, anchor]) => anchor);
    const titles = sections.map((section) => section.split('\n')[0]?.toLowerCase());
    expect(rows).toHaveLength(15);
    expect(rows).toEqual(titles.map((title) => title?.replaceAll(' ', '-')));
  });

  it.each(sections.map((section) => [section.split('\n')[0], section]))(
    'shows %s with axios first, then with restitch',
    (_, section = '') => {
      const [before = '', after = ''] = [...section.matchAll(/```ts\n([^]*?)```/g)].map(
        ([, code]) => code,
      );
      expect(before).toContain("from 'axios'");
      expect(before).not.toContain("from 'restitch'");
      expect(after).toContain("from 'restitch'");
      expect(after).not.toContain("from 'axios'");
    },
  );
});
