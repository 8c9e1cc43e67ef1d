/** An empty response to a read of a record or a list is an error, unless the endpoint allows it. */
import {
  All,
  Collection,
  Controller,
  Endpoint,
  type EndpointInterface,
  Entity,
  Query,
  resource,
  RestEndpoint,
  SchemaError,
  Union,
  Values,
} from 'restitch';
import { beforeEach, describe, expect, test } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});

class User extends Entity {
  id = '';
  type = 'user';
  name = '';
  static override key = 'User';
}

/** Each way in which a server sends an empty response. */
const nothing: Readonly<Record<string, () => void>> = {
  'a 204': () => server.raw(204, undefined, ''),
  'an empty body': () => server.raw(200, 'application/json', ''),
  'JSON null': () => server.raw(200, 'application/json', 'null'),
};

const schemas: Readonly<Record<string, unknown>> = {
  'an entity': User,
  'a union': new Union({ user: User }, 'type'),
  'an array': [User],
  'a collection': new Collection([User]),
  'a map': new Values(User),
  'all of a class': new All(User),
  'a query': new Query(new Collection([User]), (users) => users.length),
  'an envelope': { data: User },
};

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an empty response to a read with a schema', () => {
  test.each(Object.keys(nothing))('is an error that names the endpoint: %s', async (how) => {
    nothing[how]?.();
    const getUser = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users/:id/partner',
      schema: User,
      name: 'getPartner',
    });
    const error = await failure(controller.fetch(getUser, { id: '1' }));
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({ code: 'unexpected-empty', status: 400 });
    expect(String(error)).toContain('getPartner');
    expect(controller.getError(getUser, { id: '1' })).toBe(error);
    expect(controller.getResponse(getUser, { id: '1' })).toBe(undefined);
  });

  test.each(Object.keys(schemas))('is an error where the schema is %s', async (kind) => {
    server.raw(204, undefined, '');
    const read = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/things',
      schema: schemas[kind],
    });
    expect(await failure(controller.fetch(read))).toMatchObject({ code: 'unexpected-empty' });
  });

  test.each(Object.keys(schemas))('is null with `nullable: true`: %s', async (kind) => {
    server.raw(204, undefined, '');
    const read = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/things',
      schema: schemas[kind],
      nullable: true,
    });
    expect(await controller.fetch(read)).toBe(null);
    expect(controller.getResponse(read)).toBe(null);
    expect(controller.observe(read).getSnapshot()).toMatchObject({ status: 'ready', data: null });
  });

  test('keeps what readers had, and is their error', async () => {
    const getUser = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users/:id',
      schema: User,
    });
    server.respond(() => ({ id: '1', name: 'Ada' }));
    await controller.fetch(getUser, { id: '1' });
    server.raw(204, undefined, '');
    await failure(controller.fetch(getUser, { id: '1' }));
    expect(controller.get(User, { id: '1' })).toMatchObject({ name: 'Ada' });
    expect(controller.observe(getUser, { id: '1' }).getSnapshot()).toMatchObject({
      status: 'error',
      error: { code: 'unexpected-empty' },
    });
  });

  test('is an error for a read with a body, for a page and for a function, too', async () => {
    server.raw(204, undefined, '');
    const search = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/search',
      method: 'POST',
      sideEffect: undefined,
      body: {} as { q: string },
      schema: [User],
    });
    const getList = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users',
      schema: new Collection([User]),
      paginationField: 'page',
    });
    const find = new Endpoint(async (_id: string): Promise<unknown> => undefined, {
      name: 'find',
      schema: User,
    });
    for (const asked of [
      controller.fetch(search, { q: 'a' }),
      controller.fetch(getList.getPage, { page: 2 }),
      controller.fetch(find, '1'),
    ]) {
      expect(await failure(asked)).toMatchObject({ code: 'unexpected-empty' });
    }
  });

  test('is what `process` makes of it', async () => {
    server.raw(204, undefined, '');
    const getList = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users',
      schema: [User],
      process: (value: unknown) => value ?? [],
    });
    expect(await controller.fetch(getList)).toEqual([]);
  });

  test('is refused by setResponse alike, and taken with `nullable: true`', () => {
    const getUser = new RestEndpoint({ path: '/users/:id', schema: User });
    // The cast: the type refuses it, too.
    expect(() => controller.setResponse(getUser, { id: '1' }, null as never)).toThrow(
      expect.objectContaining({ code: 'unexpected-empty' }),
    );
    const getPartner = getUser.extend({ path: '/users/:id/partner', nullable: true });
    controller.setResponse(getPartner, { id: '1' }, null);
    expect(controller.getResponse(getPartner, { id: '1' })).toBe(null);
  });
});

describe('an empty response is as before', () => {
  const Users = () => resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });

  test('to a direct call', async () => {
    server.raw(204, undefined, '');
    expect(await Users().get({ id: '1' })).toBe(null);
  });

  test('to mutations', async () => {
    server.raw(204, undefined, '');
    const users = Users();
    expect(await failure(controller.fetch(users.update, { id: '1' }, {}))).toBe(undefined);
    expect(await failure(controller.fetch(users.partialUpdate, { id: '1' }, {}))).toBe(undefined);
    expect(await failure(controller.fetch(users.getList.push, { name: 'Ada' }))).toBe(undefined);
    expect(await failure(controller.fetch(users.delete, { id: '1' }))).toBe(undefined);
  });

  test.each<[string, EndpointInterface<[]>]>([
    ['without a schema', new RestEndpoint({ path: '/ping' })],
    ['with a sample of plain values', new RestEndpoint({ path: '/ping', schema: { at: '' } })],
  ])('to a read %s', async (_, endpoint) => {
    server.raw(204, undefined, '');
    expect(await controller.fetch(endpoint.extend({ urlPrefix: server.origin }))).toBe(null);
  });
});
