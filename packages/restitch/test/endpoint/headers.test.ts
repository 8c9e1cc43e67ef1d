/** The names and values of headers arrive as the program wrote them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hookifyResource, resource, RestEndpoint, Entity } from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const seen: string[][] = [];
const server = createServer((request, response) => {
  seen.push(request.rawHeaders);
  response.end();
});
let urlPrefix = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server on a port, so the address is not a string.
  urlPrefix = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => void (seen.length = 0));

/** The headers of the only request, as they were spelled. */
function sent(): Record<string, string> {
  const [raw = []] = seen;
  return Object.fromEntries(
    raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [])),
  );
}

const make = (options: object): RestEndpoint =>
  new RestEndpoint({ urlPrefix, path: '/a', name: 'getA', ...options });

describe('a header that is undefined', () => {
  it.each([
    ['of getHeaders', { getHeaders: () => ({ authorization: undefined, 'x-own': '1' }) }],
    [
      'of an async getHeaders',
      { getHeaders: async () => ({ Authorization: undefined, 'x-own': '1' }) },
    ],
    ['of requestInit', { requestInit: { headers: { authorization: undefined, 'x-own': '1' } } }],
    [
      'in a list of pairs',
      {
        getHeaders: () => [
          ['authorization', undefined],
          ['x-own', '1'],
        ],
      },
    ],
    ['that is null', { getHeaders: () => ({ authorization: null, 'x-own': '1' }) }],
  ])('%s is left out', async (_, options) => {
    await make(options)();
    expect(sent()).toMatchObject({ 'x-own': '1' });
    expect(Object.keys(sent()).map((name) => name.toLowerCase())).not.toContain('authorization');
  });

  it('takes the header away that was there', async () => {
    await make({
      requestInit: { headers: { Authorization: 'Bearer old' } },
      getHeaders: (headers: object) => ({ ...headers, authorization: undefined }),
    })();
    expect(Object.keys(sent()).map((name) => name.toLowerCase())).not.toContain('authorization');
  });

  it('is allowed by the types of an option', async () => {
    const token: string | undefined = undefined;
    const get = new RestEndpoint({
      urlPrefix,
      path: '/a',
      getHeaders: (headers) => ({ ...headers, authorization: token }),
    });
    await get();
    expect(sent()).not.toHaveProperty('authorization');
  });
});

describe('a step that returns nothing', () => {
  const steps: readonly (readonly [string, object])[] = [
    ['getHeaders', { getHeaders: () => {} }],
    ['getHeaders', { getHeaders: async () => {} }],
    ['getRequestInit', { getRequestInit: () => {} }],
    ['fetchResponse', { fetchResponse: async () => {} }],
    ['send', { send: async () => {} }],
  ];
  it.each(steps)('%s is named, with its endpoint', async (step, options) => {
    await expect(make(options)()).rejects.toMatchObject({
      name: 'TypeError',
      code: 'nothing-returned',
      message: `getA: \`${step}\` returned nothing.`,
    });
  });
});

describe('the spelling of a header', () => {
  class Todo extends Entity {
    id = '';
    static override key = 'HeaderTodo';
  }
  const Todos = () => resource({ urlPrefix, path: '/todos/:id', schema: Todo });

  it('in requestInit is kept, unless getHeaders spells it another way', async () => {
    await make({
      requestInit: { headers: { 'X-Base': 'b', 'X-Both': 'base' } },
      getHeaders: (headers: object) => ({ ...headers, 'x-Both': 'own' }),
    })();
    expect(sent()).toMatchObject({ 'X-Base': 'b', 'x-Both': 'own' });
    expect(sent()).not.toHaveProperty('X-Both');
  });

  it('that a hook of hookifyResource gives is kept', async () => {
    const { useGetList } = hookifyResource(Todos(), () => ({ headers: { 'X-Tenant-ID': 't' } }));
    await useGetList()();
    expect(sent()).toMatchObject({ 'X-Tenant-ID': 't' });
  });

  it('in a hook replaces that in the resource: one header is sent', async () => {
    const Base = resource({
      urlPrefix,
      path: '/todos/:id',
      schema: Todo,
      requestInit: { headers: { 'x-tenant-id': 'base', 'X-Base': 'b' } },
    });
    const { useGetList } = hookifyResource(Base, () => ({
      headers: new Headers([['X-Tenant-ID', 't']]),
    }));
    expect(useGetList().requestInit?.headers).toEqual({ 'x-tenant-id': 't', 'X-Base': 'b' });
    await useGetList()();
    expect(sent()).toMatchObject({ 'x-tenant-id': 't', 'X-Base': 'b' });
  });

  it('makes no other endpoint of a hook, but another value or undefined does', () => {
    let headers: Record<string, string | undefined> = { 'X-Tenant-ID': 't' };
    const { useGet } = hookifyResource(Todos(), () => ({ headers: headers as never }));
    const first = useGet();
    headers = { 'X-Tenant-ID': 't', authorization: undefined };
    expect(useGet()).toBe(first);
    headers = { 'X-Tenant-ID': 'u' };
    expect(useGet()).not.toBe(first);
  });
});
