/** Identity 4.1: which row a delete is about. */
import { Controller, Entity, Invalidate, resource, RestEndpoint, Union } from 'restitch';
import { mockFixtures } from 'restitch/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Row extends Entity {
  id = '';
}
class Issue extends Entity {
  project = '';
  number = 0;
  override pk() {
    return `${this.project}#${this.number}`;
  }
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});

describe('identity 4.1: resource().delete', () => {
  it.each<[string, unknown]>([
    ['a number', 1],
    ['a text', '1'],
    ['what a flag says', { success: true }],
    ['another record', { id: '1', name: 'not this one' }],
    ['a list', [{ id: '1' }]],
    ['null', null],
  ])('deletes the row of its last path parameter where the response is %s', async (_, response) => {
    const Rows = resource({
      urlPrefix: server.origin,
      path: '/tables/:table/rows/:rowId',
      schema: Row,
    });
    for (const id of ['1', '2']) controller.set(Row, { id }, {});
    server.respond(() => response);
    const deleted = await controller.fetch(Rows.delete, { table: '1', rowId: '2' });
    expect(deleted).toMatchObject({ id: '2' });
    expect(controller.get(Row, { id: '2' })).toBeUndefined();
    expect(controller.get(Row, { id: '1' })).toBeDefined();
  });

  it.each([true, false])(
    'deletes the row of its path, not of a placeholder in the query, with optimistic: %s',
    async (optimistic) => {
      const path = '/rows/:id?version=:version';
      const Rows = resource({ urlPrefix: server.origin, path, schema: Row, optimistic });
      server.respond(({ method }, response) =>
        method === 'DELETE' ? void response.writeHead(204).end() : [{ id: '1' }, { id: '3' }],
      );
      await controller.fetch(Rows.getList);
      expect(server.seen.at(-1)?.url).toBe('/rows');
      const args = { id: '1', version: '3' };
      expect(await controller.fetch(Rows.delete, args)).toMatchObject({ id: '1' });
      expect(server.seen.at(-1)?.url).toBe('/rows/1?version=3');
      expect(controller.getResponse(Rows.getList)?.map(({ id }) => id)).toEqual(['3']);
    },
  );

  it.each<[string, any]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a text', 'OK'],
    ['an empty object', {}],
    ['what a flag says', { success: true }],
    ['another record', { id: '1' }],
  ])('deletes the same row where `setResponse` or a fixture is given %s', async (_, response) => {
    const Rows = resource({ path: '/tables/:table/rows/:rowId', schema: Row });
    const args = { table: '1', rowId: '2' };
    const fixture = { endpoint: Rows.delete, response: () => response };
    const mocked = new Controller({ managers: [mockFixtures([fixture])] });
    for (const one of [controller, mocked]) {
      for (const id of ['1', '2']) one.set(Row, { id }, {});
    }
    controller.setResponse(Rows.delete, args, response);
    await mocked.fetch(Rows.delete, args);
    for (const one of [controller, mocked]) {
      expect([one.get(Row, { id: '1' })?.id, one.get(Row, { id: '2' })]).toEqual(['1', undefined]);
    }
  });

  it('deletes the row of a placeholder in the query if the path has none', async () => {
    const Rows = resource({ urlPrefix: server.origin, path: '/rows?id=eq.:key', schema: Row });
    for (const id of ['1', '3']) controller.set(Row, { id }, {});
    server.respond(() => null);
    await controller.fetch(Rows.delete, { key: '1' });
    expect(controller.get(Row, { id: '1' })).toBeUndefined();
    expect(controller.get(Row, { id: '3' })).toBeDefined();
  });

  it.each([true, false])(
    'deletes its row where the response is a text, with optimistic: %s',
    async (optimistic) => {
      const path = '/rows/:id';
      const Rows = resource({ urlPrefix: server.origin, path, schema: Row, optimistic });
      server.respond(() => [{ id: '1' }, { id: '2' }]);
      await controller.fetch(Rows.getList);
      server.raw(200, 'text/html', '<p>deleted</p>');
      expect(await controller.fetch(Rows.delete, { id: '1' })).toMatchObject({ id: '1' });
      expect(controller.getResponse(Rows.getList)?.map(({ id }) => id)).toEqual(['2']);
    },
  );

  it('is refused by a class that refuses the text of the response', async () => {
    class Api extends RestEndpoint {
      override process(value: unknown) {
        if (typeof value === 'string') throw new Error('refused');
        return value;
      }
    }
    const Rows = resource({
      urlPrefix: server.origin,
      path: '/rows/:id',
      schema: Row,
      Endpoint: Api as unknown as typeof RestEndpoint,
    });
    controller.set(Row, { id: '1' }, {});
    server.raw(200, 'text/html', '<h1>Sign in</h1>');
    await expect(controller.fetch(Rows.delete, { id: '1' })).rejects.toThrow('refused');
    expect(controller.get(Row, { id: '1' })).toBeDefined();
  });

  it('finds the row by a pk of several fields, whatever the parameters are called', async () => {
    const Issues = resource({
      urlPrefix: server.origin,
      path: '/projects/:project/issues/:issueId',
      schema: Issue,
    });
    controller.set(Issue, { project: 'a', number: 5 }, {});
    controller.set(Issue, { project: 'a', number: 1 }, {});
    server.respond(() => ({ project: 'a', number: 1 }));
    await controller.fetch(Issues.delete, { project: 'a', issueId: 5 });
    expect(controller.get(Issue, { project: 'a', number: 5 })).toBeUndefined();
    expect(controller.get(Issue, { project: 'a', number: 1 })).toBeDefined();
  });

  it.each([true, false])(
    'deletes the row of a wildcard, whose segments are joined, with optimistic: %s',
    async (optimistic) => {
      const path = '/folders/*id';
      const Folders = resource({ urlPrefix: server.origin, path, schema: Row, optimistic });
      controller.set(Row, { id: 'a/b' }, {});
      server.respond((_, response) => void response.writeHead(204).end());
      await controller.fetch(Folders.delete, { id: ['a', 'b'] });
      expect(controller.get(Row, { id: 'a/b' })).toBeUndefined();
    },
  );

  it('is refused by a class that refuses the response, and deletes nothing then', async () => {
    class Api extends RestEndpoint {
      override process(value: { success?: boolean }) {
        if (!value.success) throw new Error('refused');
        return value;
      }
    }
    const Rows = resource({
      urlPrefix: server.origin,
      path: '/rows/:id',
      schema: Row,
      Endpoint: Api as unknown as typeof RestEndpoint,
    });
    controller.set(Row, { id: '1' }, {});
    server.respond(() => ({ success: false }));
    await expect(controller.fetch(Rows.delete, { id: '1' })).rejects.toThrow('refused');
    expect(controller.get(Row, { id: '1' })).toBeDefined();
  });
});

