/** A body that has other fields than the class. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

interface Sent {
  readonly id: number;
  readonly team_id: number;
}

class Task extends Entity {
  id = 0;
  team = 0;
  static override process({ team_id, ...rest }: Partial<Sent>): unknown {
    return team_id === undefined ? rest : { ...rest, team: team_id };
  }
}

const cases = (['204', 'partial', 'whole'] as const).flatMap((answer) =>
  [{ team_id: 2 }, { target: 'team2' }, { data: { team: 2 } }].flatMap((body) =>
    [true, false].map((optimistic) => ({ answer, body, optimistic })),
  ),
);

it.each(cases)(
  'puts the record into its new list: $answer, $body, optimistic: $optimistic',
  async ({ answer, body, optimistic }) => {
    let rows: Sent[] = [
      { id: 1, team_id: 1 },
      { id: 2, team_id: 2 },
    ];
    server.respond(({ method, url }, response) => {
      if (method === 'GET') {
        return rows.filter(({ team_id }) => url.endsWith(`=${team_id}`));
      }
      rows = rows.map((row) => (row.id === 1 ? { ...row, team_id: 2 } : row));
      if (answer === '204') return void response.writeHead(204).end();
      return answer === 'partial' ? { id: 1 } : rows[0];
    });
    const Tasks = resource({
      urlPrefix: server.origin,
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { team: number },
      body: {} as object,
      optimistic,
    });
    const controller = new Controller();
    for (const team of [1, 2]) {
      const view = controller.observe(Tasks.getList, { team });
      view.subscribe(() => {
        if (view.needsLoad(true)) void view.load();
      });
      await view.load();
    }
    await controller.fetch(Tasks.getList.move, { id: 1 }, body);
    const shown = () =>
      [1, 2].map((team) =>
        controller
          .getResponse(Tasks.getList, { team })
          ?.map(({ id }) => id)
          .sort((a, b) => a - b),
      );
    await expect.poll(shown).toEqual([[], [1, 2]]);
  },
);

it('a sent object without the list in it is fetched again', async () => {
  class Ticket extends Entity {
    id = '';
    thread: { comments: Task[]; status: string } | undefined = undefined;
    static override schema = { thread: { comments: new Collection([Task]), status: '' } };
  }
  const ticket = { id: '1', thread: { comments: [{ id: 1 }], status: 'open' } };
  server.respond(({ method, body }, response) => {
    if (method === 'GET') return ticket;
    Object.assign(ticket.thread, JSON.parse(body).thread);
    return void response.writeHead(204).end();
  });
  const Tickets = resource({
    urlPrefix: server.origin,
    path: '/tickets/:id',
    schema: Ticket,
    body: {} as object,
  });
  const controller = new Controller();
  const view = controller.observe(Tickets.get, { id: '1' });
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  await controller.fetch(Tickets.partialUpdate, { id: '1' }, { thread: { status: 'closed' } });
  await expect
    .poll(() => controller.getResponse(Tickets.get, { id: '1' })?.thread)
    .toMatchObject({ status: 'closed', comments: [{ id: 1 }] });
});
