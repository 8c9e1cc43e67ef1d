/** Garbage collection of hydrated rows to which hydrated data without a reader still refers. */
import { Collection, Controller, Endpoint, Entity, type StoreState } from 'restitch';
import { getState, hydrate, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { dataOf } from '../support/world.js';

const MINUTE = 60_000;

class User extends Entity {
  id = '';
  name = '';
  static override key = 'EvictedUser';
}
class Profile extends User {
  bio = '';
}
/** Declares a field without a default, so a record without the field counts as complete. */
class Led extends Entity {
  id = '';
  lead: User | undefined = undefined;
  static override key = 'EvictedTeam';
  static override schema = { lead: User };
}
class Brief extends Entity {
  id = '';
  static override key = 'EvictedTeam';
}
class Team extends Entity {
  id = '';
  lead: User | undefined = undefined;
  static override key = 'EvictedTeam';
  static override schema = { lead: User };
}
const users = new Collection([User], { name: 'EvictedUsers' });
const user = (id: string): object => ({ id, name: `name ${id}` });
const replies = {
  list: () => ['1', '2', '3'].map(user),
  profile: ({ id }: { id: string }) => ({ ...user(id), bio: 'real' }),
  user: ({ id }: { id: string }) => user(id),
  team: ({ id }: { id: string }) => ({ id, lead: user('3') }),
};
let requests = 0;
function read<S>(name: keyof typeof replies, schema: S) {
  return new Endpoint(
    (args: { id: string }) => {
      requests += 1;
      return Promise.resolve(replies[name](args) as any);
    },
    { name: `evicted-${name}`, schema, dataExpiryLength: 60 * MINUTE },
  );
}
const list = read('list', users);
const array = new Endpoint(() => Promise.resolve(replies.list() as any), {
  name: 'evicted-array',
  schema: [User],
  dataExpiryLength: 60 * MINUTE,
});
const profile = read('profile', Profile);
const one = read('user', User);
const team = read('team', Team);
const led = read('team', Led);
const ARGS = { id: '2' };

async function exported(prepare?: (server: Controller) => void): Promise<StoreState> {
  const clock = new Clock();
  clock.now = 1_000_000;
  const server = new Controller({ environment: clock.environment });
  await server.fetch(list, ARGS);
  await server.fetch(array);
  await server.fetch(profile, ARGS);
  await server.fetch(team, ARGS);
  prepare?.(server);
  return JSON.parse(JSON.stringify(getState(server))) as StoreState;
}

function open(maxEntities: number) {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ maxEntities, environment: clock.environment });
  return { clock, controller };
}

/** Fetches more users than there is room for, the user 2 as the last one. */
async function crowd({ clock, controller }: ReturnType<typeof open>): Promise<void> {
  for (const id of ['11', '12', '13', '14', '15', '16', '2']) await controller.fetch(one, { id });
  await clock.pass(0);
  requests = 0;
}