describe('identity 4.1: resource().delete of a union', () => {
  class Reply extends Entity {
    id = '';
    ticket = '';
    kind = 'reply';
    override pk() {
      return `${this.ticket}/${this.id}`;
    }
  }
  class Note extends Reply {
    override kind = 'note';
  }
  class File extends Entity {
    id = '';
    kind = 'file';
  }
  const kindOf = ({ kind }: { kind: string }) => kind;
  const keyed = { reply: Reply, note: Note };
  const mixed = { reply: Reply, note: File };
  const unions = [
    ['with keys of several fields, by a field', new Union(keyed, 'kind')],
    ['with keys of several fields, by a function', new Union(keyed, kindOf)],
    ['with keys of one and of several fields, by a field', new Union(mixed, 'kind')],
    ['with keys of one and of several fields, by a function', new Union(mixed, kindOf)],
  ] as const;
  const cases = unions.flatMap(([name, schema]) =>
    [true, false].map((optimistic) => [name, optimistic, schema] as const),
  );

  it.each(cases)('deletes its record %s, with optimistic: %s', async (_, optimistic, schema) => {
    for (const last of ['id', 'commentId']) {
      const Comments = resource({
        urlPrefix: server.origin,
        path: `/tickets/:ticket/comments/:${last}`,
        schema,
        optimistic,
      });
      const one = new Controller();
      const list = ['2', '4', '5'].map((id) => ({ id, ticket: '1', kind: 'reply' }));
      one.setResponse(Comments.getList, { ticket: '1' }, [
        ...list,
        { id: '6', ticket: '1', kind: 'note' },
      ]);
      const ids = () => one.getResponse(Comments.getList, { ticket: '1' })?.map(({ id }) => id);
      server.respond((__, response) => void response.writeHead(204).end());
      expect(await one.fetch(Comments.delete, { ticket: '1', [last]: '4' })).toMatchObject({
        id: '4',
        kind: 'reply',
      });
      expect([last, ids()]).toEqual([last, ['2', '5', '6']]);
      expect(one.get(Reply, { ticket: '1', id: '4' })).toBeUndefined();
      await one.fetch(Comments.delete, { ticket: '1', [last]: '6' });
      expect([last, ids()]).toEqual([last, ['2', '5']]);
    }
  });
});

