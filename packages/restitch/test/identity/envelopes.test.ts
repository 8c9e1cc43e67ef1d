/** A read whose response is a record in an envelope is served from the row that its arguments name, as a bare record is. */
import {
  Controller,
  CustomSchema,
  Endpoint,
  Entity,
  indexBy,
  Query,
  resource,
  RestEndpoint,
  Union,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  server.respond(({ url }) => {
    const id = url.split('/').at(-1);
    return { data: { id, name: `from ${url}` } };
  });
});

const read = <S>(schema: S) =>
  new RestEndpoint({ urlPrefix: server.origin, path: '/users/:id', schema });
const known = (): void => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' });

describe('a read of an enveloped record', () => {
  it('reads a row that is known, without a request', async () => {
    known();
    const getUser = read({ data: User });
    const expected = { data: controller.get(User, { id: '1' }) };
    expect(controller.getResponse(getUser, { id: '1' })).toEqual(expected);
    expect(await controller.fetchIfStale(getUser, { id: '1' })).toEqual(expected);
    expect(controller.get({ data: User }, { id: '1' })).toEqual(expected);
    expect(server.seen).toHaveLength(0);
  });

  it('waits while the row is not known, and is notified when the row arrives', async () => {
    const getUser = read({ data: User });
    const view = controller.observe(getUser, { id: '1' });
    let notified = 0;
    view.subscribe(() => {
      notified += 1;
    });
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    known();
    expect(notified).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { data: { name: 'Ada' } } });
    controller.set(User, { id: '1' }, { name: 'Grace' });
    expect(view.getSnapshot()).toMatchObject({ data: { data: { name: 'Grace' } } });
  });

  it('shows its own response once it has one', async () => {
    known();
    const getUser = read({ data: User });
    await controller.fetch(getUser, { id: '1' });
    expect(controller.getResponse(getUser, { id: '1' })?.data.name).toBe('from /users/1');
  });

  it('reads the output of optimistic functions, too', async () => {
    known();
    const getUser = read({ data: User });
    let seen: unknown;
    const rename = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users/:id',
      method: 'PATCH',
      body: {} as { name: string },
      schema: { data: User },
      getOptimisticResponse(snapshot, { id }, { name }) {
        seen = snapshot.getResponse(getUser, { id })?.data.name;
        return { data: { id, name } };
      },
    });
    const sent = controller.fetch(rename, { id: '1' }, { name: 'Grace' });
    expect(controller.getResponse(getUser, { id: '1' })?.data.name).toBe('Grace');
    expect(seen).toBe('Ada');
    await sent;
  });

  it('is pending while its row is deleted, and after the endpoint was invalidated', async () => {
    known();
    const getUser = read({ data: User });
    const gone = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User }).delete;
    await controller.invalidate(getUser, { id: '1' });
    expect(controller.getResponse(getUser, { id: '1' })).toBeUndefined();
    const other = getUser.extend({ path: '/people/:id' });
    expect(controller.getResponse(other, { id: '1' })?.data.name).toBe('Ada');
    await controller.fetch(gone, { id: '1' });
    expect(controller.observe(other, { id: '1' }).getSnapshot()).toEqual({
      status: 'pending',
      deleted: true,
    });
  });

  it('waits for its own response where the row lacks fields', async () => {
    controller.set(User, { id: '1' }, { id: '1' });
    const getUser = read({ data: User });
    expect(controller.getResponse(getUser, { id: '1' })).toBeUndefined();
    await controller.fetchIfStale(getUser, { id: '1' });
    expect(server.seen).toHaveLength(1);
  });

  it('may be of a union', () => {
    known();
    const getUser = read({ data: new Union({ user: User }, () => 'user') });
    expect(controller.getResponse(getUser, { id: '1' })?.data).toBeInstanceOf(User);
  });
});

