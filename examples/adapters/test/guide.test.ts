// @vitest-environment node
import { compile } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { blocksOf } from '../../../scripts/docBlocks.mjs';

const components = blocksOf('docs/guide/other-frameworks.md').filter(
  ({ language }) => language === 'svelte',
);

test('the guide shows a Svelte component', () => {
  expect(components).toHaveLength(1);
});

test.each(components)('the Svelte component of $file:$line compiles', ({ code }) => {
  const { js, warnings } = compile(code, { runes: true });
  expect(warnings).toEqual([]);
  expect(js.code).toContain('resultOf(controller, getUser');
});