describe('identity 4.1: a hand-written Invalidate', () => {
  const remove = (schema: unknown = new Invalidate(Row)) =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/rows/:id',
      method: 'DELETE',
      schema: schema as Invalidate<typeof Row>,
    });

  it('reads its response', async () => {
    for (const id of ['1', '2']) controller.set(Row, { id }, {});
    server.respond(() => ({ id: '1' }));
    await controller.fetch(remove(), { id: '2' });
    expect(controller.get(Row, { id: '1' })).toBeUndefined();
  });

  it.each([
    ['a class', new Invalidate(Row)],
    ['a union', new Invalidate(new Union({ row: Row }, () => 'row'))],
  ])(
    'for %s falls back to the arguments where the response is no record and no key',
    async (_, schema) => {
      for (const response of [true, { success: true }, null]) {
        controller.set(Row, { id: '2' }, {});
        server.respond(() => response);
        await controller.fetch(remove(schema), { id: '2' });
        expect(controller.get(Row, { id: '2' }), JSON.stringify(response)).toBeUndefined();
      }
    },
  );

  it('reads the arguments of `setResponse` without a response', () => {
    const remove = new RestEndpoint({
      path: '/rows/:id',
      method: 'DELETE',
      schema: new Invalidate(Row),
    });
    // The cast: the type of the response of a delete allows no null.
    for (const response of [undefined, null] as never[]) {
      controller.set(Row, { id: '1' }, {});
      controller.setResponse(remove, { id: '1' }, response);
      expect(controller.get(Row, { id: '1' })).toBeUndefined();
    }
  });

  it('is an error where neither says which row', async () => {
    const clear = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/clear',
      method: 'POST',
      schema: new Invalidate(Row),
    });
    server.respond(() => ({ success: true }));
    await expect(controller.fetch(clear, {})).rejects.toMatchObject({
      code: 'missing-primary-key',
    });
  });
});

describe('identity 4.4: a created row', () => {
  class Note extends Entity {
    id = '';
    title = '';
    body = '';
  }

  it('keeps the declared fields that were sent when its response is only its key', async () => {
    const Notes = resource({ urlPrefix: server.origin, path: '/notes/:id', schema: Note });
    server.respond(({ method }) => (method === 'POST' ? { id: '7' } : []));
    await controller.fetch(Notes.getList);
    const sent = { title: 'sent', body: 'too', password: 'secret' };
    await controller.fetch(Notes.getList.push, sent as object);
    expect(controller.getResponse(Notes.getList)).toEqual([
      Note.fromJS({ id: '7', title: 'sent', body: 'too' }),
    ]);
    expect(controller.observe(Notes.get, { id: '7' }).needsLoad()).toBe(false);
    await controller.fetch(Notes.getList.push, { title: 'only' });
    expect(controller.observe(Notes.get, { id: '7' }).needsLoad()).toBe(false);
  });

  it('that lacks declared fields is fetched by its detail', async () => {
    const Notes = resource({ urlPrefix: server.origin, path: '/notes/:id', schema: Note });
    server.respond(() => ({ id: '8' }));
    await controller.fetch(Notes.getList.push, { title: 'only' });
    expect(controller.observe(Notes.get, { id: '8' }).needsLoad()).toBe(true);
  });
});

