/** The message for a response without a primary key shows what the server sent, not what was sent to it. */
import { Controller, Entity, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Ticket extends Entity {
  id = 0;
  subject = '';
  status = '';
}

const server = await serverOfFile();
const Tickets = resource({
  urlPrefix: server.origin,
  path: '/tickets/:id',
  schema: Ticket,
});
const Wrapped = Tickets.extend('partialUpdate', { schema: { data: Ticket } });
const fix = 'add the key in `process`: `(value, { id }) => ({ ...value, id })`.';

const calls: [name: string, call: (controller: Controller) => Promise<unknown>][] = [
  ['update', ({ fetch }) => fetch(Tickets.update, { id: 3 }, { subject: 'sent' })],
  ['partialUpdate', ({ fetch }) => fetch(Tickets.partialUpdate, { id: 3 }, { subject: 'sent' })],
  ['move', ({ fetch }) => fetch(Tickets.getList.move, { id: 3 }, { subject: 'sent' })],
];

describe('a response without a primary key', () => {
  it.each(calls)(
    'is an error of %s that shows the response alone, and names the fix',
    async (_, call) => {
      server.respond(() => ({ ok: true }));
      const message: unknown = expect.stringContaining('Ticket has no primary key: {"ok":true}. ');
      await expect(call(new Controller())).rejects.toMatchObject({
        code: 'missing-primary-key',
        message,
      });
      await expect(call(new Controller())).rejects.toThrow(fix);
    },
  );

  it('is an error of an update that shows the record inside an envelope', async () => {
    server.respond(() => ({ data: { status: 'open' } }));
    const call = new Controller().fetch(Wrapped.partialUpdate, { id: 3 }, { subject: 'sent' });
    await expect(call).rejects.toThrow('no primary key: {"status":"open"}. ');
  });

  it('is an error of a create that shows the response alone', async () => {
    server.respond(() => ({ ok: true }));
    const call = new Controller().fetch(Tickets.getList.push, { subject: 'sent' });
    await expect(call).rejects.toThrow(
      'no primary key: {"ok":true}. Override `pk()` of Ticket, or add the key in `process`.',
    );
  });

  it('is an error of a read that names both fixes', async () => {
    server.respond(() => ({ subject: 'a' }));
    await expect(new Controller().fetch(Tickets.get, { id: 3 })).rejects.toThrow(
      'no primary key: {"subject":"a"}. Override `pk()` of Ticket, or add the key in `process`.',
    );
  });
});

it('the fix that the error names for an update stores the sent fields', async () => {
  server.respond(() => ({ ok: true }));
  const { partialUpdate } = Tickets.extend('partialUpdate', {
    process: (value: object, { id }: { id: number }) => ({ ...value, id }),
  });
  const controller = new Controller();
  await controller.fetch(partialUpdate, { id: 3 }, { subject: 'sent' });
  expect(controller.get(Ticket, { id: 3 })).toMatchObject({ id: 3, subject: 'sent' });
});
