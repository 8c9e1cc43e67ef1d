import { Controller, Entity, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { CamelCaseEndpoint, convertKeys, toCamelCase, toSnakeCase } from '../src/keyCase.js';
import { startServer } from './support/server.js';

describe('responses', () => {
  it('have camelCase keys at every depth, in objects and arrays', async () => {
    const sent = {
      user_name: 'Ada',
      last_login: null,
      home_address: { zip_code: '1', phone_numbers: [{ area_code: 2 }, 'x_y', [{ a_b: true }]] },
    };
    const { origin } = await startServer(() => ({ body: sent }));
    const get = new CamelCaseEndpoint({ urlPrefix: origin, path: '/users/:id' });
    expect(await get({ id: 1 })).toEqual({
      userName: 'Ada',
      lastLogin: null,
      homeAddress: { zipCode: '1', phoneNumbers: [{ areaCode: 2 }, 'x_y', [{ aB: true }]] },
    });
  });

  it('that are lists, text or nothing at all are converted where there are keys', async () => {
    const replies = [[{ first_name: 'Ada' }], 'a_b', null];
    const { origin } = await startServer(() => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(replies.shift()),
    }));
    const get = new CamelCaseEndpoint({ urlPrefix: origin, path: '/x' });
    expect([await get(), await get(), await get()]).toEqual([[{ firstName: 'Ada' }], 'a_b', null]);
  });
});

describe('bodies', () => {
  it('are sent in snake_case, as the names of search parameters, while path parameters stay as they are', async () => {
    const server = await startServer(() => ({ status: 204 }));
    const create = new CamelCaseEndpoint({
      urlPrefix: server.origin,
      path: '/users/:teamId',
      body: {} as { userName: string; phoneNumbers: { areaCode: number }[] },
      searchParams: {} as { dryRun: boolean },
    });
    await create({ teamId: 1, dryRun: true }, { userName: 'Ada', phoneNumbers: [{ areaCode: 2 }] });
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/users/1?dry_run=true' });
    expect(server.bodies()).toEqual([{ user_name: 'Ada', phone_numbers: [{ area_code: 2 }] }]);
  });

  it('are not changed where the caller holds them', async () => {
    const { origin } = await startServer(() => ({ status: 204 }));
    const body = { userName: 'Ada', tags: [{ tagName: 'x' }] };
    await new CamelCaseEndpoint({ urlPrefix: origin, path: '/x', body: {} as object })(body);
    expect(body).toEqual({ userName: 'Ada', tags: [{ tagName: 'x' }] });
  });

  it.each([undefined, null, '', 0, false])('that are falsy (%s) pass unchanged', async (body) => {
    const server = await startServer(() => ({ status: 204 }));
    await new CamelCaseEndpoint({ urlPrefix: server.origin, path: '/x', method: 'POST' })(body);
    expect(server.seen[0]?.body).toBe(body === '' ? '' : (JSON.stringify(body) ?? ''));
  });

  it('that are forms or hold dates are sent as they are', async () => {
    const server = await startServer(() => ({ status: 204 }));
    const post = new CamelCaseEndpoint({ urlPrefix: server.origin, path: '/x', method: 'POST' });
    await post(new URLSearchParams({ userName: 'Ada' }));
    await post({ bornAt: new Date(0) });
    expect(server.seen.map(({ body }) => body)).toEqual([
      'userName=Ada',
      '{"born_at":"1970-01-01T00:00:00.000Z"}',
    ]);
  });
});

it('serves every endpoint of a resource, and the entities are in camelCase', async () => {
  class User extends Entity {
    id = '';
    firstName = '';
  }
  const server = await startServer(({ method }) => ({
    body: method === 'GET' ? [{ id: '1', first_name: 'Ada' }] : { id: '1', first_name: 'Grace' },
  }));
  const Users = resource({
    urlPrefix: server.origin,
    path: '/users/:id',
    schema: User,
    Endpoint: CamelCaseEndpoint,
  });
  const controller = new Controller();
  const [user] = await controller.fetch(Users.getList);
  expect(user).toBeInstanceOf(User);
  expect(user?.firstName).toBe('Ada');
  await controller.fetch(Users.partialUpdate, { id: '1' }, { firstName: 'Grace' });
  expect(server.seen[1]?.body).toBe('{"first_name":"Grace"}');
  expect(controller.get(User, { id: '1' })?.firstName).toBe('Grace');
});

it.each([
  ['user_name', 'userName'],
  ['_id', '_id'],
  ['address_line_a', 'addressLineA'],
  ['name', 'name'],
])('%s and %s are each other', (snake, camel) => {
  expect(toCamelCase(snake)).toBe(camel);
  expect(toSnakeCase(camel)).toBe(snake);
});

it('keeps acronyms together on the way out', () => {
  expect(toSnakeCase('userID')).toBe('user_id');
  expect(toSnakeCase('parseHTMLText')).toBe('parse_html_text');
});

it('makes keys such as __proto__ ordinary data', () => {
  const copy = convertKeys(JSON.parse('{"__proto__":{"is_admin":true}}'), toCamelCase) as object;
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true}}');
});
