/** A mutation whose response has a record of another key, and one whose record is deleted before its response arrives. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Collection, Controller, Entity, resource, RestEndpoint, Union } from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ignore, manual, mutation, openWorld } from '../support/world.js';

class Page extends Entity {
  slug = '';
  title = '';
  static override key = 'ChangedPage';
  override pk() {
    return this.slug;
  }
}

const pages = new Map<string, { slug: string; title: string }>();
const requests: string[] = [];
const server = createServer((request, response) => {
  const [, slug = ''] = /^\/pages\/(\w+)/.exec(request.url ?? '') ?? [];
  requests.push(`${request.method} ${request.url}`);
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const page = pages.get(slug);
    if (slug && !page) response.statusCode = 404;
    if (page && request.method === 'PATCH') {
      pages.delete(slug);
      Object.assign(page, JSON.parse(body));
      pages.set(page.slug, page);
    }
    const copy = page && { ...page, slug: `${slug}2` };
    if (copy && request.method === 'POST') pages.set(copy.slug, copy);
    const one = request.method === 'POST' ? copy : page;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(slug ? (one ?? {}) : [...pages.values()]));
  });
});
let urlPrefix = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve));
  urlPrefix = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  pages.clear();
  for (const slug of ['a', 'z']) pages.set(slug, { slug, title: slug.toUpperCase() });
  requests.length = 0;
});

function open(optimistic: boolean) {
  const Pages = resource({ urlPrefix, path: '/pages/:slug', schema: Page, optimistic });
  const controller = new Controller();
  const follow = (view: ReturnType<typeof controller.observe>) => {
    const load = (isChanged: boolean) => {
      if (view.needsLoad(isChanged)) view.load().catch(() => {});
    };
    view.subscribe(() => load(true));
    load(false);
  };
  const list = controller.observe(Pages.getList);
  follow(list as never);
  const slugs = () => (list.getSnapshot() as { data?: Page[] }).data?.map(({ slug }) => slug);
  return { Pages, controller, follow, slugs };
}

describe('an update whose response has another key', () => {
  it.each([true, false])(
    'has the lists fetched that show the old row (optimistic: %s)',
    async (how) => {
      const { Pages, controller, slugs } = open(how);
      await expect.poll(() => slugs()).toEqual(['a', 'z']);
      const renamed = await controller.fetch(Pages.partialUpdate, { slug: 'a' }, { slug: 'b' });
      expect(renamed).toMatchObject({ slug: 'b', title: 'A' });
      await expect.poll(() => slugs()).toEqual(['z', 'b']);
      expect(requests).toEqual(['GET /pages', 'PATCH /pages/a', 'GET /pages']);
    },
  );

  it('has a detail of the old row fetched, which ends in the error of the server', async () => {
    const { Pages, controller, follow, slugs } = open(true);
    await expect.poll(() => slugs()).toEqual(['a', 'z']);
    const detail = controller.observe(Pages.get, { slug: 'a' });
    follow(detail as never);
    expect(detail.getSnapshot()).toMatchObject({ data: { title: 'A' } });
    await controller.fetch(Pages.partialUpdate, { slug: 'a' }, { slug: 'b' });
    await expect.poll(() => detail.getSnapshot().status).toBe('error');
    expect(requests).toContain('GET /pages/a');
  });

  it('does not serve the old row without a request', async () => {
    const { Pages, controller, slugs } = open(true);
    await expect.poll(() => slugs()).toEqual(['a', 'z']);
    expect(controller.observe(Pages.get, { slug: 'a' }).needsLoad()).toBe(false);
    await controller.fetch(Pages.partialUpdate, { slug: 'a' }, { slug: 'b' });
    expect(controller.observe(Pages.get, { slug: 'a' }).needsLoad()).toBe(true);
  });

  it('keeps a row of which the server made another one', async () => {
    const { Pages, controller, slugs } = open(false);
    await expect.poll(() => slugs()).toEqual(['a', 'z']);
    const copy = Pages.update.extend({
      path: '/pages/:slug/copy',
      method: 'POST',
      body: undefined,
    });
    expect(await controller.fetch(copy, { slug: 'a' })).toMatchObject({ slug: 'a2' });
    await expect.poll(() => slugs()).toEqual(['a', 'z', 'a2']);
  });

  it('costs no request where the key stays', async () => {
    const { Pages, controller, slugs } = open(true);
    await expect.poll(() => slugs()).toEqual(['a', 'z']);
    await controller.fetch(Pages.partialUpdate, { slug: 'a' }, { title: 'B' });
    expect(requests).toEqual(['GET /pages', 'PATCH /pages/a']);
  });
});

describe('a read of a record that an update gave another key', () => {
  const envelope = (data: unknown) => ({ data });
  const same = (value: unknown) => value;

  function openPage(schema: unknown, wrap: (value: unknown) => unknown) {
    const options = { urlPrefix, path: '/pages/:slug', schema, process: wrap } as const;
    const get = new RestEndpoint(options);
    const patch = new RestEndpoint({ ...options, method: 'PATCH', body: {} as { slug: string } });
    return { controller: new Controller(), get, patch };
  }

  it.each([
    ['a record', Page, same],
    ['an envelope', { data: Page }, envelope],
    ['an envelope with plain fields', { data: Page, note: '' }, envelope],
    ['a union', new Union({ a: Page, b: Page }, ({ slug }: Page) => slug[0] as 'a'), same],
  ])('is stale where its schema is %s', async (_, schema, wrap) => {
    const { controller, get, patch } = openPage(schema, wrap);
    await controller.fetch(get, { slug: 'a' });
    await controller.fetch(patch, { slug: 'a' }, { slug: 'b' });
    const view = controller.observe(get, { slug: 'a' });
    expect([view.getSnapshot(), view.needsLoad()]).toMatchObject([{ stale: true }, true]);
  });

  it('is stale when it began before the update and arrives after it', async () => {
    const { controller } = openWorld();
    const get = manual('get', Page);
    const rename = mutation('rename', Page);
    ignore(controller.fetch(get.endpoint, { slug: 'a' }));
    await get.respond({ slug: 'a', title: 'A' });
    const early = controller.fetch(get.endpoint, { slug: 'a' });
    ignore(controller.fetch(rename.endpoint, { slug: 'a' }, { slug: 'b' }));
    await rename.respond({ slug: 'b', title: 'A' });
    await get.respond({ slug: 'a', title: 'A' });
    await early;
    expect(controller.observe(get.endpoint, { slug: 'a' }).needsLoad()).toBe(true);
  });
});

describe('a record that is deleted before its mutation is confirmed', () => {
  const gone = new Collection([Page]);

  it.each(['create', 'update'] as const)('is what the %s resolves to', async (how) => {
    const { controller } = openWorld();
    controller.set(gone, {}, []);
    const send = mutation('send', how === 'create' ? gone.push : Page);
    const remove = mutation('remove', gone.remove);
    const request = controller.fetch(send.endpoint, { slug: 'a' });
    expect(remove.calls).toEqual([]);
    const deleted = open(true).Pages.delete.extend({
      send: async () => new Response(null, { status: 204 }),
    });
    await controller.fetch(deleted, { slug: 'a' });
    await send.respond({ slug: 'a', title: 'A' });
    const resolved = await request;
    expect(resolved).toBeInstanceOf(Page);
    expect(resolved).toMatchObject({ slug: 'a', title: 'A' });
    expect(controller.get(gone, {})).toEqual([]);
  });
});
