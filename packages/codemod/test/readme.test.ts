import { readFileSync } from 'node:fs';
import { convertFiles } from 'restitch-codemod';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the example of the README is what the codemod does', () => {
  const [before = '', after] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code]) => code,
  );
  const { files, sites } = convertFiles([{ path: 'users.ts', source: before }]);
  expect(files[0]?.source).toBe(after);
  expect(sites.every(({ status }) => status === 'converted')).toBe(true);
});
