/** Random URLs. */
import fc from 'fast-check';
import { CROSS, mostly, oneOf } from './arbitraries.js';
import * as expressions from './expressions.js';
import type { QueryPair, Segment, Url } from './program.js';

const word = fc.constantFrom('users', 'posts', 'orders', 'v1', 'me', 'comments');
// Characters that mean something in a path template, in a URL, or in a regular expression.
const oddWord = fc.constantFrom(
  'a:b',
  '(x)',
  'a+b',
  '*',
  'q{x}',
  'v1.2',
  '@me',
  '~you',
  'ünï',
  '%41',
  'a,b',
  '!',
  '$x',
);
const segment: fc.Arbitrary<Segment> = fc.oneof(
  CROSS,
  { weight: 10, arbitrary: word.map((text) => [text]) },
  { weight: 10, arbitrary: oneOf(expressions.pathValues).map((item) => [item]) },
  { weight: 1, arbitrary: oddWord.map((text) => [text]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('', 'no-', 'p.'),
        oneOf(expressions.pathValues),
        fc.constantFrom('.json', '-x', ''),
      )
      .map(([before, item, after]) => [before, item, after].filter((part) => part !== '')),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        oneOf(expressions.pathValues),
        fc.constantFrom('-', '..', ','),
        oneOf(expressions.pathValues),
      )
      .map((parts) => parts),
  },
);

// The words to which the server responds in a special way.
const special = mostly<string | undefined>(
  undefined,
  'list',
  'missing',
  'refused',
  'broken',
  'nothing',
  'blank',
  'words',
  'page',
  'sheet',
  'picture',
  'endless',
);

/** Names of query parameters. */
export const key = fc.constantFrom('page', 'term', 'sort', 'id', 'limit', 'a-b', 'x[]', 'userId');
const pair: fc.Arbitrary<QueryPair> = fc.record({
  key,
  value: fc.oneof(CROSS, fc.constantFrom('1', 'a%20b', '', 'new'), oneOf(expressions.queryValues)),
});

/** URLs, with the word that chooses the response of the server among their segments. */
export const url: fc.Arbitrary<Url> = fc
  .record({
    start: mostly<Url['start']>(
      'relative',
      'absolute',
      'constant',
      'imported',
      'environment',
      'slashed',
    ),
    stands: mostly<Url['stands']>(
      'in the call',
      'in the call',
      'in the call',
      'in a local constant',
      'in a constant of the module',
    ),
    leadingSlash: mostly(true, false),
    special,
    segments: fc.array(segment, { minLength: 1, maxLength: 4 }),
    query: fc.oneof(
      CROSS,
      { weight: 4, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.uniqueArray(pair, {
          minLength: 1,
          maxLength: 3,
          selector: (item) => item.key,
        }),
      },
    ),
    concatenated: mostly(false, false, false, true),
    trailingSlash: mostly(false, false, false, true),
  })
  .map(({ special: wanted, segments, trailingSlash, ...rest }) => ({
    ...rest,
    segments: [
      ...(wanted === undefined ? [] : [[wanted]]),
      ...segments,
      ...(trailingSlash ? [[]] : []),
    ],
  }));
