/** A mutation responds after more than two minutes, and its response brings a list for the first time. */
import { Collection, Controller, Entity } from 'restitch';
import { expect, it } from 'vitest';
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
