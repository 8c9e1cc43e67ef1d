/** Random options of requests. */
import fc from 'fast-check';
import { CROSS, mostly, oneOf, seldom } from './arbitraries.js';
import * as expressions from './expressions.js';
import { key } from './generateUrl.js';
import type { Config, Expression, Member } from './program.js';

/** Members of an object literal. */
export const members = (
  names: fc.Arbitrary<string>,
  values: fc.Arbitrary<Expression>,
  maxLength = 3,
): fc.Arbitrary<readonly Member[]> =>
  fc.uniqueArray(fc.record({ key: names, value: values }), {
    minLength: 1,
    maxLength,
    selector: (member) => member.key.toLowerCase(),
  });

/** Names of headers. */
export const headerName = mostly('X-Client', 'x-client', 'Accept', 'X-Trace-Id', 'Authorization');
const contentType: fc.Arbitrary<Member> = mostly(
  'application/json',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
).map((type) => ({
  key: 'Content-Type',
  value: { kind: 'content-type', text: `'${type}'`, reads: [] },
}));

const headers = fc
  .tuple(
    fc.oneof(
      CROSS,
      { weight: 3, arbitrary: members(headerName, oneOf(expressions.staticHeaders)) },
      { weight: 3, arbitrary: members(headerName, oneOf(expressions.localHeaders)) },
    ),
    seldom(4, contentType),
  )
  .map(([list, type]) => (type ? [...list, type] : list));

/** The options of a request. */
export const config: fc.Arbitrary<Config> = fc.record({
  params: seldom(
    4,
    fc.oneof(
      CROSS,
      { weight: 4, arbitrary: members(key, oneOf(expressions.queryValues)) },
      { weight: 1, arbitrary: oneOf(expressions.paramObjects) },
    ),
  ),
  headers: seldom(5, headers),
  timeout: seldom(12, mostly('5000', 'LIMIT', '0')),
  responseType: seldom(
    8,
    mostly<Exclude<Config['responseType'], undefined>>('blob', 'arraybuffer', 'text', 'json'),
  ),
  withCredentials: seldom(12, mostly(true, false)),
  auth: seldom(15, mostly<Exclude<Config['auth'], undefined>>('literal', 'local')),
  signal: seldom(10, fc.constant(true)),
  data: seldom(12, oneOf(expressions.bodies)),
  other: seldom(
    25,
    fc.constantFrom(
      'validateStatus: () => true',
      'maxRedirects: 3',
      "transformResponse: (text) => text + '!'",
      'paramsSerializer: { indexes: null }',
      "xsrfCookieName: 'csrf'",
      "baseURL: 'https://other.example.com/v9'",
    ),
  ),
  bound: mostly<Config['bound']>('inline', 'inline', 'inline', 'local', 'module'),
});
