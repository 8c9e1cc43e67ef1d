import {
  conditional,
  ConflictError,
  Controller,
  Entity,
  hookifyResource,
  resource,
  serial,
  versioned,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Page extends Entity {
  id = '';
  text = '';
}

const server = await serverOfFile();
let page = { id: '1', text: 'first' };
let version = 1;
/** What the ETag of the server looks like. */
let etag = (): string | undefined => `"${version}"`;
beforeEach(() => {
  page = { id: '1', text: 'first' };
  version = 1;
  etag = () => `"${version}"`;
  server.seen.splice(0);
  server.respond(({ method, headers, body }, response) => {
    const tag = etag();
    const wanted = headers['if-match'];
    if (wanted && wanted !== tag) {
      response.writeHead(412, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(page));
    }
    if (method === 'PATCH') {
      page = { ...page, ...(JSON.parse(body) as object) };
      version += 1;
    }
    const next = etag();
    if (next) response.setHeader('etag', next);
    if (method === 'GET' && headers['if-none-match'] === next) {
      return void response.writeHead(304).end();
    }
    return page;
  });
});

function open() {
  const base = resource({
    urlPrefix: server.origin ?? '',
    path: '/pages/:id',
    schema: Page,
    optimistic: true,
  });
  const Pages = {
    get: versioned(conditional(base.get)),
    edit: versioned(serial(base.partialUpdate)),
    delete: versioned(base.delete),
  };
  return { Pages, controller: new Controller() };
}

const sentVersions = () => server.seen.map(({ headers }) => headers['if-match']);

/** A `send` that gives each response back only after `release`. */
function held() {
  let release = (): void => {};
  const released = new Promise<void>((done) => (release = done));
  const send = async (input: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    await released;
    return response;
  };
  return { send, release: () => release() };
}

describe('a change of a versioned record', () => {
  it('names the version of the last response, of a read or of a change', async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    await controller.fetch(Pages.get, { id: '1' });
    await Promise.all([
      controller.fetch(Pages.edit, { id: '1' }, { text: 'a' }),
      controller.fetch(Pages.edit, { id: '1' }, { text: 'b' }),
    ]);
    expect([page.text, sentVersions()]).toEqual(['b', [undefined, undefined, '"1"', '"2"']]);
  });

  it('that another client changed first rejects with both sides, and shows no trace', async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    page = { id: '1', text: 'theirs' };
    version += 1;
    const error: unknown = await controller
      .fetch(Pages.edit, { id: '1' }, { text: 'mine' })
      .catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      name: 'ConflictError',
      status: 412,
      sent: { text: 'mine' },
      body: { id: '1', text: 'theirs' },
    });
    expect([page.text, controller.get(Page, { id: '1' })?.text]).toEqual(['theirs', 'first']);
    await controller.fetch(Pages.get, { id: '1' });
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'merged' });
    expect(page.text).toBe('merged');
  });

  it('is a delete too, which sends no body', async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    version += 1;
    await expect(controller.fetch(Pages.delete, { id: '1' })).rejects.toMatchObject({
      name: 'ConflictError',
      sent: undefined,
    });
  });

  it.each([
    ['a weak validator', () => 'W/"1"'],
    ['no validator', () => undefined],
  ])('names no version after a response with %s', async (_, given) => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    etag = given;
    await controller.fetch(Pages.get, { id: '1' });
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'a' });
    expect(sentVersions()?.at(-1)).toBeUndefined();
  });

  it('names no version of a former session or another controller, nor in a direct call', async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    await new Controller().fetch(Pages.edit, { id: '1' }, { text: 'a' });
    await Pages.edit({ id: '1' }, { text: 'b' });
    controller.resetEntireStore();
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'c' });
    expect([page.text, sentVersions()]).toEqual([
      'c',
      [undefined, undefined, undefined, undefined],
    ]);
  });

  it('keeps its version over a read that was sent before it', async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    const { send, release } = held();
    const slow = Pages.get.extend({ send });
    const late = controller.fetch(versioned(slow), { id: '1' });
    await expect.poll(() => server.seen.length).toBe(2);
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'a' });
    release();
    await late;
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'b' });
    expect(page.text).toBe('b');
  });

  it.each([
    ['a first read', false],
    ['a further read', true],
  ])('names no version from %s that was sent before a change without ETag', async (_, isKnown) => {
    const { controller, Pages } = open();
    if (isKnown) await controller.fetch(Pages.get, { id: '1' });
    const { send, release } = held();
    const slow = Pages.get.extend({ send });
    const before = server.seen.length;
    const late = controller.fetch(versioned(slow), { id: '1' });
    await expect.poll(() => server.seen.length).toBe(before + 1);
    etag = () => undefined;
    const sent = sentVersions;
    server.respond(({ method, headers, body }, response) => {
      if (headers['if-match'] && headers['if-match'] !== `"${version}"`) {
        return void response.writeHead(412).end();
      }
      if (method === 'PATCH') {
        page = { ...page, ...(JSON.parse(body) as object) };
        version += 1;
      } else {
        response.setHeader('etag', `"${version}"`);
      }
      return page;
    });
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'a' });
    release();
    await late;
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'b' });
    expect([page.text, sent().at(-1)]).toEqual(['b', undefined]);
    // A read after the change has the version again.
    await controller.fetch(Pages.get, { id: '1' });
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'c' });
    expect(sent().at(-1)).toBe('"3"');
  });

  it('names the version of a read during a change without ETag that was sent before it', async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    const { send, release } = held();
    const slow = Pages.edit.extend({
      async send(input: string, init: RequestInit) {
        const response = await send(input, init);
        const { status } = response;
        return Response.json(await response.json(), { status });
      },
    });
    const late = controller.fetch(versioned(slow), { id: '1' }, { text: 'a' });
    await expect.poll(() => server.seen.length).toBe(2);
    await controller.fetch(Pages.get, { id: '1' });
    release();
    await late;
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'b' });
    expect([page.text, sentVersions().at(-1)]).toEqual(['b', '"2"']);
  });

  it('names the version of the last of two overlapping reads', async () => {
    const { controller, Pages } = open();
    const held: (() => void)[] = [];
    const slow = versioned(
      Pages.get.extend({
        async send(input: RequestInfo, init: RequestInit) {
          const response = await fetch(input, init);
          await new Promise<void>((resolve) => held.push(resolve));
          return response;
        },
      }),
    );
    const read = () =>
      controller.fetch(slow.extend({ signal: new AbortController().signal }), { id: '1' });
    const first = read();
    await expect.poll(() => held.length).toBe(1);
    controller.expireAll(slow);
    version = 2;
    const second = read();
    await expect.poll(() => held.length).toBe(2);
    held.forEach((resolve) => resolve());
    await Promise.all([first, second].map((call) => call.catch(() => {})));
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'a' });
    expect(sentVersions().at(-1)).toBe('"2"');
  });

  it.each([
    ['is not JSON', '{oops'],
    ['the schema refuses', '[]'],
  ])('keeps its version over a read whose response %s', async (_, body) => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    server.respond((__, response) => {
      response.writeHead(200, { 'content-type': 'application/json', etag: '"2"' }).end(body);
    });
    await expect(controller.fetch(Pages.get, { id: '1' })).rejects.toThrow();
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'mine' }).catch(() => {});
    expect(sentVersions()?.at(-1)).toBe('"1"');
  });

  it('keeps its version over a read that was aborted after its headers', async () => {
    const { controller } = open();
    const base = resource({ urlPrefix: server.origin ?? '', path: '/pages/:id', schema: Page });
    let isReceived = false;
    const get = versioned(
      base.get.extend({
        async send(input: RequestInfo, init: RequestInit) {
          const response = await fetch(input, init);
          isReceived = true;
          return response;
        },
      }),
    );
    const edit = versioned(base.partialUpdate);
    await controller.fetch(get, { id: '1' });
    isReceived = false;
    server.respond((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', etag: '"2"' });
      response.write('{"id":');
    });
    const abort = new AbortController();
    const aborted = controller.fetch(get.extend({ signal: abort.signal }), { id: '1' });
    aborted.catch(() => {});
    await expect.poll(() => isReceived).toBe(true);
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    server.respond(() => page);
    await controller.fetch(edit, { id: '1' }, { text: 'mine' });
    expect(sentVersions()?.at(-1)).toBe('"1"');
  });

  it('names the version of its own scope, also with a new token', async () => {
    const { controller, Pages } = open();
    let [scope, token] = ['alice', '1'];
    const hooks = hookifyResource(Pages, () => ({ scope, headers: { authorization: token } }));
    const { useGet: reading, useEdit: editing } = hooks;
    await controller.fetch(reading(), { id: '1' });
    scope = 'bob';
    version = 7;
    await controller.fetch(reading(), { id: '1' });
    [scope, token] = ['alice', '2'];
    version = 1;
    await controller.fetch(editing(), { id: '1' }, { text: 'mine' });
    expect(sentVersions()?.at(-1)).toBe('"1"');
  });

  it('names its version after 2,000 reads of other records', { tags: 'scale' }, async () => {
    const { controller, Pages } = open();
    await controller.fetch(Pages.get, { id: '1' });
    const other = versioned(
      Pages.get.extend({
        send: async (_: RequestInfo) => Response.json({ id: 'x' }, { headers: { etag: '"9"' } }),
      }),
    );
    for (let id = 2; id < 2_000; id += 1) await controller.fetch(other, { id: String(id) });
    await controller.fetch(Pages.edit, { id: '1' }, { text: 'mine' });
    expect(sentVersions()?.at(-1)).toBe('"1"');
  });
});
