/** One word per concept: see "Write code and text in plain words" in CONTRIBUTING.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Each word that the project replaced, and its replacement. */
const REPLACED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banswer(s|ed|ing)?\b|\b[a-z]+Answer[a-z]*\b/i, 'response, result'],
  [/\bguess(es|ed|ing)?\b|\b[a-z]+Guess[a-z]*\b/i, 'optimistic update'],
  [/\b(is|was)?told\b|\btells\b|\bhears\b/i, 'notified, returns'],
  [/\bdoubt(s|ed|ful)?\b/i, 'out-of-order mutations'],
  [/\b[Nn]obody\b|\b[Ww]hoever\b/, 'no reader, the caller'],
  [/\bmend(s|ed)?\b|\bremedy\b|\bmerely\b/i, 'fix, only'],
  [/\blets? go\b|\bhangs\b/i, 'release, stalled'],
];

/** In the source, also identifiers for the current value of a cell. */
const IN_SOURCE: typeof REPLACED = [
  ...REPLACED,
  [/\bshown\b(?! (at once|above|below|beside))/, 'current'],
  [/\bisGone\b|\bbesides?: Fields\b/, 'isMissing, pageFields'],
];

/** In the title of a test, also a beginning that names nothing: the list of failures shows it after the group’s title. */
const IN_TITLES: typeof REPLACED = [
  ...REPLACED,
  [/^(of|what|whatever|whoever|whom|whose|whether|which|and|so|but)\b/i, 'the thing it is about'],
];

/** Lines where a word has its ordinary meaning. */
const ORDINARY = [
  // The text of oxlint's rule about thrown promises.
  /only-throw-error/,
  /find answers to most questions|Short answers to common questions|Each answer links/,
  // A name, in an example.
  /\?\? 'nobody'/,
];

/** The files below a folder with these endings. */
function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`);
}

function replacedIn(paths: readonly string[], words: typeof REPLACED): string[] {
  const found: string[] = [];
  for (const path of paths) {
    const lines = readFileSync(root + path, 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      const word = words.find(([pattern]) => pattern.test(line));
      if (word && !ORDINARY.some((pattern) => pattern.test(line))) {
        found.push(`${path}:${index + 1} (${word[1]}): ${line.trim()}`);
      }
    }
  }
  return found;
}

/** The titles of the groups and tests of a file. */
function titlesIn(path: string): string[] {
  const title = /(?:\b(?:describe|it|test)(?:\.\w+)*|[)\]]\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1,/g;
  return [...readFileSync(root + path, 'utf8').matchAll(title)].map((match) => match[2] ?? '');
}

describe('The words of CONTRIBUTING.md are used', () => {
  it('in the source', () => {
    expect(replacedIn(filesIn('packages/restitch/src', /\.tsx?$/), IN_SOURCE)).toEqual([]);
  });

  it('in the documents', () => {
    const documents = [
      'README.md',
      'CONTRIBUTING.md',
      'packages/restitch/README.md',
      ...filesIn('docs', /\.md$/),
      ...filesIn('examples', /README\.md$/),
    ];
    // It quotes the titles of tests and the lines of the contract.
    const others = documents.filter((path) => path !== 'docs/contract-coverage.md');
    expect(replacedIn(others, REPLACED)).toEqual([]);
  });

  it('in the titles of tests', () => {
    const files = ['packages/restitch/test', 'packages/codemod/test', 'examples']
      .flatMap((folder) => filesIn(folder, /\.test\.tsx?$/))
      .filter((path) => !/\/(infinite|paging|windowed)\/|\/fixtures\//.test(path));
    const titles = files.flatMap((path) => titlesIn(path).map((title) => [path, title] as const));
    expect(titles.length).toBeGreaterThan(2_000);
    const replaced = titles.filter(([, title]) => IN_TITLES.some(([word]) => word.test(title)));
    expect(replaced).toEqual([]);
  });
});
