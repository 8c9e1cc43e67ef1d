/** An endpoint can show records and lists of another response before its own first one: these expire too. */
import {
  Collection,
  Controller,
  type EndpointInterface,
  Entity,
  expireWhere,
  invalidateWhere,
  type ReadEndpoint,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { Clock } from '../support/clock.js';
import { Issue, issues, MINUTE, openWorld } from '../support/sweeping.js';
import { ignore, manual, mutation } from '../support/world.js';

class Comment extends Entity {
  id = '';
  ticket = '';
  text = '';
  static override key = 'OutdatedComment';
}
const comments = new Collection([Comment], {
  name: 'outdated comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});
class Ticket extends Entity {
  id = '';
  comments: Comment[] = [];
  static override key = 'OutdatedTicket';
  static override schema = { comments };
}

const server = await serverOfFile();
const urlPrefix = server.origin;
const Tickets = resource({ urlPrefix, path: '/tickets/:id', schema: Ticket });
const Comments = resource({
  urlPrefix,
  path: '/tickets/:ticket/comments/:id',
  schema: Comment,
}).extend('getList', { schema: comments });
const getFirst = new RestEndpoint({ urlPrefix, path: '/tickets/first', schema: Ticket });

beforeEach(() => {
  server.seen.splice(0);
  server.respond(({ url }) => {
    const ticket = (id: string) => ({ id, comments: [{ id: `c${id}`, ticket: id, text: '' }] });
    return url === '/tickets' ? ['1', '2'].map(ticket) : ticket(url.slice(9));
  });
});

/** The tickets of one response, each with a list of comments. No other endpoint has a result. */
async function open() {
  const controller = new Controller();
  await controller.fetch(Tickets.getList);
  /** If a reader that mounts now fetches. */
  const isOpen = (endpoint: ReadEndpoint, args: object): boolean => {
    const view = controller.observe(endpoint, args);
    expect(view.getSnapshot().status).toBe('ready');
    return view.needsLoad();
  };
  return { controller, isOpen };
}

const ticket = [Tickets.get, { id: '1' }, Ticket] as const;
const list = [Comments.getList, { ticket: '1' }, Comment] as const;
const ways: readonly (readonly [
  string,
  (
    controller: Controller,
    endpoint: EndpointInterface,
    args: object,
    entity: typeof Entity,
  ) => unknown,
])[] = [
  ['expireAll', (controller, endpoint) => controller.expireAll(endpoint)],
  ['invalidateAll', (controller, endpoint) => controller.invalidateAll(endpoint)],
  ['expireWhere of its endpoint', (controller, endpoint) => expireWhere(controller, { endpoint })],
  [
    'expireWhere of its endpoint and arguments',
    (controller, endpoint, args) => expireWhere(controller, { endpoint, args: [args] }),
  ],
  [
    'expireWhere of its class',
    (controller, _, __, entity) => expireWhere(controller, { entity: entity as typeof Ticket }),
  ],
  [
    'invalidateWhere of its endpoint',
    (controller, endpoint) => invalidateWhere(controller, { endpoint }),
  ],
  [
    'invalidateWhere of its class',
    (controller, _, __, entity) => invalidateWhere(controller, { entity: entity as typeof Ticket }),
  ],
];

describe.each([
  ['a record of a list', ticket],
  ['a list in a record', list],
] as const)('%s', (_, [endpoint, args, entity]) => {
  it('is fresh for the first reader of its own endpoint', async () => {
    const { isOpen } = await open();
    expect(isOpen(endpoint, args)).toBe(false);
  });

  it.each(ways)('is fetched by its first reader after %s', async (__, outdate) => {
    const { controller, isOpen } = await open();
    await outdate(controller, endpoint, args, entity);
    expect(server.seen).toHaveLength(1);
    expect(isOpen(endpoint, args)).toBe(true);
  });
});

it.each(ways.filter(([name]) => name.startsWith('expire')))(
  'a mounted reader of a record of a list fetches after %s, although it is stale already',
  async (_, expire) => {
    const clock = new Clock();
    const controller = new Controller({ environment: clock.environment });
    await controller.fetch(Tickets.getList);
    const view = controller.observe(Tickets.get, { id: '1' });
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    clock.now += MINUTE;
    // The snapshot becomes stale with the first change after its lifetime.
    controller.set(Comment, { id: 'c1' }, { text: 'new' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    await expire(controller, Tickets.get, { id: '1' }, Ticket);
    await expect.poll(() => server.seen.map(({ url }) => url)).toEqual(['/tickets', '/tickets/1']);
  },
);

it.each(ways)(
  'a list whose result `maxEntities` evicted is fetched by its next reader after %s',
  async (_, outdate) => {
    const { clock, controller } = openWorld({ maxEntities: 4 });
    const { endpoint } = manual('list', issues);
    const rows = ['1', '2', '3', '4'].map((id) => ({ id, title: id }));
    controller.setResponse(endpoint, {}, rows);
    // While a create is pending, only the result is evicted: the list and its rows are in use.
    const created = { id: '5', title: '5' };
    const push = mutation('push', issues.push, () => created);
    ignore(controller.fetch(push.endpoint, {}));
    await clock.pass(3_000);
    await push.respond(created);
    await outdate(controller, endpoint, {}, Issue);
    const view = controller.observe(endpoint, {});
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [...rows, created] });
    expect(view.needsLoad()).toBe(true);
  },
);

describe('expireWhere', () => {
  it('with arguments leaves the record of other arguments fresh', async () => {
    const { controller, isOpen } = await open();
    await expireWhere(controller, { endpoint: Tickets.get, args: [{ id: '1' }] });
    expect(isOpen(Tickets.get, { id: '1' })).toBe(true);
    expect(isOpen(Tickets.get, { id: '2' })).toBe(false);
  });

  it('by one record expires only the lists that contain it', async () => {
    const { controller, isOpen } = await open();
    await expireWhere(controller, { entity: Comment, pk: 'c1' });
    expect(isOpen(Comments.getList, { ticket: '1' })).toBe(true);
    expect(isOpen(Comments.getList, { ticket: '2' })).toBe(false);
  });
});

it('expireAll of an endpoint whose path names no record expires no record', async () => {
  const { controller, isOpen } = await open();
  controller.expireAll(getFirst);
  expect(isOpen(Tickets.get, { id: '1' })).toBe(false);
  controller.expireAll(Tickets.get);
  expect(isOpen(Tickets.get, { id: '1' })).toBe(true);
});
