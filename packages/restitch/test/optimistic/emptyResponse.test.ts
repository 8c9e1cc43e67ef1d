/** An empty response (204) to an update: `optimistic: true` changes what shows before the response, and nothing after it. */
import {
  Controller,
  type EndpointInterface,
  Entity,
  resource,
  RestEndpoint,
  type Snapshot,
} from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Team extends Entity {
  static override key = 'Team';
  id = 0;
  name = '';
}

class Ticket extends Entity {
  static override key = 'Ticket';
  id = '';
  title = '';
  n = 0;
  team: Team | undefined = undefined;
  static override schema = { team: Team };
}

const tickets = [
  { id: '1', title: 'one', n: 1, org: { slug: 'acme' }, team: { id: 3, name: 'Core' } },
  { id: '2', title: 'two', n: 2 },
];

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

const bodies = {
  'declared fields': () => ({ title: 'new' }),
  'an undeclared field': () => ({ title: 'new', password: 'secret' }),
  'the key of another record': () => ({ id: '2', title: 'new' }),
  'a form with the key of another record': () => form({ id: '2', title: 'new' }),
  'a text': () => '{"title":"x"}',
  'an array': () => ['a', 'b'],
  bytes: () => new Uint8Array([7, 8]),
};

const calls: Record<string, (optimistic: boolean) => EndpointInterface> = {
  partialUpdate: (optimistic: boolean) => Tickets(optimistic).partialUpdate,
  update: (optimistic: boolean) => Tickets(optimistic).update,
  move: (optimistic: boolean) => Tickets(optimistic).getList.move,
  'a path below the record': (optimistic: boolean) =>
    Tickets(optimistic).partialUpdate.extend({
      path: '/orgs/:org/teams/:team/tickets/:id/cover',
      method: 'POST',
    }),
  'a move at a path below the record': (optimistic: boolean) =>
    Tickets(optimistic).getList.move.extend({
      path: '/orgs/:org/teams/:team/tickets/:id/comment',
      method: 'POST',
    }),
};

function Tickets(optimistic: boolean) {
  return resource({
    urlPrefix: server.origin,
    path: '/orgs/:org/teams/:team/tickets/:id',
    schema: Ticket,
    optimistic,
    body: {} as object,
  });
}

const place = { org: 'acme', team: '3' };

async function after204(
  call: (optimistic: boolean) => EndpointInterface,
  body: unknown,
  optimistic: boolean,
) {
  const controller = new Controller();
  server.respond(({ method }, response) => {
    if (method === 'GET') return tickets;
    response.writeHead(204).end();
    return undefined;
  });
  await controller.fetch(Tickets(false).getList, place);
  const value: unknown = await controller.fetch(call(optimistic), { ...place, id: '1' }, body);
  return {
    value,
    state: JSON.stringify(getState(controller)),
    first: controller.get(Ticket, { id: '1' }),
    list: controller.getResponse(Tickets(false).getList, place),
  };
}

describe.each(Object.entries(calls))('%s', (_, call) => {
  it.each(Object.entries(bodies))(
    'stores the same with and without optimistic updates: %s',
    async (_name, body) => {
      const plain = await after204(call, body(), false);
      const optimistic = await after204(call, body(), true);
      expect(optimistic.list).toEqual(plain.list);
      expect(optimistic.value).toEqual(plain.value);
      expect(optimistic.state).not.toContain('secret');
      expect(optimistic.first).toMatchObject({
        org: { slug: 'acme' },
        team: { name: 'Core' },
      });
      expect(optimistic.list?.find(({ id }) => id === '2')).toMatchObject({ title: 'two' });
    },
  );
});

it('resolves to the record, also with an optimistic function of its own', async () => {
  const vote = Tickets(false).partialUpdate.extend({
    getOptimisticResponse: (snapshot) => ({
      id: '1',
      n: (snapshot.get(Ticket, { id: '1' })?.n ?? 0) + 1,
    }),
  });
  const { value } = await after204(() => vote, {}, true);
  expect(value).toMatchObject({ id: '1', title: 'one', n: 2 });
});

class Seat extends Entity {
  static override key = 'Seat';
  id = 0;
  org = '';
  title = '';
  override pk() {
    return `${this.org}/${this.id}`;
  }
}

it.each([false, true])(
  'stores the sent fields of a record with a key of several fields, optimistic: %j',
  async (optimistic) => {
    const Seats = resource({
      urlPrefix: server.origin,
      path: '/orgs/:org/seats/:id',
      schema: Seat,
      optimistic,
      body: {} as object,
    });
    const controller = new Controller();
    server.respond(({ method }, response) => {
      if (method === 'GET') return [{ id: 1, org: 'a', title: 'old' }];
      response.writeHead(204).end();
      return undefined;
    });
    await controller.fetch(Seats.getList, { org: 'a' });
    for (const call of [Seats.partialUpdate, Seats.update, Seats.getList.move]) {
      const title = `by ${call.name}`;
      const value = await controller.fetch(call, { org: 'a', id: '1' }, { title });
      expect(value).toMatchObject({ id: 1, org: 'a', title });
      expect(controller.get(Seat, { org: 'a', id: 1 })).toMatchObject({ id: 1, org: 'a', title });
    }
  },
);

it.each([false, true])(
  'a move at a path below the record stores only the response, optimistic: %j',
  async (optimistic) => {
    const comment = Tickets(optimistic).getList.move.extend({
      path: '/orgs/:org/teams/:team/tickets/:id/comment',
      method: 'POST',
    });
    const controller = new Controller();
    server.respond(({ method }) => (method === 'GET' ? tickets : { id: '1', n: 5 }));
    await controller.fetch(Tickets(false).getList, place);
    const body = { title: 'title of the comment' };
    await controller.fetch(comment, { ...place, id: '1' }, body);
    expect(controller.get(Ticket, { id: '1' })).toMatchObject({ title: 'one', n: 5 });
  },
);

describe('an optimistic update that is skipped', () => {
  it.each([
    ['at once', () => {}],
    ['after a read of the record', (snapshot: Snapshot) => void snapshot.get(Ticket, { id: '2' })],
    [
      'after a read of the response',
      (snapshot: Snapshot) => void snapshot.getResponse(Tickets(true).get, { id: '2' } as never),
    ],
  ])('stores the sent fields: %s', async (_, read) => {
    server.respond((__, response) => void response.writeHead(204).end());
    const controller = new Controller();
    controller.set(Ticket, { id: '2' }, { title: 'two' });
    const update = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/tickets/:id',
      method: 'PATCH',
      schema: Ticket,
      body: {} as { title: string },
      getOptimisticResponse(snapshot) {
        read(snapshot);
        throw snapshot.abort;
      },
    });
    const saved = await controller.fetch(update, { id: '2' }, { title: 'new' });
    expect([saved.title, controller.get(Ticket, { id: '2' })?.title]).toEqual(['new', 'new']);
  });
});