describe('the delete of a record with an own `pk`', () => {
  class WithGetter extends Entity {
    org = '';
    id = 0;
    get ref() {
      return `${this.org}/${this.id}`;
    }
    override pk() {
      return this.ref;
    }
  }
  class WithOptional extends Entity {
    org = '';
    id = 0;
    uuid: string | undefined = undefined;
    override pk() {
      return this.uuid ?? `${this.org}/${this.id}`;
    }
  }
  class WithDefault extends Entity {
    org = '';
    id = 0;
    region = 'eu';
    override pk() {
      return `${this.region}/${this.org}/${this.id}`;
    }
  }
  class WithPrivate extends Entity {
    org = '';
    id = 0;
    readonly #prefix = 'p';
    override pk() {
      return `${this.#prefix}/${this.org}/${this.id}`;
    }
  }

  it.each([
    ['a getter', WithGetter],
    ['an optional field', WithOptional],
    ['a field with a default', WithDefault],
    ['a private field', WithPrivate],
  ])('removes the record if `pk` reads %s', async (_, schema) => {
    for (const optimistic of [true, false]) {
      const Rows = resource({
        urlPrefix: server.origin,
        path: '/orgs/:org/rows/:rowId',
        schema,
        optimistic,
      });
      server.respond(({ method }, response) =>
        method === 'DELETE'
          ? void response.writeHead(204).end()
          : [1, 2].map((id) => ({ org: 'a', id })),
      );
      await controller.fetch(Rows.getList, { org: 'a' });
      expect(await controller.fetch(Rows.delete, { org: 'a', rowId: 1 })).toMatchObject({ id: 1 });
      expect(controller.getResponse(Rows.getList, { org: 'a' })?.map(({ id }) => id)).toEqual([2]);
    }
  });

  it('removes the record whose only key field has another name than the parameter', async () => {
    class Setting extends Entity {
      scope = 'all';
      override pk() {
        return this.scope;
      }
    }
    const Settings = resource({
      urlPrefix: server.origin,
      path: '/settings/:name',
      schema: Setting,
    });
    for (const scope of ['all', 'x']) controller.set(Setting, { scope }, { scope });
    server.respond((_request, response) => void response.writeHead(204).end());
    await controller.fetch(Settings.delete, { name: 'x' });
    expect(controller.get(Setting, { scope: 'x' })).toBeUndefined();
    expect(controller.get(Setting, { scope: 'all' })).toBeDefined();
  });
});

it.each(['key', 'number'] as const)(
  'deletes the row whose combined primary key is the only parameter: /issues/:%s',
  async (name) => {
    class Ticket extends Entity {
      project = '';
      number = 0;
      override pk() {
        return `${this.project}-${this.number}`;
      }
    }
    const Tickets = resource({
      urlPrefix: server.origin,
      path: `/issues/:${name}`,
      schema: Ticket,
    });
    server.respond(({ method }, response) =>
      method === 'DELETE'
        ? void response.writeHead(204).end()
        : [7, 8].map((number) => ({ project: 'WEB', number })),
    );
    await controller.fetch(Tickets.getList);
    await controller.fetch(Tickets.delete, { [name]: 'WEB-7' } as never);
    expect(controller.getResponse(Tickets.getList)?.map(({ number }) => number)).toEqual([8]);
  },
);

