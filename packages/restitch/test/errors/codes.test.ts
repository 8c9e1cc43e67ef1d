/** Every code that an error may have is explained under a heading of its own, and every heading is a code that there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const document = fileURLToPath(new URL('../../../../docs/errors.md', import.meta.url));

/** The source without comments: examples in them use codes too. */
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(`${source}/${path}`, 'utf8'))
  .join('\n')
  .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

/** Where a code is given: to the constructor of an error or what calls it, as a property, or in the type that lists them. */
const PLACES = [
  /\b(?:RestitchError|SchemaError|super|guarded|misuse|fail)\(\s*(?:\w+,\s*)?'([\w-]+)'/g,
  /\bcode(?:: | \?\? )'([\w-]+)'/g,
  /^ {2}\| '([a-z]+(?:-[a-z]+)+)'/gm,
];

const found = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

const codes = new Set(PLACES.flatMap((place) => found(place, code)));
const headings = found(/^## (.+)$/gm, readFileSync(document, 'utf8'));

describe('the codes of errors', () => {
  it('are words, joined by hyphens, and there are as many as headings', () => {
    expect([...codes].filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
    expect(new Set(headings).size).toBe(headings.length);
  });

  it('each have a heading in docs/errors.md, and each heading is a code', () => {
    expect([...codes].sort()).toEqual([...headings].sort());
  });

  it('are written out where an error is made, so that none escapes this test', () => {
    const made = [...code.matchAll(/new (?:RestitchError|SchemaError)\(\s*(\S+?),/g)];
    const unclear = made.map(([, name]) => name).filter((name) => !/^'.*'$/.test(name ?? ''));
    // `guarded`, whose callers are looked at above.
    expect(unclear).toEqual(['code']);
  });
});
