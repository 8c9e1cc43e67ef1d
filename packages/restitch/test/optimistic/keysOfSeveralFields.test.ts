/** Optimistic creates of a class whose `pk` reads several fields, one of which the server assigns. */
import { Controller, Entity, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Member extends Entity {
  id = 0;
  team = 0;
  role = '';
  override pk() {
    return `${this.team}-${this.id}`;
  }
}
class Unset extends Entity {
  declare id?: number;
  team = 0;
  role = '';
  override pk() {
    return `${this.team}-${this.id}`;
  }
}
class Page extends Entity {
  kind = 'page';
  slug = '';
  override pk() {
    return `${this.kind}/${this.slug}`;
  }
}

const server = await serverOfFile();
const urlPrefix = server.origin;

describe.each([Member, Unset])('two creates of a class with a composite `pk`', (schema) => {
  it('are two rows, and an edit waits for its create', async () => {
    const path = '/teams/:team/members/:id';
    const Members = resource({ urlPrefix, path, schema, optimistic: true });
    const controller = new Controller();
    let next = 9;
    server.respond(({ method, url, body }) => {
      const id = Number(url.split('/')[4] ?? next++);
      return method === 'GET' ? [] : { id, team: 1, ...(JSON.parse(body) as object) };
    });
    await controller.fetch(Members.getList, { team: 1 });
    const shown = () => controller.getResponse(Members.getList, { team: 1 }) ?? [];
    const creates = ['a', 'b'].map((role) =>
      controller.fetch(Members.getList.push, { team: 1 }, { role }),
    );
    expect(shown().map(({ role }) => role)).toEqual(['a', 'b']);
    const id = shown().at(-1)?.id ?? 0;
    await controller.fetch(Members.partialUpdate, { team: 1, id }, { role: 'edited' });
    const created = await Promise.all(creates);
    expect(server.seen.at(-1)).toMatchObject({
      method: 'PATCH',
      url: `/teams/1/members/${created[1]?.id}`,
    });
    expect(shown().map((member) => [member.id, member.role])).toEqual([
      [created[0]?.id, 'a'],
      [created[1]?.id, 'edited'],
    ]);
  });
});

it('a `pk` whose other fields have defaults is the key at once', () => {
  const Pages = resource({ urlPrefix, path: '/pages/:slug', schema: Page, optimistic: true });
  const controller = new Controller();
  controller.setResponse(Pages.getList, []);
  controller.fetch(Pages.getList.push, { slug: 'a' }).catch(() => {});
  expect(controller.get(Page, 'page/a')).toMatchObject({ kind: 'page', slug: 'a' });
});