describe('the delete of a record of a union', () => {
  class Post extends Entity {
    id = '';
    type = 'post';
  }
  class Link extends Entity {
    id = '';
    type = 'link';
  }

  it.each([true, false])(
    'leaves the record of another class with the same key, optimistic: %s',
    async (optimistic) => {
      const Items = resource({
        urlPrefix: server.origin,
        path: '/items/:type/:id',
        schema: new Union({ post: Post, link: Link }, 'type'),
        optimistic,
      });
      server.respond(({ method, url }, response) =>
        method === 'DELETE'
          ? void response.writeHead(204).end()
          : [{ id: '1', type: url.split('/')[2] }],
      );
      for (const type of ['post', 'link']) await controller.fetch(Items.getList, { type });
      expect(await controller.fetch(Items.delete, { type: 'post', id: '1' })).toBeInstanceOf(Post);
      expect(controller.getResponse(Items.getList, { type: 'post' })).toEqual([]);
      expect(controller.getResponse(Items.getList, { type: 'link' })).toHaveLength(1);
    },
  );

  it.each(['id', 'itemId'] as const)(
    'removes the record if no parameter names its class: /orgs/:org/items/:%s',
    async (name) => {
      const Items = resource({
        urlPrefix: server.origin,
        path: `/orgs/:org/items/:${name}`,
        schema: new Union({ post: Post, link: Link }, 'type'),
      });
      server.respond(({ method }, response) =>
        method === 'DELETE'
          ? void response.writeHead(204).end()
          : [
              { id: '1', type: 'post' },
              { id: '2', type: 'link' },
            ],
      );
      await controller.fetch(Items.getList, { org: 'a' } as never);
      await controller.fetch(Items.delete, { org: 'a', [name]: '1' } as never);
      const left = controller.getResponse(Items.getList, { org: 'a' } as never);
      expect(left?.map(({ id }: { id: string }) => id)).toEqual(['2']);
    },
  );

  it.each([
    ['an optimistic delete', true],
    ['a delete', false],
    ['a message', undefined],
  ])('fetches again if records of two classes have the key: %s', async (_, optimistic) => {
    const Items = resource({
      urlPrefix: server.origin,
      path: '/items/:id',
      schema: new Union({ post: Post, link: Link }, 'type'),
      optimistic: optimistic === true,
    });
    let rows = [
      { id: '1', type: 'post' },
      { id: '1', type: 'link' },
      { id: '2', type: 'link' },
    ];
    server.respond(({ method, url }, response) => {
      if (method === 'GET') return rows;
      const index = rows.findIndex(({ id }) => url.endsWith(id));
      rows = rows.filter((__, at) => at !== index);
      return void response.writeHead(204).end();
    });
    const view = controller.observe(Items.getList);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await view.load();
    const shown = () => controller.getResponse(Items.getList)?.map(({ type, id }) => type + id);
    const remove = (id: string) => {
      if (optimistic !== undefined) return controller.fetch(Items.delete, { id });
      rows = rows.filter((row) => row.id !== id || row.type === (id === '1' ? 'link' : 'post'));
      return controller.setResponse(Items.delete, { id }, undefined as never);
    };
    const deleted = remove('1');
    expect(shown()).toEqual(['post1', 'link1', 'link2']);
    await deleted;
    await expect.poll(shown).toEqual(['link1', 'link2']);
    const { length } = server.seen;
    await remove('2');
    expect(shown()).toEqual(['link1']);
    expect(server.seen.slice(length).every(({ method }) => method === 'DELETE')).toBe(true);
    expect(view.needsLoad(true)).toBe(false);
    expect(view.getSnapshot()).toMatchObject({ stale: false });
  });

  it('fetches again if a response in flight has a record of another class with the key', async () => {
    const Items = resource({
      urlPrefix: server.origin,
      path: '/items/:id',
      schema: new Union({ post: Post, link: Link }, 'type'),
    });
    controller.set(Post, { id: '1' }, { type: 'post' });
    const link = { id: '1', type: 'link' };
    const answers: (() => void)[] = [];
    server.respond(({ method }, response) => {
      if (method === 'DELETE') return void response.writeHead(204).end();
      response.setHeader('content-type', 'application/json');
      const rows = JSON.stringify(
        answers.length === 0 ? [{ id: '1', type: 'post' }, link] : [link],
      );
      return void answers.push(() => response.end(rows));
    });
    const view = controller.observe(Items.getList);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    void view.load();
    await expect.poll(() => answers.length).toBe(1);
    await controller.fetch(Items.delete, { id: '1' });
    answers[0]?.();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await expect.poll(() => controller.getResponse(Items.getList)).toMatchObject([link]);
  });

  it('leaves no empty record if the create of the other record fails', async () => {
    const Items = resource({
      urlPrefix: server.origin,
      path: '/items/:id',
      schema: new Union({ post: Post, link: Link }, 'type'),
      optimistic: true,
    });
    const rows = [{ id: '1', type: 'post' }];
    let fail: (() => void) | undefined;
    server.respond(({ method }, response) => {
      if (method === 'GET') return rows;
      if (method === 'DELETE') return void response.writeHead(204).end();
      fail = () => void response.writeHead(500).end();
      return undefined;
    });
    await controller.fetch(Items.getList);
    const created = controller.fetch(Items.getList.push, { id: '1', type: 'link' });
    const refused = expect(created).rejects.toThrow('500');
    expect(controller.getResponse(Items.getList)).toHaveLength(2);
    await controller.fetch(Items.delete, { id: '1' });
    await expect.poll(() => fail).toBeDefined();
    fail?.();
    await refused;
    expect(controller.get(Link, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(Items.getList)).toHaveLength(1);
  });

  it('leaves the record of a class with another key field', async () => {
    class Coupon extends Entity {
      code = '';
      type = 'coupon';
      override pk() {
        return this.code;
      }
    }
    const Items = resource({
      urlPrefix: server.origin,
      path: '/items/:code',
      schema: new Union({ post: Post, coupon: Coupon }, 'type'),
    });
    server.respond(({ method }, response) =>
      method === 'DELETE'
        ? void response.writeHead(204).end()
        : [
            { id: '1', type: 'post' },
            { code: '1', type: 'coupon' },
          ],
    );
    await controller.fetch(Items.getList);
    await controller.fetch(Items.delete, { code: '1' });
    expect(controller.getResponse(Items.getList)?.map(({ type }) => type)).toEqual(['post']);
  });
});
