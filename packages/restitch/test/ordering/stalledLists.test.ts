/** A response that arrives after more than two minutes brings a list for the first time. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { idsOf, ignore, manual, mutation } from '../support/world.js';

class Comment extends Entity {
  id = '';
  ticket = '';
  static override key = 'StalledComment';
}
const comments = new Collection([Comment], {
  name: 'stalled comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});
class Ticket extends Entity {
  id = '';
  comments: Comment[] = [];
  static override key = 'StalledTicket';
  static override schema = { comments };
}

const MINUTE = 60_000;

/** An edit of a ticket and a new comment. The server handles the edit first, but responds to it last. */
async function open(before: number, after: number) {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, sweep: false });
  const getComments = manual('getComments', comments);
  const [edit, add] = [mutation('edit', Ticket), mutation('add', comments.push)];
  ignore(controller.fetch(edit.endpoint, { id: '2' }));
  await clock.pass(before);
  ignore(controller.fetch(add.endpoint, { ticket: '2' }, {}));
  await clock.pass(after);
  await add.respond({ id: '9', ticket: '2' });
  await edit.respond({ id: '2', comments: [{ id: '1', ticket: '2' }] });
  const list = controller.observe(getComments.endpoint, { ticket: '2' });
  const ids = () => idsOf(controller.get(comments, { ticket: '2' }));
  return { controller, getComments, list, ids };
}

it.each([
  ['a create is stalled, too', 0, 3 * MINUTE],
  ['a create began after two minutes', 3 * MINUTE, 0],
])('a list that a late mutation response brings is fetched again: %s', async (_, ...times) => {
  const { controller, getComments, list, ids } = await open(...times);
  expect(list.needsLoad()).toBe(true);
  ignore(list.load());
  await getComments.respond(['1', '9'].map((id) => ({ id, ticket: '2' })));
  expect(ids()).toEqual(['1', '9']);
  expect(idsOf(controller.get(Ticket, { id: '2' })?.comments)).toEqual(['1', '9']);
  expect(list.needsLoad()).toBe(false);
});

it('a list that a mutation response brings in time contains a later create', async () => {
  const { list, ids } = await open(0, 0);
  expect(ids()).toEqual(['1', '9']);
  // The server may have run the create first, and then removed the comment.
  expect(list.needsLoad()).toBe(true);
});

class Task extends Entity {
  id = '';
  column = '';
  static override key = 'Task of a stalled list';
}

/** The first read of a list takes more than two minutes. */
function openRead() {
  const clock = new Clock();
  const controller = new Controller({
    environment: clock.environment,
    sweep: false,
    dataExpiryLength: Infinity,
  });
  const answers: ((rows: object[]) => void)[] = [];
  const Tasks = resource({
    urlPrefix: 'http://x',
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { column: string },
    send: () =>
      new Promise((resolve) => {
        answers.push((rows) => resolve(Response.json(rows)));
      }),
  });
  const list = controller.observe(Tasks.getList, { column: 'a' });
  const answer = async (...ids: string[]) => {
    await clock.pass(0);
    answers.shift()?.(ids.map((id) => ({ id, column: 'a' })));
    await clock.pass(0);
  };
  ignore(list.load());
  return {
    clock,
    controller,
    Tasks,
    list,
    answer,
    ids: () => idsOf(controller.get(Tasks.getList.schema, { column: 'a' })),
  };
}

const MESSAGES: readonly [string, (world: ReturnType<typeof openRead>) => void][] = [
  [
    'a message that creates a record',
    ({ controller, Tasks }) =>
      controller.setResponse(Tasks.getList.push, { column: 'a' }, {}, { id: '2', column: 'a' }),
  ],
  [
    'a message that moves a record',
    ({ controller, Tasks }) =>
      controller.setResponse(Tasks.getList.move, { id: '2' }, {}, { id: '2', column: 'a' }),
  ],
  [
    'a record that the program adds',
    ({ controller, Tasks }) =>
      controller.set(Tasks.getList.schema.push, {}, { id: '2', column: 'a' }),
  ],
];

describe.each(MESSAGES)('%s during the first read of a list', (_, send) => {
  it.each([
    ['after two minutes', 3, 0],
    ['before two minutes have passed', 1, 2],
  ])('is in the list at the end, if it arrives %s', async (__, before, after) => {
    const world = openRead();
    const { clock, list, answer, ids } = world;
    await clock.pass(before * MINUTE);
    send(world);
    await clock.pass(after * MINUTE);
    // Another response ends, so that the store notices the time.
    send(world);
    await answer('1');
    expect(list.needsLoad(true)).toBe(true);
    ignore(list.load());
    await answer('1', '2');
    expect(ids()).toEqual(['1', '2']);
    expect(list.needsLoad(true)).toBe(false);
  });

  it('is in the list at once, if the response arrives in time', async () => {
    const world = openRead();
    await world.clock.pass(MINUTE);
    send(world);
    await world.answer('1');
    expect(world.ids()).toEqual(['1', '2']);
    expect(world.list.needsLoad(true)).toBe(false);
  });
});

it('a message before a read that stalls is no reason to fetch its list again', async () => {
  const world = openRead();
  await world.answer('1');
  const other = world.controller.observe(world.Tasks.getList, { column: 'b' });
  world.controller.setResponse(
    world.Tasks.getList.push,
    { column: 'b' },
    {},
    { id: '2', column: 'b' },
  );
  ignore(other.load());
  await world.clock.pass(3 * MINUTE);
  world.controller.set(Task, { id: '1' }, { column: 'a' });
  await world.answer('1');
  expect(other.needsLoad(true)).toBe(false);
});
