import { convertFiles } from 'restitch-codemod';
import { describe, expect, test } from 'vitest';
import left from './fixtures/left.json' with { type: 'json' };
import { fixtures } from './support/fixtures.js';
import { factsOf, PLATFORM } from './support/gate.js';

const all = fixtures();
// A file that gets nothing else gets no comments.
const reasons: Readonly<Record<string, readonly string[]>> = left;
const TODO = ' TODO(axios-to-restitch):';

describe.each(all)('$name', ({ name, input, output, options }) => {
  const { files, sites } = convertFiles(input, options);

  test('becomes its output', () => {
    for (const [index, { path, source, error }] of files.entries()) {
      expect(error, path).toBeUndefined();
      expect(source, path).toBe(output[index]?.source);
    }
  });

  test('gives a reason for each site that it leaves', () => {
    const texts = sites.flatMap(({ path, line, reason }) =>
      reason === undefined ? [] : [`${path}:${line} ${reason}`],
    );
    expect(texts).toEqual(reasons[name] ?? []);
  });

  test('does not change in a second run', () => {
    for (const { path, source } of convertFiles(output, options).files) {
      expect(source, path).toBe(output.find((file) => file.path === path)?.source);
    }
  });

  test('parses, names nothing that is not there, and has all comments and line ends', () => {
    for (const [index, { path, source }] of input.entries()) {
      const before = factsOf(path, source);
      const after = factsOf(path, output[index]?.source ?? '');
      const added = [...after.free].filter((name) => !before.free.has(name) && !PLATFORM.has(name));
      expect(added, path).toEqual([]);
      const kept = after.comments.filter((text) => !text.startsWith(TODO));
      expect(kept, path).toEqual(before.comments.filter((text) => !text.startsWith(TODO)));
      for (const newline of after.newlines) expect(before.newlines, path).toContain(newline);
    }
  });
});

test('there are fixtures for what is converted and for what is not', () => {
  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(all.filter(({ name }) => name.startsWith('untouched/')).length).toBeGreaterThanOrEqual(10);
});
