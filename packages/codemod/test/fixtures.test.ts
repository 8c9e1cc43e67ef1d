import { convertFiles } from 'restitch-codemod';
import { describe, expect, test } from 'vitest';
import { fixtures } from './support/fixtures.js';

describe.each(fixtures())('$name', ({ path, input, output }) => {
  const { files } = convertFiles([{ path, source: input }]);
  const [converted] = files;

  test('becomes its output', () => {
    expect(converted?.error).toBeUndefined();
    expect(converted?.source).toBe(output);
  });

  test('does not change in a second run', () => {
    const [again] = convertFiles([{ path, source: output }]).files;
    expect(again?.source).toBe(output);
  });
});
