/** Identity 1: which class a record belongs to. */
import { Collection, Controller, Entity, EntityMixin, RestEndpoint, resource } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.respond(({ url }) => ({ id: '1', from: url }));
});

/** Classes as a minifier leaves them: all have one name. */
function minified() {
  const first = (() => {
    class a extends Entity {
      id = '';
      from = '';
    }
    return a;
  })();
  const second = (() => {
    class a extends Entity {
      id = '';
      from = '';
    }
    return a;
  })();
  return [first, second] as const;
}

const read = (path: string, schema: typeof Entity) =>
  new RestEndpoint({ urlPrefix: server.origin, path, schema: schema as never });

describe('identity 1.1: a class without a key', () => {
  it('shares no record with another class of the same name', async () => {
    const [Order, Person] = minified();
    const controller = new Controller();
    await controller.fetch(read('/orders/:id', Order), { id: '1' });
    expect(controller.get(Person, { id: '1' })).toBeUndefined();
    await controller.fetch(read('/people/:id', Person), { id: '1' });
    expect(controller.get(Order, { id: '1' })).toMatchObject({ from: '/orders/1' });
    expect(controller.get(Person, { id: '1' })).toMatchObject({ from: '/people/1' });
  });

  it('shares no list, index, union or nested list with a class of the same name', async () => {
    const [Order, Person] = minified();
    const controller = new Controller();
    controller.set(new Collection([Order], { name: 'all' }), {}, [{ id: '1' }]);
    expect(controller.get(new Collection([Person], { name: 'all' }), {})).toBeUndefined();
    controller.set(Person, { id: '2' }, { from: 'here' });
    await controller.fetch(
      new RestEndpoint({
        urlPrefix: server.origin,
        path: '/orders/:id',
        method: 'DELETE',
        schema: Order,
      }),
      { id: '2' },
    );
    expect(controller.get(Person, { id: '2' })).toMatchObject({ from: 'here' });
  });

  it('needs no name at all', async () => {
    const controller = new Controller();
    const Anonymous = (() => class extends Entity {})();
    const value = await controller.fetch(read('/anything/:id', Anonymous), { id: '1' });
    expect(value).toBeInstanceOf(Anonymous);
  });

  it('made of one class twice by EntityMixin is two classes', () => {
    class Todo {
      id = '';
    }
    const controller = new Controller();
    const First = EntityMixin(Todo);
    controller.set(First, { id: '1' }, {});
    expect(controller.get(First, { id: '1' })).toBeDefined();
    expect(controller.get(EntityMixin(Todo), { id: '1' })).toBeUndefined();
  });

  it('is in messages by its name', async () => {
    const controller = new Controller();
    class Nameless extends Entity {}
    server.respond(() => ({ title: 'no id' }));
    await expect(controller.fetch(read('/x/:id', Nameless), { id: '1' })).rejects.toThrow(
      /a record of Nameless has no primary key/,
    );
  });
});

describe('identity 1.2: classes with one key', () => {
  class Summary extends Entity {
    id = '';
    static override key = 'User';
  }
  class User extends Entity {
    id = '';
    from = '';
    static override key = 'User';
    get isFull() {
      return true;
    }
  }
  class Admin extends User {}

  it('share rows, subclasses included, and each reader gets its own class', async () => {
    const controller = new Controller();
    await controller.fetch(read('/users/:id', User), { id: '1' });
    expect(controller.get(Summary, { id: '1' })).toBeInstanceOf(Summary);
    expect(controller.get(User, { id: '1' })?.isFull).toBe(true);
    expect(controller.get(Admin, { id: '1' })).toBeInstanceOf(Admin);
  });

  it.each([
    ['the smaller', Summary, User],
    ['the larger', User, Summary],
  ])('give members of lists of the class that was asked for, %s class first', async (_, A, B) => {
    const controller = new Controller();
    server.respond(() => [{ id: '1', from: 'list' }]);
    const list = (schema: typeof Entity) =>
      new RestEndpoint({
        urlPrefix: server.origin,
        path: '/users',
        schema: new Collection([schema as never], { name: 'users' }),
      });
    await controller.fetch(list(A));
    await controller.fetch(list(B));
    const first = controller.getResponse(list(A)) as unknown as object[];
    const second = controller.getResponse(list(B)) as unknown as object[];
    expect(first.map((one) => one.constructor)).toEqual([A]);
    expect(second.map((one) => one.constructor)).toEqual([B]);
    controller.set(A, { id: '1' }, { from: 'changed' });
    expect(controller.getResponse(list(B))).toMatchObject([{ from: 'changed' }]);
  });
});

describe('identity 1.4: a class that is evaluated again', () => {
  const evaluate = (key?: string) => {
    const Made = class extends Entity {
      id = '';
      from = '';
    };
    return key === undefined ? Made : Object.assign(Made, { key });
  };

  it('is another class: its readers fetch', async () => {
    const controller = new Controller();
    const [Before, After] = [evaluate(), evaluate()];
    await controller.fetch(read('/users/:id', Before), { id: '1' });
    expect(controller.observe(read('/users/:id', After), { id: '1' }).needsLoad()).toBe(true);
  });

  it('with a key gives its instances at once, of records and of lists', async () => {
    const controller = new Controller();
    const open = (User: typeof Entity) =>
      resource({ urlPrefix: server.origin, path: '/users/:id', schema: User as never });
    const [Before, After] = [evaluate('User'), evaluate('User')];
    await controller.fetch(open(Before).get, { id: '1' });
    server.respond(() => [{ id: '1', from: 'list' }]);
    await controller.fetch(open(Before).getList);
    const detail = controller.observe(open(After).get, { id: '1' });
    expect(detail.getSnapshot().status).toBe('ready');
    expect(controller.getResponse(open(After).get, { id: '1' })).toBeInstanceOf(After);
    const [member] = (controller.getResponse(open(After).getList) ?? []) as unknown as object[];
    expect(member).toBeInstanceOf(After);
  });
});
