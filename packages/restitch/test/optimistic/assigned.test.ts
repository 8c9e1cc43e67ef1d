/** Records that `assign` adds to a map have the fields of the path and of the body, as with `push`. */
import { Collection, Controller, Entity, resource, Values } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Ticket extends Entity {
  id = 0;
  org = '';
  title = '';
  override pk() {
    return `${this.org}/${this.id}`;
  }
}

const server = await serverOfFile();
const open = (optimistic: boolean) =>
  resource({
    urlPrefix: server.origin,
    path: '/orgs/:org/tickets/:id',
    schema: Ticket,
    optimistic,
    body: {} as object,
  }).extend('getList', { schema: new Collection(new Values(Ticket)) });

let controller: Controller;
let asked: string[];
beforeEach(() => {
  controller = new Controller();
  asked = [];
  server.respond(({ method, url, body }) => {
    asked.push(`${method} ${url}`);
    if (method === 'GET') return { a: { id: 1, org: 'a', title: 'one' } };
    return method === 'POST' ? { b: { id: 2 } } : { id: 2, org: 'a', ...JSON.parse(body) };
  });
});

const args = { org: 'a' };

describe.each([true, false])('assign, optimistic: %s', (optimistic) => {
  it('keeps the fields that were sent if the response contains only the keys', async () => {
    const Tickets = open(optimistic);
    await controller.fetch(Tickets.getList, args);
    await controller.fetch(Tickets.getList.assign, args, { b: { title: 'two' } });
    expect(controller.getResponse(Tickets.getList, args)).toEqual({
      a: { id: 1, org: 'a', title: 'one' },
      b: { id: 2, org: 'a', title: 'two' },
    });
    expect(controller.get(Ticket, { org: 'a', id: 2 })?.title).toBe('two');
  });
});

it('a pending record has a temporary key, and an edit of it waits for the real key', async () => {
  const Tickets = open(true);
  await controller.fetch(Tickets.getList, args);
  const create = controller.fetch(Tickets.getList.assign, args, { b: { title: 'two' } });
  const pending = controller.getResponse(Tickets.getList, args)?.['b'];
  expect(pending).toMatchObject({ org: 'a', title: 'two' });
  expect(pending?.id).toBeLessThan(0);
  const id = pending?.id ?? 0;
  const edit = controller.fetch(Tickets.partialUpdate, { org: 'a', id }, { title: 'edited' });
  expect(controller.getResponse(Tickets.getList, args)?.['b']?.title).toBe('edited');
  await Promise.all([create, edit]);
  expect(asked.slice(1)).toEqual(['POST /orgs/a/tickets', 'PATCH /orgs/a/tickets/2']);
  expect(controller.getResponse(Tickets.getList, args)?.['b']).toEqual({
    id: 2,
    org: 'a',
    title: 'edited',
  });
});

it('two pending records of one call have different keys', () => {
  const Tickets = open(true);
  controller.setResponse(Tickets.getList, args, {});
  const bodies = { b: { title: 'b' }, c: { title: 'c' } };
  void controller.fetch(Tickets.getList.assign, args, bodies).catch(() => {});
  const { b, c } = controller.getResponse(Tickets.getList, args) ?? {};
  expect([b?.title, c?.title, b?.id !== c?.id]).toEqual(['b', 'c', true]);
});
