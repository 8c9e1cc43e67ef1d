/**
 * Half an hour in the life of a screen, on a clock that the test moves: readers come and go, responses are polled, a stream
 * writes two hundred times a second, one request in twenty fails. At the end everything is as it was at the start.
 *
 * `RESTITCH_SOAK_MINUTES` sets how many minutes, for a shorter or longer run.
 */
import { Collection, Controller, Endpoint, Entity, PollingManager, type View } from 'restitch';
import { getState } from 'restitch/state';
import { expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { heapUsed } from '../support/heap.js';

const MINUTES = Number(process.env['RESTITCH_SOAK_MINUTES'] ?? 30);
const READERS = 100;
const UPDATES_PER_SECOND = 200;
const FAILURES = 0.05;

/** Bytes of heap that may be left: what the engine itself learned on the way, and not a row of the thousands that went. */
const MARGIN = 4_000_000;

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class Issue extends Entity {
  id = '';
  title = '';
  list = '';
  author: User | undefined = undefined;
  static override key = 'Issue';
  static override schema = { author: User };
}

const issues = new Collection([Issue]);

/** Numbers from 0 up to 1, the same in each run. */
function randomNumbers(): () => number {
  let state = 42;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

async function live(
  minutes: number,
): Promise<{ written: number; requests: number; notified: number }> {
  const clock = new Clock();
  clock.now = 1_000_000;
  const random = randomNumbers();
  clock.environment.random();
  const controller = new Controller({
    managers: [new PollingManager()],
    environment: { ...clock.environment, random },
  });
  const counts = { written: 0, requests: 0, notified: 0 };
  let underWay = 0;
  const pick = (count: number): number => Math.floor(random() * count);
  const respond = async <T>(value: () => T): Promise<T> => {
    counts.requests += 1;
    underWay += 1;
    await settle();
    underWay -= 1;
    if (random() < FAILURES) throw Object.assign(new Error('the server failed'), { status: 500 });
    return value();
  };
  const row = (id: string, list: string): object => {
    const author = { id: `u${pick(500)}`, name: `name ${pick(1_000)}` };
    return { id, list, title: `title ${pick(1_000)}`, author };
  };
  const getList = new Endpoint(
    ({ list }: { list: string }) =>
      respond(() => Array.from({ length: 20 }, () => row(String(pick(20_000)), list))),
    {
      name: 'getList',
      schema: issues,
      pollFrequency: 5_000,
      errorPolicy: () => 'soft' as const,
    },
  );
  const getIssue = new Endpoint(({ id }: { id: string }) => respond(() => row(id, 'none')), {
    name: 'getIssue',
    schema: Issue,
    errorPolicy: () => 'soft' as const,
  });
  const edit = new Endpoint(({ id }: { id: string }) => respond(() => row(id, 'none')), {
    name: 'edit',
    schema: Issue,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, { id }: { id: string }) => ({ id, title: 'optimistic' }),
  });

  /** Mounts a reader; returns how it leaves. */
  const mount = (): (() => void) => {
    const isList = random() < 0.3;
    const list = `l${pick(200)}`;
    const view: View<unknown> = isList
      ? controller.observe(getList, { list })
      : controller.observe(getIssue, { id: String(pick(20_000)) });
    const stop = view.subscribe(() => {
      counts.notified += 1;
      view.getSnapshot();
    });
    if (view.needsLoad()) void view.load();
    view.getSnapshot();
    if (isList) controller.subscribe(getList, { list });
    return () => {
      stop();
      if (isList) controller.unsubscribe(getList, { list });
    };
  };

  const mounted = Array.from({ length: READERS }, mount);
  for (let tenth = 0; tenth < minutes * 600; tenth += 1) {
    for (let update = 0; update < UPDATES_PER_SECOND / 10; update += 1) {
      controller.set(Issue, { id: String(pick(20_000)) }, { title: `streamed ${counts.written}` });
      counts.written += 1;
    }
    // A few leave, as many come.
    for (let change = 0; change < 2; change += 1) {
      const place = pick(READERS);
      mounted[place]?.();
      mounted[place] = mount();
    }
    if (tenth % 5 === 0) void controller.fetch(edit, { id: String(pick(20_000)) }).catch(() => {});
    await clock.pass(100);
  }
  for (const leave of mounted) leave();
  await clock.pass(20 * 60_000);
  // An empty store waits for no further sweep: see the tests of memory.
  const left = {
    sweeps: clock.idleWaits,
    timers: clock.timers,
    listeners: clock.listeners,
    underWay,
  };
  expect(left).toEqual({ sweeps: 0, timers: 0, listeners: 0, underWay: 0 });
  expect(getState(controller)).toMatchObject({ entities: {}, lists: {}, results: [] });
  expect(clock.reported).toEqual([]);
  return counts;
}

it(
  `${MINUTES} minutes end where they began: heap, records, listeners, timers and requests`,
  async () => {
    // What the engine compiles and caches is there before the first look at the heap.
    await live(0.2);
    const before = heapUsed();
    const { written, requests, notified } = await live(MINUTES);
    expect(written).toBe(MINUTES * 60 * UPDATES_PER_SECOND);
    expect(requests).toBeGreaterThan(MINUTES * 60);
    expect(notified).toBeGreaterThan(MINUTES * 60);
    expect(heapUsed() - before).toBeLessThan(MARGIN);
  },
  60_000 + MINUTES * 20_000,
);
