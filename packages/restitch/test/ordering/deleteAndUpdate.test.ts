/** A DELETE and an update of one record overlap, and both succeed: the server ran the update first, so the record is gone. */
import type { ServerResponse } from 'node:http';
import { All, Controller, Entity, resource } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Ticket extends Entity {
  id = 0;
  subject = '';
  status = 'new';
}
const ticket = { id: 1, subject: 'a', status: 'closed' };
const edited = { id: 1, subject: 'edited', status: 'closed' };

let held: Record<string, ServerResponse>;
let controller: Controller;

beforeEach(async () => {
  held = {};
  controller = new Controller();
  server.respond(({ method }, response) => {
    if (method === 'GET') return [ticket];
    held[method] = response;
    return undefined;
  });
  await controller.fetch(Tickets(false).getList);
});

function Tickets(optimistic: boolean) {
  return resource({
    urlPrefix: server.origin,
    path: '/tickets/:id',
    schema: Ticket,
    optimistic,
    body: {} as object,
    searchParams: {} as { status?: string } | undefined,
  });
}

const stored = () => controller.get(Ticket, { id: 1 });

/** Starts both requests and waits until the server has them. */
async function overlap(optimistic: boolean, edit: 'partialUpdate' | 'move' = 'partialUpdate') {
  const { delete: remove, ...Other } = Tickets(optimistic);
  const removed = controller.fetch(remove, { id: 1 });
  const update = edit === 'move' ? Other.getList.move : Other.partialUpdate;
  const changed = controller.fetch(update, { id: 1 }, { subject: 'edited' });
  await expect.poll(() => Object.keys(held).toSorted()).toEqual(['DELETE', 'PATCH']);
  const answer = (method: string, status: number, body?: object) =>
    held[method]
      ?.writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  return {
    removes: (status = 204) => (answer('DELETE', status), removed),
    changes: (body: object = edited) => (answer('PATCH', 200, body), changed),
  };
}

describe.each([false, true])(
  'an update that starts during a delete, optimistic: %j',
  (optimistic) => {
    it.each(['partialUpdate', 'move'] as const)('does not restore the record: %s', async (edit) => {
      const both = await overlap(optimistic, edit);
      await both.changes();
      await both.removes();
      expect(stored()).toBeUndefined();
      expect(controller.get(new All(Ticket))).toEqual([]);
    });

    it('does not restore it either where the delete is confirmed first', async () => {
      const both = await overlap(optimistic);
      await both.removes();
      await both.changes();
      expect(stored()).toBeUndefined();
    });

    it('shows where the delete fails', async () => {
      const both = await overlap(optimistic);
      await both.changes();
      await expect(both.removes(500)).rejects.toThrow();
      expect(stored()).toMatchObject(edited);
    });

    it('resolves to the whole record, although the response has only a part', async () => {
      const both = await overlap(optimistic);
      await expect(both.changes({ id: 1, subject: 'edited' })).resolves.toMatchObject(edited);
      await both.removes();
      expect(stored()).toBeUndefined();
    });

    it('does not hide the record from a response to a later read', async () => {
      const both = await overlap(optimistic);
      await both.changes();
      await both.removes();
      await controller.fetch(Tickets(false).getList, { status: 'closed' });
      expect(stored()).toMatchObject(ticket);
    });
  },
);

it('a create with the key of a record that is being deleted restores it', async () => {
  const Optimistic = Tickets(true);
  const removed = controller.fetch(Optimistic.delete, { id: 1 });
  const created = controller.fetch(Optimistic.getList.push, { id: 1, subject: 'again' });
  await expect.poll(() => Object.keys(held).toSorted()).toEqual(['DELETE', 'POST']);
  held['DELETE']?.writeHead(204).end();
  await removed;
  held['POST']?.writeHead(201, { 'content-type': 'application/json' });
  held['POST']?.end(JSON.stringify({ id: 1, subject: 'again' }));
  await created;
  expect(stored()).toMatchObject({ id: 1, subject: 'again', status: 'new' });
});

it('an update that starts after a delete was confirmed restores the record', async () => {
  const removed = controller.fetch(Tickets(true).delete, { id: 1 });
  await expect.poll(() => held['DELETE']).toBeDefined();
  held['DELETE']?.writeHead(204).end();
  await removed;
  server.respond(() => edited);
  await controller.fetch(Tickets(true).update, { id: 1 }, { subject: 'edited' });
  expect(stored()).toMatchObject(edited);
});

describe.each([false, true])(
  'a stored delete, such as a stream message, while an update is in flight, optimistic: %j',
  (optimistic) => {
    it.each(['partialUpdate', 'move'] as const)('removes the record for good: %s', async (edit) => {
      const { delete: remove, getList, partialUpdate } = Tickets(optimistic);
      const update = edit === 'move' ? getList.move : partialUpdate;
      const changed = controller.fetch(update, { id: 1 }, { subject: 'edited' });
      await expect.poll(() => Object.keys(held)).toEqual(['PATCH']);
      controller.setResponse(remove, { id: 1 }, undefined);
      expect(stored()).toBeUndefined();
      expect(controller.get(getList.schema)).toEqual([]);

      held['PATCH']
        ?.writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(edited));
      await changed;
      expect(stored()).toBeUndefined();
      expect(controller.get(getList.schema)).toEqual([]);
    });
  },
);
