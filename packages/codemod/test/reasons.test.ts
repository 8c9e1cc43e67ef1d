import { readFileSync } from 'node:fs';
import { REASONS } from 'restitch-codemod';
import { expect, test } from 'vitest';

const guide = readFileSync(
  new URL('../../../docs/migrating-from-axios.md', import.meta.url),
  'utf8',
);
const section = guide.slice(guide.indexOf('## What the codemod leaves to you'));
const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);

test('each reason has a heading in the migration guide, and each heading there a reason', () => {
  expect(new Set(headings)).toEqual(new Set(Object.keys(REASONS)));
  expect(headings).toHaveLength(Object.keys(REASONS).length);
});
