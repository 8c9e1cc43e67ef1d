/** An update that changes the primary key of a record. */
import { Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Page extends Entity {
  org = '';
  slug = '';
  title = '';
  override pk() {
    return this.slug;
  }
}

class PageOfOrg extends Page {
  override pk() {
    return `${this.org}/${this.slug}`;
  }
}

const cases = [Page, PageOfOrg].flatMap((schema) =>
  (['partialUpdate', 'update', 'move'] as const).flatMap((name) =>
    [false, true].map((optimistic) => ({ schema, name, optimistic })),
  ),
);

it.each(cases)(
  'fetches the list again after an empty response: $schema.name, $name, optimistic: $optimistic',
  async ({ schema, name, optimistic }) => {
    const Pages = resource({
      urlPrefix: server.origin,
      path: '/orgs/:org/pages/:slug',
      schema,
      optimistic,
      body: {} as { slug: string; title: string },
    });
    let page: object = { org: 'o', slug: 'a', title: 'old' };
    server.respond(({ method, body }, response) => {
      if (method === 'GET') return [page];
      page = { ...page, ...JSON.parse(body) };
      return void response.writeHead(204).end();
    });
    const controller = new Controller();
    const view = controller.observe(Pages.getList, { org: 'o' });
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await view.load();
    const update = name === 'move' ? Pages.getList.move : Pages[name];
    await controller.fetch(update, { org: 'o', slug: 'a' }, { slug: 'b', title: 'new' });
    const shown = () =>
      controller.getResponse(Pages.getList, { org: 'o' })?.map(({ slug }) => slug);
    await expect.poll(shown).toEqual(['b']);
  },
);

it.each([false, true])(
  'fetches all lists again after an empty response to a move into another list, optimistic: %s',
  async (optimistic) => {
    const Pages = resource({
      urlPrefix: server.origin,
      path: '/orgs/:org/pages/:slug',
      schema: PageOfOrg,
      body: {} as { org: string },
      optimistic,
    });
    const page = { org: 'x', slug: 'a', title: '' };
    server.respond(({ method, url, body }, response) => {
      if (method === 'GET') return url.includes(`/orgs/${page.org}/`) ? [page] : [];
      Object.assign(page, JSON.parse(body));
      return void response.writeHead(204).end();
    });
    const controller = new Controller();
    const views = ['x', 'y'].map((org) => {
      const view = controller.observe(Pages.getList, { org });
      view.subscribe(() => {
        if (view.needsLoad(true)) void view.load();
      });
      return view;
    });
    await Promise.all(views.map((view) => view.load()));
    await controller.fetch(Pages.getList.move, { org: 'x', slug: 'a' }, { org: 'y' });
    const shown = () =>
      ['x', 'y'].map((org) => controller.getResponse(Pages.getList, { org })?.length);
    await expect.poll(shown).toEqual([0, 1]);
  },
);

it.each(['partialUpdate', 'update', 'move'] as const)(
  'fetches the list again after a message about another key: %s',
  async (name) => {
    const Pages = resource({ urlPrefix: server.origin, path: '/pages/:slug', schema: Page });
    let page = { org: 'o', slug: 'a', title: 'old' };
    server.respond(() => [page]);
    const controller = new Controller();
    const view = controller.observe(Pages.getList);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await view.load();
    const update = name === 'move' ? Pages.getList.move : Pages[name];
    controller.setResponse(update, { slug: 'a' }, {}, { ...page, title: 'new' });
    expect(view.needsLoad(true)).toBe(false);
    page = { ...page, slug: 'b' };
    controller.setResponse(update, { slug: 'a' }, {}, { ...page });
    const shown = () => controller.getResponse(Pages.getList)?.map(({ slug }) => slug);
    await expect.poll(shown).toEqual(['b']);
  },
);
