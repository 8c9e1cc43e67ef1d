/** What the parameters of a create say is part of the created record, where its class declares such a field. */
import { Collection, Controller, Entity, Query, resource, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Member extends Entity {
  id = '';
  team = '';
  year = 0;
  name = '';
}

const server = await serverOfFile();
let controller: Controller;
let response: object;
beforeEach(() => {
  controller = new Controller();
  response = { id: '7' };
  server.respond(({ method }) => (method === 'GET' ? [] : response));
});

const path = '/teams/:team/:year/members/:id' as const;
const members = (optimistic = true) =>
  resource({ urlPrefix: server.origin, path, schema: Member, optimistic });
const of = { team: '1', year: '2020' };
const of1 = { team: '1', year: 2020 };

describe('a member that is created below a path', () => {
  it('shows the parameters that its class declares, in the type of their defaults', async () => {
    const { getList } = members();
    await controller.fetch(getList, of);
    const created = controller.fetch(getList.push, of, { name: 'Ada' });
    const expected = { ...of1, name: 'Ada' };
    expect(controller.getResponse(getList, of)).toMatchObject([expected]);
    const ofTeam = new Query(getList.schema, (rows) => rows.filter(({ team }) => team === '1'));
    expect(controller.get(ofTeam, of)).toHaveLength(1);
    expect(await created).toMatchObject({ ...expected, id: '7' });
    expect(controller.getResponse(getList, of)).toMatchObject([{ ...expected, id: '7' }]);
  });

  it('has texts for numbers and for segments, where its class declares texts', async () => {
    const files = resource({
      urlPrefix: server.origin,
      path: '/teams/*team/members/:id',
      schema: Member,
    });
    const { getList } = members();
    const numbers = { team: 1, year: 2020 };
    await controller.fetch(getList, numbers);
    const created = controller.fetch(getList.push, numbers, { name: 'Ada' });
    expect(controller.getResponse(getList, numbers)).toMatchObject([of1]);
    expect(await created).toMatchObject(of1);
    response = { id: '8' };
    const nested = await controller.fetch(files.getList.push, { team: ['a', 'b'] }, {});
    expect(nested).toMatchObject({ id: '8', team: 'a/b' });
  });

  it('is in a list whose own rule looks at those fields', async () => {
    const getList = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/teams/:team/members',
      schema: new Collection([Member], {
        createCollectionFilter: () => (wanted, record) => record['team'] === wanted['team'],
      }),
    });
    const push = getList.push.extend({
      getOptimisticResponse: (_: unknown, __: unknown, body: { name: string }) => body,
    });
    await controller.fetch(getList, { team: '1' });
    const created = controller.fetch(push, { team: '1' }, { name: 'Ada' });
    expect(controller.getResponse(getList, { team: '1' })).toMatchObject([{ team: '1' }]);
    await created;
    expect(controller.getResponse(getList, { team: '1' })).toMatchObject([{ id: '7', team: '1' }]);
  });

  it('takes them without `optimistic` too, one of several and from a form', async () => {
    const { getList } = members(false);
    await controller.fetch(getList, of);
    server.respond(() => [{ id: '7' }, { id: '8' }]);
    await controller.fetch(getList.push, of, [{ name: 'Ada' }, { name: 'Bob' }]);
    server.respond(() => ({ id: '9' }));
    const form = new FormData();
    form.set('name', 'Cid');
    await controller.fetch(getList.push, of, form);
    expect(controller.getResponse(getList, of)).toMatchObject([
      { id: '7', team: '1', year: 2020, name: 'Ada' },
      { id: '8', team: '1', year: 2020, name: 'Bob' },
      { id: '9', team: '1', year: 2020, name: 'Cid' },
    ]);
  });

  it('is what the body says, and what the server says, before that', async () => {
    const { getList } = members();
    await controller.fetch(getList, of);
    response = { id: '7', team: '1', year: 1999 };
    const created = controller.fetch(getList.unshift, of, { team: 'body', name: 'Ada' });
    expect([...(controller.get(getList.schema, of) ?? [])]).toEqual([]);
    expect(await created).toMatchObject({ team: '1', year: 1999 });
  });

  it('does not take the key of what it belongs to', async () => {
    const getList = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/teams/:id/members',
      schema: new Collection([Member], { nonFilterArgumentKeys: ['id'] }),
    });
    const push = getList.push.extend({
      getOptimisticResponse: (_: unknown, __: unknown, body: { name: string }) => body,
    });
    await controller.fetch(getList, { id: '1' });
    const created = controller.fetch(push, { id: '1' }, { name: 'Ada' });
    expect(controller.get(Member, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(getList, { id: '1' })).toMatchObject([{ name: 'Ada' }]);
    await created;
    expect(controller.getResponse(getList, { id: '1' })).toMatchObject([{ id: '7', name: 'Ada' }]);
  });
});
