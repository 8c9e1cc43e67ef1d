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
