/** Random programs: most of a program is ordinary, and every oddity comes up now and then. */
import fc from 'fast-check';
import { CROSS, mostly, oneOf, seldom, weighted } from './arbitraries.js';
import * as expressions from './expressions.js';
import { config, headerName, members } from './generateConfig.js';
import { key, url } from './generateUrl.js';
import type { Call, Hazard, Inputs, Instance, Program } from './program.js';
import { sane } from './sane.js';

const text = fc.constantFrom(
  'plain',
  'a b',
  'a/b',
  'ünï✓',
  '50%',
  'a?b=c',
  '#top',
  'a&b=c',
  '%2F',
  "o'neil",
  '+',
  'a:b',
  '🙂',
);
const odd = (of: number): fc.Arbitrary<string> =>
  fc.oneof(
    CROSS,
    { weight: of, arbitrary: fc.constant('plain') },
    { weight: of, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom('', '.', '..') },
  );
const json = fc.dictionary(
  fc.constantFrom('name', 'inner', 'list', 'at'),
  fc.oneof(CROSS, text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)),
  { maxKeys: 3 },
);

const inputs: fc.Arbitrary<Inputs> = fc.record({
  id: fc.oneof<fc.Arbitrary<string | number>[]>(
    fc.integer({ min: 1, max: 99 }),
    fc.constant(0),
    odd(5),
  ),
  slug: odd(5),
  user: fc.record({ id: fc.integer({ min: 0, max: 9 }), _id: text, name: odd(5) }),
  item: fc.record({ id: odd(8), kind: fc.constantFrom('note', 'task') }),
  page: fc.integer({ min: 0, max: 5 }),
  term: odd(5),
  flag: fc.boolean(),
  tags: fc.array(text, { maxLength: 3 }),
  nothing: fc.constantFrom(undefined, null),
  filter: fc.dictionary(
    key,
    fc.oneof(CROSS, text, fc.integer(), fc.boolean(), fc.constantFrom(null, undefined)),
    { maxKeys: 3 },
  ),
  payload: json,
  token: fc.constantFrom('secret', 't-1'),
  signal: mostly<number | undefined>(undefined, 0),
});

const call: fc.Arbitrary<Call> = fc.record({
  // Some are names that a conversion might want for itself.
  name: mostly(
    'load',
    'run',
    'getUsers',
    'getUser',
    'postUsers',
    'createUser',
    'deletePosts',
    'listUsers',
    'getUserById',
  ),
  callee: weighted<Call['callee']>([
    [40, 'axios'],
    [60, 'instance'],
  ]),
  form: mostly<Call['form']>('method', 'method', 'config', 'urlConfig', 'request'),
  method: mostly<Call['method']>('get', 'post', 'put', 'patch', 'delete', 'head', 'options'),
  url,
  config,
  body: fc.option(oneOf(expressions.bodies), { freq: 5 }).map((body) => body ?? undefined),
  result: mostly<Call['result']>(
    'await data',
    'destructured',
    'destructured and renamed',
    'variable, only data read',
    'await member of data',
    'destructured deeply',
    'destructured with a default',
    'variable assigned later',
    'then arrow',
    'then destructured',
    'then function',
    'then and catch',
    'then and catch status',
    'then with two handlers',
    'then and finally',
    'then twice',
    'Promise.all',
    'unused',
    'response returned',
    'response passed on',
    'status read',
    'status destructured',
    'then status',
  ),
  placement: mostly<Call['placement']>(
    'function',
    'arrow',
    'arrow with an expression',
    'class method',
    'static method',
    'object method',
    'nested callback',
    'loop',
    'try with isAxiosError',
    'try with isAxiosError by name',
    'try with error.response',
    'try with another catch',
    'module, chained',
    'module, initializer',
  ),
  typed: mostly(false, true),
  commented: mostly(false, false, true),
  destructured: mostly(false, false, true),
  inputs,
});

const instance: fc.Arbitrary<Instance> = fc.record({
  name: mostly('api', 'client', 'http', '$http', 'axiosInstance'),
  place: mostly<Instance['place']>('same', 'file', 'index', 'default', 'renamed'),
  base: mostly<Instance['base']>(
    'literal',
    'literal with a slash',
    'constant',
    'environment',
    'relative',
    'none',
  ),
  headers: seldom(3, members(headerName, oneOf(expressions.staticHeaders))).map(
    (list) => list ?? [],
  ),
  timeout: mostly<Instance['timeout']>('none', 'none', 'literal', 'constant'),
  withCredentials: mostly(false, false, true),
  annotated: mostly(false, true),
  other: seldom(
    12,
    fc.constantFrom(
      "params: { key: '1' }",
      "responseType: 'text'",
      "auth: { username: 'ada', password: 'secret' }",
      'paramsSerializer: { indexes: null }',
      "headers: { common: { 'X-Common': 'yes' } }",
      'validateStatus: () => true',
    ),
  ),
  // As often as in applications: of 2,224 requests that were left, 1,341 were for interceptors.
  stays: weighted<Instance['stays']>([
    [30, 'no'],
    [24, 'interceptor'],
    [24, 'unwrapping interceptor'],
    [10, 'response interceptor'],
    [7, 'passed'],
    [5, 'defaults'],
  ]),
});

const hazards = fc.uniqueArray(
  fc.constantFrom<Hazard[]>(
    'directive',
    'licence',
    'taken endpoint name',
    'taken class name',
    'shadowed axios',
    'shadowed endpoint',
    'foreign api',
    'type import',
  ),
  { maxLength: 2 },
);

/** Programs of one to `maxCalls` requests. */
export const programs = (maxCalls = 3): fc.Arbitrary<Program> =>
  fc
    .record({
      language: mostly<Program['language']>('ts', 'js', 'tsx', 'mjs', 'cjs'),
      adapter: mostly<Program['adapter']>('http', 'fetch'),
      quote: mostly<Program['quote']>("'", '"'),
      semicolons: mostly(true, false),
      crlf: mostly(false, false, false, true),
      todo: mostly(true, false),
      withoutAxios: mostly(false, true),
      instance,
      importStyle: mostly<Program['importStyle']>(
        'default',
        'default',
        'default',
        'renamed',
        'namespace',
        'default by name',
      ),
      setup: mostly<Program['setup']>(
        'none',
        'none',
        'none',
        'none',
        'none',
        'none',
        'none',
        'defaults',
        'interceptor',
      ),
      split: mostly(false, true),
      hazards: fc.oneof(
        CROSS,
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: hazards },
      ),
      calls: fc.array(call, { minLength: 1, maxLength: maxCalls }),
    })
    .map(sane);
