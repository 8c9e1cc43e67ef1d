import {
  conditional,
  Controller,
  Entity,
  type HookInit,
  hookifyResource,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { Clock } from '../support/clock.js';

class Product extends Entity {
  id = '';
  name = '';
  static override readonly key = 'Product';
}

const server = await serverOfFile();
let products: { id: string; name: string }[] = [];
/** The statuses of the responses. */
let sent: number[] = [];
beforeEach(() => {
  sent = [];
  products = [{ id: '1', name: 'Tea' }];
  server.seen.splice(0);
  server.respond(({ headers, url }, response) => {
    const etag = `"${url} ${products.map(({ name }) => name).join()}"`;
    const isSame = headers['if-none-match'] === etag;
    sent.push(isSame ? 304 : 200);
    response.setHeader('etag', etag);
    if (isSame) return void response.writeHead(304).end();
    return products;
  });
});

function open(clock = new Clock()) {
  const Products = resource({
    urlPrefix: server.origin ?? '',
    path: '/products/:id',
    schema: Product,
  }).extend(({ getList }) => ({ getList: conditional(getList) }));
  const controller = new Controller({ environment: clock.environment });
  return { clock, controller, Products };
}

describe('requests of a conditional endpoint', () => {
  it('send the ETag; a 304 makes the data fresh again, keeps the same objects and notifies no reader', async () => {
    const { clock, controller, Products } = open();
    const first = await controller.fetch(Products.getList);
    let notified = 0;
    const view = controller.observe(Products.getList);
    view.subscribe(() => (notified += 1));
    clock.now += 50_000;
    expect(await controller.fetch(Products.getList)).toBe(first);
    expect([sent, notified]).toEqual([[200, 304], 0]);
    clock.now += 50_000;
    expect(view.needsLoad()).toBe(false);
    clock.now += 10_000;
    expect(view.needsLoad()).toBe(true);
    products.push({ id: '2', name: 'Coffee' });
    expect((await controller.fetch(Products.getList)).map(({ name }) => name)).toEqual([
      'Tea',
      'Coffee',
    ]);
    expect([sent, notified]).toEqual([[200, 304, 200], 1]);
  });

  it('bring data back that was invalidated', async () => {
    const { controller, Products } = open();
    await controller.fetch(Products.getList);
    await controller.invalidate(Products.getList);
    const [tea] = await controller.fetch(Products.getList);
    expect([sent, tea?.name]).toEqual([[200, 304], 'Tea']);
  });

  it('send nothing of a former session, nor of another controller', async () => {
    const { controller, Products } = open();
    await controller.fetch(Products.getList);
    controller.resetEntireStore();
    await controller.fetch(Products.getList);
    await new Controller().fetch(Products.getList);
    expect(sent).toEqual([200, 200, 200]);
    expect(server.seen.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('send Last-Modified where there is no ETag, and keep headers that the application sets', async () => {
    const { controller } = open();
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    server.respond((_, response) => {
      response.setHeader('last-modified', date);
      return { a: 1 };
    });
    const get = conditional(
      new RestEndpoint({
        urlPrefix: server.origin ?? '',
        path: '/settings',
        getHeaders: (headers) => ({ ...headers, authorization: 'Bearer 1' }),
      }),
    );
    await controller.fetch(get);
    expect(await controller.fetch(get)).toEqual({ a: 1 });
    expect(server.seen[1]?.headers).toMatchObject({
      'if-modified-since': date,
      authorization: 'Bearer 1',
    });
  });

  it('keep the given number of responses, those used last', async () => {
    const { controller } = open();
    const get = conditional(
      new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/pages/:page' }),
      { max: 2 },
    );
    for (const page of [1, 2, 1, 3, 1, 2]) await controller.fetch(get, { page });
    expect(sent).toEqual([200, 200, 304, 200, 304, 200]);
  });

  it.each([
    ['scopes', {}],
    ['headers', { scope: undefined }],
  ])('never receive the response for other %s', async (_, same) => {
    const { controller } = open();
    server.respond(({ headers }, response) => {
      if (headers['if-modified-since']) return void response.writeHead(304).end();
      response.setHeader('last-modified', 'Wed, 21 Oct 2015 07:28:00 GMT');
      return { of: headers['authorization'] ?? headers['accept-language'] };
    });
    let init: HookInit = {};
    const base = new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/me' });
    const { useGet: endpoint } = hookifyResource({ get: conditional(base) }, () => init);
    const read = async (name: string, scope: string, value: string) => {
      init = { headers: { [name]: value }, scope, ...same };
      return controller.fetch(endpoint());
    };
    expect(await read('authorization', 'alice', 'A')).toEqual({ of: 'A' });
    expect(await read('authorization', 'bob', 'B')).toEqual({ of: 'B' });
    expect(await read('accept-language', 'bob', 'de')).toEqual({ of: 'de' });
    expect(await read('accept-language', 'bob', 'en')).toEqual({ of: 'en' });
    expect(await read('authorization', 'alice', 'A')).toEqual({ of: 'A' });
    expect(server.seen.map(({ headers }) => 'if-modified-since' in headers)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('never receive the response of another scope whose user is not in the headers', async () => {
    const { controller } = open();
    let user = 'alice';
    server.respond(({ headers }, response) => {
      if (headers['if-none-match']) return void response.writeHead(304).end();
      response.setHeader('etag', '"1"');
      return { of: user };
    });
    const base = new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/me' });
    const { useGet } = hookifyResource({ get: conditional(base) }, () => ({ scope: user }));
    expect(await controller.fetch(useGet())).toEqual({ of: 'alice' });
    user = 'bob';
    expect(await controller.fetch(useGet())).toEqual({ of: 'bob' });
  });

  it('never receive the response of an endpoint with other members, which `send` can read', async () => {
    const { controller } = open();
    server.respond(({ headers }, response) => {
      if (headers['if-modified-since']) return void response.writeHead(304).end();
      response.setHeader('last-modified', 'Wed, 21 Oct 2015 07:28:00 GMT');
      return { of: headers['authorization'] };
    });
    const base = new RestEndpoint({
      urlPrefix: server.origin ?? '',
      path: '/me',
      user: 'ann',
      send(this: { user: string }, input: RequestInfo, init: RequestInit) {
        const headers = new Headers(init.headers);
        headers.set('authorization', this.user);
        return fetch(input, { ...init, headers });
      },
    });
    const ann = conditional(base);
    const bob = ann.extend({ user: 'bob' });
    for (const _ of ['whole', 'unchanged']) {
      expect(await controller.fetch(ann)).toEqual({ of: 'ann' });
      expect(await controller.fetch(bob)).toEqual({ of: 'bob' });
    }
    const isConditional = server.seen.map(({ headers }) => 'if-modified-since' in headers);
    expect(isConditional).toEqual([false, false, true, true]);
  });

  it('compare nothing with `Vary: *`, nor where the application compares by itself', async () => {
    const { controller } = open();
    server.respond((_, response) => {
      response.setHeader('etag', '"1"');
      response.setHeader('vary', '*');
      return { a: 1 };
    });
    const base = new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/settings' });
    const get = conditional(base);
    await controller.fetch(get);
    await controller.fetch(get);
    expect(server.seen[1]?.headers['if-none-match']).toBeUndefined();
    server.raw(304, undefined, '');
    const own = get.extend({ requestInit: { headers: { 'if-none-match': '"own"' } } });
    await expect(controller.fetch(own)).rejects.toMatchObject({ status: 304 });
  });

  it.each([
    ['content: blob', { content: 'blob' }, 'text/csv'],
    ['content: arrayBuffer', { content: 'arrayBuffer' }, 'text/csv; charset=utf-8'],
    [
      'another charset',
      { parseResponse: (response: Response) => response.blob() },
      'text/csv; charset=windows-1252',
    ],
  ])('leave the bytes of a response with %s as they are', async (_, options, type) => {
    const { controller } = open();
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xe9, 0x0a]);
    server.respond((__, response) => {
      response.writeHead(200, { etag: '"1"', 'content-type': type }).end(bytes);
    });
    const base = new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/csv' });
    const get = conditional(base.extend(options as object));
    for (let i = 0; i < 2; i += 1) {
      const body = (await controller.fetch(get)) as Blob | ArrayBuffer;
      const buffer = body instanceof Blob ? await body.arrayBuffer() : body;
      expect(Buffer.from(buffer)).toEqual(bytes);
    }
    expect(server.seen[1]?.headers['if-none-match']).toBeUndefined();
  });

  it('send no ETag of a response that the schema rejected', async () => {
    const { controller, Products } = open();
    products = [{ name: 'no key' } as (typeof products)[0]];
    await expect(controller.fetch(Products.getList)).rejects.toMatchObject({
      code: 'missing-primary-key',
    });
    // The server repairs its data without a new ETag.
    const fixed = [{ id: '1', name: 'no key' }];
    const etag = '"/products no key"';
    server.respond(({ headers }, response) => {
      response.setHeader('etag', etag);
      return headers['if-none-match'] ? void response.writeHead(304).end() : fixed;
    });
    expect((await controller.fetch(Products.getList)).map(({ id }) => id)).toEqual(['1']);
  });

  it('keep what they compare with over a response that the schema rejects', async () => {
    const { controller, Products } = open();
    await controller.fetch(Products.getList);
    products = [{ name: 'no key' } as (typeof products)[0]];
    await controller.fetch(Products.getList).catch(() => {});
    products = [{ id: '1', name: 'Tea' }];
    expect((await controller.fetch(Products.getList)).map(({ name }) => name)).toEqual(['Tea']);
    expect(sent).toEqual([200, 200, 304]);
  });

  it('leave creates, errors and direct calls as they are', async () => {
    const { controller, Products } = open();
    await controller.fetch(Products.getList);
    await Products.getList();
    server.respond(() => ({ id: '3', name: 'new' }));
    await controller.fetch(Products.getList.push, { name: 'new' });
    server.raw(500, 'text/plain', 'down');
    await expect(controller.fetch(Products.getList)).rejects.toMatchObject({ status: 500 });
    server.raw(304, undefined, '');
    const other = conditional(Products.get);
    await expect(controller.fetch(other, { id: '1' })).rejects.toMatchObject({ status: 304 });
    expect(server.seen.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});
