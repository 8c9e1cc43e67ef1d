import { convertFiles, type ConvertOptions } from 'restitch-codemod';
import { describe, expect, test } from 'vitest';
import { fixtures } from './support/fixtures.js';

const variants: readonly ConvertOptions[] = [
  { inline: true },
  { todo: false },
  { complete: false },
  { inline: true, complete: false },
  { withoutAxios: true },
];

describe.each(variants)('with %o', { tags: 'scale' }, (options) => {
  test('every fixture passes the last check, and a second run changes nothing', () => {
    for (const { input } of fixtures()) {
      const { files } = convertFiles(input, options);
      for (const { path, error } of files) expect(error, path).toBeUndefined();
      for (const { path, changed } of convertFiles(files, options).files)
        expect(changed, path).toBe(false);
    }
  });
});

test('sites are reported in the order of paths and lines, each once', { tags: 'scale' }, () => {
  for (const { input } of fixtures()) {
    const { sites } = convertFiles(input);
    const keys = sites.map(({ path, line }) => `${path}:${String(line).padStart(5)}`);
    expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    for (const { status, reason, code } of sites)
      expect(status === 'skipped').toBe(reason !== undefined && code !== undefined);
  }
});