describe('hydrated data without a reader, after its rows were evicted (maxEntities)', () => {
  it('is fetched by a reader of a list', async () => {
    const world = open(2);
    hydrate(world.controller, await exported());
    await crowd(world);
    expect(dataOf(world.controller.observe(list, ARGS))).toBeUndefined();
    expect((await world.controller.fetchIfStale(list, ARGS)).length).toBe(3);
    expect((await world.controller.fetchIfStale(array)).length).toBe(3);
    expect(requests).toBe(1);
  });

  it('is not returned by a query', async () => {
    const world = open(2);
    hydrate(world.controller, await exported());
    await crowd(world);
    expect(world.controller.get(users, ARGS)).toBeUndefined();
    expect(world.controller.get(Team, ARGS)).toBeUndefined();
  });

  it('is fetched by a reader with a larger class', async () => {
    const world = open(2);
    hydrate(world.controller, await exported());
    await crowd(world);
    expect((await world.controller.fetchIfStale(profile, ARGS)).bio).toBe('real');
    expect(requests).toBe(1);
  });

  it('is fetched by a reader with a class that declares a further relation', async () => {
    const world = open(2);
    hydrate(world.controller, await exported());
    world.controller.observeQuery(Brief, ARGS).subscribe(() => {});
    await crowd(world);
    expect(world.controller.get(Brief, ARGS)).toBeDefined();
    expect((await world.controller.fetchIfStale(led, ARGS)).lead?.name).toBe('name 3');
  });

  it('stays invalidated while its record exists', async () => {
    const world = open(2);
    hydrate(world.controller, await exported());
    world.controller.observeQuery(Team, ARGS).subscribe(() => {});
    await world.controller.invalidateAll(team);
    await crowd(world);
    expect(world.controller.get(Team, ARGS)?.lead?.name).toBe('name 3');
    expect(world.controller.observe(team, ARGS).getSnapshot().status).toBe('pending');
  });

  it('is exported no longer', async () => {
    const world = open(2);
    hydrate(world.controller, await exported());
    await crowd(world);
    const { results, lists } = getState(world.controller);
    expect(results.map(({ key }) => key).filter((key) => !key.includes('evicted-user'))).toEqual(
      [],
    );
    expect(lists).toEqual({});
  });

  it('is complete if it was hydrated again', async () => {
    const world = open(2);
    const state = await exported();
    hydrate(world.controller, state);
    await crowd(world);
    hydrate(world.controller, state);
    expect(dataOf(world.controller.observe(list, ARGS))?.length).toBe(3);
    expect(dataOf(world.controller.observe(profile, ARGS))?.bio).toBe('real');
  });
});

describe('hydrated data without a reader', () => {
  it('keeps its rows if there is room for all of them', async () => {
    const world = open(16);
    hydrate(world.controller, await exported());
    for (let id = 100; id < 130; id += 1) await world.controller.fetch(one, { id: String(id) });
    await world.clock.pass(0);
    const kept = dataOf(world.controller.observe(list, ARGS))?.length;
    expect([undefined, 3]).toContain(kept);
    expect(dataOf(world.controller.observe(team, ARGS))?.lead?.id).toBe(kept && '3');
  });

  it('keeps its rows for as long as it is kept itself, even if they have expired', async () => {
    const { clock, controller } = open(Infinity);
    hydrate(controller, await exported((server) => server.expireAll(profile)));
    expect(controller.get(User, { id: '1' })).toBeDefined();
    await clock.pass(20 * MINUTE);
    expect(dataOf(controller.observe(list, ARGS))?.length).toBe(3);
  });

  it('keeps the rows of an HTML page that still loads', async () => {
    const world = open(2);
    const state = await exported();
    const stream = openStream(world.controller);
    stream.hydrate({ ...state, results: [] });
    await crowd(world);
    stream.hydrate({ ...state, entities: {}, lists: {} });
    stream.close();
    expect(dataOf(world.controller.observe(array))?.length).toBe(3);
    expect(dataOf(world.controller.observe(team, ARGS))?.lead?.id).toBe('3');
  });

  it('is complete if it arrives between any two steps of a garbage collection', async () => {
    const state = await exported();
    for (let count = 1, isOver = false; !isOver; count += 1) {
      let now = 1_000_000;
      let next: (() => void) | undefined;
      const controller = new Controller({
        maxEntities: 4,
        environment: {
          now: () => (now += 5),
          whenIdle: (callback, milliseconds) => {
            next = milliseconds > 0 ? undefined : callback;
            return () => (next = undefined);
          },
        },
      });
      hydrate(controller, state);
      for (const id of ['11', '12', '13', '2']) controller.set(User, { id }, user(id));
      for (let made = 0; made < count; made += 1) next?.();
      isOver = !next;
      hydrate(controller, state);
      for (; next;) next();
      expect([count, dataOf(controller.observe(array))?.length]).toEqual([count, 3]);
      expect(isOver && count < 20).toBe(false);
    }
  });
});