describe('a read does not use a stored row', () => {
  it.each<[string, unknown, `/${string}`]>([
    ['whose envelope holds a plain value beside it', { data: User, version: 0 }, '/users/:id'],
    ['whose envelope holds another record', { data: User, owner: User }, '/users/:id'],
    ['whose path does not end with what names it', { data: User }, '/users/:id/owner'],
    [
      'whose envelope lies in a query',
      new Query({ data: User }, ({ data }) => data.name),
      '/users/:id',
    ],
  ])('%s', (_, schema, path) => {
    known();
    const endpoint = new RestEndpoint({ urlPrefix: server.origin, path, schema });
    expect(controller.getResponse(endpoint, { id: '1' })).toBeUndefined();
    expect(controller.observe(endpoint, { id: '1' }).getSnapshot()).toEqual({ status: 'pending' });
  });

  class Boxed extends CustomSchema<typeof User, { readonly boxed: User }> {
    denormalize(boxed: User) {
      return { boxed };
    }
  }
  class German extends RestEndpoint {
    override url(...args: readonly unknown[]): string {
      return `${super.url(...args)}?lang=de`;
    }
  }
  class Filled extends RestEndpoint {
    override url(...args: readonly { readonly id: string }[]): string {
      return super.url({ team: 'a', ...args[0] });
    }
  }
  class Localized extends RestEndpoint {
    override key(...args: readonly unknown[]): string {
      return `de ${super.key(...args)}`;
    }
  }
  const at = (path: string) => ({ urlPrefix: server.origin, path, schema: User });

  it.each<[string, () => RestEndpoint, object?]>([
    [
      'default search parameters',
      () => new RestEndpoint({ ...at('/users/:id'), searchParams: { lang: 'de' } }),
    ],
    [
      'a default of another path parameter',
      () => new RestEndpoint({ ...at('/teams/:team/:id'), searchParams: { team: 'a' } }),
    ],
    ['an overridden `url`', () => new German(at('/users/:id'))],
    ['an overridden `url` that fills the path in', () => new Filled(at('/teams/:team/:id'))],
    ['an overridden `key`', () => new Localized(at('/users/:id'))],
    [
      'an overridden `searchToString`',
      () => new RestEndpoint({ ...at('/users/:id'), searchToString: () => 'lang=de' }),
    ],
    ['a search parameter of the call', () => new RestEndpoint(at('/users/:id')), { lang: 'de' }],
    [
      'a body',
      () => new RestEndpoint({ ...at('/users/:id'), body: {}, sideEffect: undefined } as never),
    ],
  ])('that says more than the key by %s', async (_, make, more) => {
    for (const schema of [User, { data: User }, new Boxed(User)]) {
      controller = new Controller();
      known();
      server.respond(({ url }) => {
        const user = { id: '1', name: `from ${url}` };
        return schema === User || schema instanceof Boxed ? user : { data: user };
      });
      const read: RestEndpoint = make().extend({ schema });
      const args = [{ id: '1', ...more }, ...(read.body ? [{ lang: 'de' }] : [])];
      expect(controller.getResponse(read, ...args)).toBeUndefined();
      expect(controller.observe(read, ...args).needsLoad()).toBe(true);
      await controller.fetchIfStale(read, ...args);
      expect(JSON.stringify(controller.getResponse(read, ...args))).toContain('from /');
      expect(controller.observe(read, ...args).needsLoad()).toBe(false);
    }
  });

  class Named extends User {
    static override indexes = indexBy('name');
  }
  it.each<[string, unknown, string, object]>([
    ['a union', new Union({ user: User, named: Named }, () => 'user'), ':id', { id: '1' }],
    ['an index', Named, ':name', { name: 'Ada' }],
    ['an index in an envelope', { data: Named }, ':name', { name: 'Ada' }],
    ['a union of an index', new Union({ named: Named }, () => 'named'), ':name', { name: 'Ada' }],
  ])('for %s whose key lacks a parameter', (_, schema, param, args) => {
    known();
    const at = (path: string) =>
      new RestEndpoint({ urlPrefix: server.origin, path: path as '/users/:id', schema });
    const found = controller.observe(at(`/users/${param}`), args as { id: string });
    expect(found.getSnapshot().status).toBe('ready');
    const inTeam = { ...args, team: 'a' } as object as { id: string };
    const other = controller.observe(at(`/teams/:team/users/${param}`), inTeam);
    expect(other.getSnapshot()).toEqual({ status: 'pending' });
    expect(other.needsLoad()).toBe(true);
  });

  it('that is complete where its additions send nothing', async () => {
    known();
    const plain = new RestEndpoint({ ...at('/users/:id'), searchParams: { lang: 'de' } });
    const user = await controller.fetchIfStale(plain, { id: '1', lang: undefined } as never);
    expect(user).toMatchObject({ name: 'Ada' });
    expect(server.seen).toHaveLength(0);
  });

  it('for a function with more arguments than the key', () => {
    class Member extends Entity {
      team = '';
      nr = 0;
      override pk() {
        return `${this.team}/${this.nr}`;
      }
    }
    const getUser = new Endpoint(async (..._: readonly unknown[]) => ({ id: '1' }), {
      schema: User,
    });
    const getMember = new Endpoint(async (_: object) => ({}), { schema: Member });
    known();
    controller.set(Member, { team: 'a', nr: 1 }, { team: 'a', nr: 1 });
    for (const args of [['1'], [{ id: '1' }], [{ id: 1, lang: undefined }]]) {
      expect(controller.getResponse(getUser, ...args)?.name).toBe('Ada');
    }
    for (const args of [['1', 'de'], [{ id: '1', lang: 'de' }], [{ id: 1, lang: null }]]) {
      expect(controller.getResponse(getUser, ...args)).toBeUndefined();
    }
    expect(controller.getResponse(getMember, { team: 'a', nr: 1 })).toBeDefined();
    expect(controller.getResponse(getMember, { team: 'a', nr: 1, lang: 'de' })).toBeUndefined();
  });
});
