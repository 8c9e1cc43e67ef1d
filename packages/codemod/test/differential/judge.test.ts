/** The judge on conversions by hand, right and wrong: it must be right before it judges. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine, type Converter } from './judge.js';
import type { Call, Inputs, Program } from './program.js';
import { startServer, type RecordingServer } from './server.js';

let server: RecordingServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const INPUTS: Inputs = {
  id: 'a1',
  slug: 'plain',
  user: { id: 1, _id: 'u', name: 'Ada' },
  item: { id: 'i', kind: 'note' },
  page: 2,
  term: 'word',
  flag: true,
  tags: ['x', 'y'],
  nothing: undefined,
  filter: {},
  payload: { name: 'Ada' },
  token: 'secret',
  signal: undefined,
};

const CALL: Call = {
  name: 'load',
  callee: 'axios',
  form: 'method',
  method: 'get',
  url: {
    start: 'absolute',
    leadingSlash: true,
    segments: [['users'], [{ kind: 'name', text: 'id', reads: ['id'] }]],
    query: [],
    concatenated: false,
    stands: 'in the call',
  },
  config: { bound: 'inline' },
  body: undefined,
  result: 'await data',
  placement: 'function',
  typed: false,
  commented: false,
  destructured: false,
  inputs: INPUTS,
};

function program(call: Partial<Call>): Program {
  return {
    language: 'js',
    adapter: 'http',
    quote: "'",
    semicolons: true,
    crlf: false,
    todo: true,
    withoutAxios: true,
    hazards: [],
    importStyle: 'default',
    split: false,
    setup: 'none',
    instance: {
      name: 'api',
      place: 'same',
      base: 'literal',
      headers: [],
      timeout: 'none',
      withCredentials: false,
      annotated: false,
      other: undefined,
      stays: 'no',
    },
    calls: [{ ...CALL, ...call }],
  };
}

/** Converts every program to this text. Its second run changes nothing. */
const by =
  (definition: string, body: string, parameters = 'id'): Converter =>
  (files) => {
    const source = `import { RestEndpoint } from 'restitch';\n${definition}\nexport async function load(${parameters}) {\n  ${body}\n}\n`;
    return {
      files: files.map((file) => ({ path: file.path, source, changed: file.source !== source })),
      sites: files.flatMap((file) => {
        const line = file.source.split('\n').findIndex((text) => text.includes('axios.')) + 1;
        return line ? [{ path: file.path, line, status: 'converted' as const }] : [];
      }),
      clients: [],
    };
  };

const problemOf = async (call: Partial<Call>, convert: Converter): Promise<string> =>
  (await examine(program(call), server, convert)).problem ?? 'none';

const USER =
  "const getUser = new RestEndpoint({ urlPrefix: 'https://api.example.com/v1', path: '/users/:id' });";

describe('a right conversion', () => {
  it('passes', async () => {
    expect(await problemOf({}, by(USER, 'return getUser({ id });'))).toBe('none');
  });

  it('passes when the server refuses', async () => {
    const url = { ...CALL.url, segments: [['missing']] };
    const definition = USER.replace('/users/:id', '/missing');
    expect(await problemOf({ url }, by(definition, 'return getUser();', ''))).toBe('none');
  });

  it.each(['a/b', 'a?b', '50%', '', '..'])(
    'passes with the path value `%s`, counted as documented',
    async (id) => {
      const verdict = await examine(
        program({ inputs: { ...INPUTS, id } }),
        server,
        by(USER, 'return getUser({ id });'),
      );
      expect(verdict.problem).toBeUndefined();
      expect(verdict.documented).toBe(1);
    },
  );

  it('passes with an array in the query, counted as documented', async () => {
    const tags = { kind: 'array', text: 'tags', reads: ['tags'] as const };
    const verdict = await examine(
      program({ config: { bound: 'inline', params: [{ key: 'tag', value: tags }] } }),
      server,
      by(USER, 'return getUser({ id, tag: tags });', 'id, tags'),
    );
    expect(verdict.problem).toBeUndefined();
    expect(verdict.documented).toBe(1);
  });
});

describe('a wrong conversion is found', () => {
  it.each([
    ['another path', USER.replace('/users', '/user'), 'return getUser({ id });'],
    ['another host', USER.replace('api.', 'www.'), 'return getUser({ id });'],
    ['another method', USER.replace('path:', "method: 'PUT', path:"), 'return getUser({ id });'],
    [
      'a value that is encoded twice',
      USER,
      'return getUser({ id: encodeURIComponent(`${id}/`) });',
    ],
    ['an endless query', USER, 'return getUser({ id, page: 1 });'],
    [
      'a header more',
      USER.replace('path:', "requestInit: { headers: { 'x-more': '1' } }, path:"),
      'return getUser({ id });',
    ],
    ['another value', USER, 'return (await getUser({ id })).data;'],
    ['a request that is never sent', USER, 'return getUser;'],
    ['a request that is sent twice', USER, 'await getUser({ id });\n  return getUser({ id });'],
    ['an unknown name', '', 'return getUser({ id });'],
  ])('%s', async (_, definition, body) => {
    expect(await problemOf({}, by(definition, body))).toContain('differs.');
  });

  it('a body that is lost', async () => {
    const body = { kind: 'name', text: 'payload', reads: ['payload'] as const };
    const definition = USER.replace('path:', "method: 'POST', body: undefined, path:");
    const call: Partial<Call> = { method: 'post', body };
    expect(
      await problemOf(call, by(definition, 'return getUser({ id });', 'id, payload')),
    ).toContain('differs.');
  });

  it('a failure that is swallowed', async () => {
    const url = { ...CALL.url, segments: [['missing']] };
    const definition = USER.replace('/users/:id', '/missing');
    expect(
      await problemOf({ url }, by(definition, 'return getUser().catch(() => 1);', '')),
    ).toContain('differs.');
  });

  it('a request that is left alone, but changed', async () => {
    const left: Converter = (files) => {
      const { sites, ...rest } = by(USER, 'return getUser({ id });')(files);
      return {
        ...rest,
        sites: sites.map((site) => ({ ...site, status: 'skipped', reason: 'because' })),
      };
    };
    // The value would do for a converted request: its difference is a documented one.
    const inputs = { ...INPUTS, id: 'a/b' };
    expect(await problemOf({ inputs }, left)).toContain('differs.');
  });

  it('a request that the report does not have', async () => {
    const silent: Converter = (files) => ({
      ...by(USER, 'return getUser({ id });')(files),
      sites: [],
    });
    expect(await problemOf({}, silent)).toContain('0 lines instead of one');
  });

  it('a comment that is lost', async () => {
    expect(await problemOf({ commented: true }, by(USER, 'return getUser({ id });'))).toContain(
      'is lost',
    );
  });

  it('a second run that changes something', async () => {
    let count = 0;
    const restless: Converter = (files) =>
      by(`${USER}\nconst run = ${(count += 1)};`, 'return getUser({ id });')(files);
    expect(await problemOf({}, restless)).toContain('The second run changes');
  });
});
