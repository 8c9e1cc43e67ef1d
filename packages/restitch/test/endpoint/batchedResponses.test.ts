import { batched, Controller, Entity, resource, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class User extends Entity {
  id = '';
  name = '';
  static override readonly key = 'User';
}

const server = await serverOfFile();

function open() {
  const urlPrefix = server.origin;
  const many = new RestEndpoint({
    urlPrefix,
    name: 'getUsers',
    path: '/users',
    searchParams: {} as { ids: readonly string[] },
  });
  const plain = resource({ urlPrefix, path: '/users/:id', schema: User });
  const Users = plain.extend(({ get }) => ({ get: batched(get, { many, param: 'ids' }) }));
  return { controller: new Controller(), Users, plain, many };
}

describe('reads of a batched endpoint', () => {
  it('are a 404 for a record that the response names as null', async () => {
    const { controller, Users } = open();
    server.respond(() => [{ id: '1', name: 'a' }, null, { id: '3', name: 'c' }]);
    const outcomes = await Promise.allSettled(
      ['1', '2', '3'].map((id) => controller.fetch(Users.get, { id })),
    );
    expect(outcomes).toMatchObject([
      { value: { name: 'a' } },
      { reason: { name: 'NetworkError', status: 404 } },
      { value: { name: 'c' } },
    ]);
  });

  class ByCode extends Entity {
    id = '';
    code = '';
    static override key = 'BatchedByCode';
    override pk() {
      return this.code;
    }
  }

  class ByOwner extends Entity {
    owner = User.fromJS();
    code = '';
    static override key = 'BatchedByOwner';
    static override schema = { owner: User };
    override pk() {
      return this.owner.id;
    }
  }

  class ByPrefix extends Entity {
    id = '';
    static override key = 'BatchedByPrefix';
    override pk() {
      return `user-${this.id}`;
    }
  }

  it.each([
    ['/users/:id', ByPrefix, 'id'],
    ['/users/:id', ByCode, 'code'],
    ['/users/:code', ByCode, 'code'],
    ['/users/:userId', User, 'id'],
    ['/users/:owner', ByOwner, 'code'],
  ])('find the records by their primary key: %s', async (path, schema, field) => {
    const urlPrefix = server.origin;
    const { controller, many } = open();
    const plain = resource({ urlPrefix, path, schema } as never) as any;
    const get = batched(plain.get, { many, param: 'ids' }) as any;
    const rows = [
      { id: 'b', code: 'a', owner: { id: 'a' } },
      { id: 'a', code: 'b', owner: { id: 'b' } },
    ];
    server.respond(() => rows);
    const name = path.replace('/users/:', '');
    const found = await Promise.all(
      ['a', 'b'].map((key) => controller.fetch(get, { [name]: key } as never)),
    );
    expect(found).toMatchObject([{ [field]: 'a' }, { [field]: 'b' }]);
  });

  it('are a 404 each if the response is empty', async () => {
    const { controller, Users, many, plain } = open();
    const get = batched(plain.get, { many, param: 'ids' });
    server.respond((_, response) => void response.writeHead(204).end());
    const outcomes = await Promise.allSettled(
      ['1', '2'].map((id) => controller.fetch(get, { id })),
    );
    expect(outcomes).toMatchObject([{ reason: { status: 404 } }, { reason: { status: 404 } }]);
    expect(controller.getError(Users.get, { id: '1' })).toMatchObject({ status: 404 });
  });

  it.each<readonly [name: string, body: unknown, cause: string]>([
    ['no array', { 1: { id: '1' }, 2: { id: '2' } }, 'it is {"1":{"id":"1"}'],
    ['an array of keys', { found: ['1'], items: [{ id: '1' }] }, 'an entry is "1"'],
    ['text', 'maintenance', 'it is "maintenance"'],
  ])('name the request if its response has %s', async (_, body, cause) => {
    const { controller, Users } = open();
    server.respond(() => body);
    const outcomes = await Promise.allSettled(
      ['1', '2'].map((id) => controller.fetch(Users.get, { id })),
    );
    const message: unknown = expect.stringMatching(/^getUsers: .*GET .*\/users\?ids=1&ids=2 /);
    const text: unknown = expect.stringContaining(cause);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: 'unexpected-shape', status: 400 } });
      expect(outcome).toMatchObject({ reason: { message } });
      expect(outcome).toMatchObject({ reason: { message: text } });
    }
  });

  it('name the request if `rows` returns nothing', async () => {
    const { controller, plain, many } = open();
    const rows = ({ items }: { items?: object[] }) => items as object[];
    const get = batched(plain.get, { many, param: 'ids', rows });
    const [outcome] = await Promise.allSettled(
      ['1', '2'].map((id) => controller.fetch(get, { id })),
    );
    expect(outcome).toMatchObject({ reason: { code: 'unexpected-shape' } });
  });
});
