/**
 * Random programs with a windowed list. Its ranges move while creates, deletes and deletes that are
 * taken back overlap with requests of pages. Others change the list, too; the program then refreshes,
 * expires or invalidates it, or reads it with a copy of its endpoint. Some create, invalidate or reset many times while a page is loading. Once
 * it is quiet, each row of the ranges is the one of the server, and so is each row that a range reaches
 * later. No program has to refresh the list for that. A page that failed has an error until the list
 * expires or changes, or the range comes back to it.
 *
 * A fifteenth of `RESTITCH_MODEL_RUNS` programs run (default 334). `RESTITCH_MODEL_SEED` and
 * `RESTITCH_MODEL_PATH`, which a failure prints, repeat one.
 */
import fc from 'fast-check';
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  logout,
  resource,
  undoable,
  windowed,
  type OpenWindow,
  type Undoable,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';
import { Author, AuthoredPost, HidingPost, PagingWorld } from '../infinite/pagingWorld.js';
import { Clock, settle } from '../support/clock.js';
import { authorOf, type Side } from '../support/ListServer.js';
import { readyData } from '../support/readyData.js';

/** More requests than any program needs. */
const LIMIT = 900;
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 15);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];
/** Milliseconds for which a delete can be taken back. */
const DELAY = 50;

const follow = fc.constantFrom(
  'refresh' as const,
  'expire' as const,
  'invalidate' as const,
  'invalidate all' as const,
);
/** The row in the whole list, in the loaded part of it, or one that is being created. */
const from = fc.constantFrom('server' as const, 'shown' as const, 'created' as const);
const side = fc.constantFrom<Side>('start', 'end', 'middle');
const pick = fc.nat(11);
const isOther = fc.boolean();
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      isOther,
      start: fc.nat(12),
      size: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), isOther }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), side }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), from, pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete later' as const), from, pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete author' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('others create' as const), side, follow }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('others delete' as const), pick, follow }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('update' as const), follow }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('reset' as const, 'copy' as const, 'sign out' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rounds' as const),
      count: fc.integer({ min: 2, max: 8 }),
      /** In each round: creates a row, lets the pages arrive, and invalidates or resets the list. */
      creates: fc.boolean(),
      reads: fc.boolean(),
      ending: fc.constantFrom(
        'nothing' as const,
        'expire' as const,
        'invalidate' as const,
        'reset' as const,
      ),
      side,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), pick }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('execute' as const), pick }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
);
type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) | { readonly do: 'revisit' };
const steps = fc.array(step, { maxLength: 40, size: 'max' });

const options = fc.record({
  style: fc.constantFrom('offset' as const, 'page' as const),
  size: fc.integer({ min: 1, max: 4 }),
  /** True if the calls name the page size. */
  isSized: fc.boolean(),
  count: fc.nat(14),
  optimistic: fc.boolean(),
  hides: fc.constantFrom(
    undefined,
    undefined,
    'key' as const,
    'keyless' as const,
    'invalid' as const,
  ),
  hasAuthors: fc.constantFrom(false, false, true),
  keep: fc.constantFrom(undefined, 0, 1, 2, 3),
  /** True if a component shows the first page of the list. */
  isListed: fc.boolean(),
  /** True if rows that nothing needs are evicted whenever time passes. */
  isSwept: fc.boolean(),
  /** True if requests of pages can fail. */
  isFlaky: fc.boolean(),
  /** With `isFlaky`: true if the first requests fail. */
  isDown: fc.boolean(),
  /** The event after which a page that failed is loaded again. */
  recovery: fc.constantFrom(
    'expire' as const,
    'expire stale' as const,
    'invalidate' as const,
    'invalidate all' as const,
    'reset' as const,
    'create' as const,
    'jump' as const,
  ),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;

function open(chosen: Options) {
  const { style, size, isSized, count, optimistic, keep, isListed, isFlaky, isDown } = chosen;
  const { hides, hasAuthors } = chosen;
  const world = new PagingWorld({ style, size, hasTotal: true, hides, hasAuthors }, count);
  const clock = new Clock();
  const maxEntities = chosen.isSwept ? 0 : Infinity;
  let controller = new Controller({ maxEntities, environment: clock.environment });
  const total = 'total';
  const Post = hasAuthors ? AuthoredPost : HidingPost;
  const Authors = resource({
    urlPrefix: 'http://x',
    path: '/authors/:id',
    schema: Author,
    optimistic,
    send: world.send,
  });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { limit?: number },
    nonFilterArgumentKeys: ['limit'],
    optimistic,
    send: world.send,
    pagination:
      style === 'offset'
        ? byOffset({ param: 'offset', limit: 'limit', total })
        : byPage({ param: 'page', size: 'limit', total }),
  }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
  const args = isSized ? { limit: size } : {};
  let view = windowed(controller, Posts.getList, args);
  view.subscribe(() => {});
  let copies = 0;
  /** As a component does that renders with another copy of the endpoint. */
  const copy = (): void => {
    copies += 1;
    const other = Posts.getList.extend({ timeout: 10_000 + copies });
    expect(windowed(controller, other, args)).toBe(view);
  };
  let list = controller.observe(Posts.getList, args);
  const mountList = (): void => {
    list.subscribe(() => {});
    if (list.needsLoad()) void list.load().catch(() => {});
  };
  if (isListed) mountList();
  const shown = () => readyData(view);
  const idsFrom = (what: 'server' | 'shown' | 'created'): readonly (string | undefined)[] => {
    if (what === 'server') return world.rows.map(({ id }) => id);
    const { length } = shown();
    if (what === 'shown') return Array.from({ length }, (_, index) => shown().at(index)?.id);
    const snapshot = list.getSnapshot();
    const rows = snapshot.status === 'ready' ? snapshot.data.results : [];
    return rows.map(({ id }) => id).filter((id) => id.startsWith('~'));
  };
  const windows = new Map<
    boolean,
    OpenWindow & { readonly range: { start: number; end: number } }
  >();
  const move = (isOther: boolean, start: number, end: number): void => {
    const range = { start, end, keep };
    const opened = windows.get(isOther) ?? view.open(range);
    opened.move(range);
    windows.set(isOther, { ...opened, range });
  };
  const later = undoable(Posts.delete, DELAY);
  const undos: Undoable<unknown>[] = [];
  const update = (how: 'refresh' | 'expire' | 'invalidate' | 'invalidate all'): void => {
    // A refresh joins a request in flight, which may lack what others changed.
    const isReading = world.pending.some(({ method }) => method === 'GET');
    if (how === 'refresh' && !isReading) void shown().refresh();
    else if (how === 'invalidate') void controller.invalidate(Posts.getList, args);
    else if (how === 'invalidate all') void controller.invalidateAll(Posts.getList);
    else controller.expireAll(Posts.getList);
  };
  /** Follows a change by others. */
  const follow = (how: Parameters<typeof update>[0]): void => {
    // If no range has the first page, its invalidation repeats no request of another page. It has
    // no effect at all if the first page was removed from memory.
    const isReading = world.pending.some(({ method }) => method === 'GET');
    const isAtStart = [...windows.values()].some(({ range }) => range.start === 0);
    const isUnclear = !isAtStart && (isReading || shown().at(0) === undefined);
    update(how === 'invalidate' && isUnclear ? 'invalidate all' : how);
  };
  const create = (side: Side): void => {
    const how = side === 'start' ? Posts.getList.unshift : Posts.getList.push;
    void controller.fetch(how, args, { side }).catch(() => {});
  };
  /** Lets the response to each request arrive that is in flight now. */
  const answer = async (method: string): Promise<void> => {
    for (const request of world.pending.filter((one) => one.method === method)) {
      world.carryOut(request);
      world.reply(request);
    }
    await settle();
  };
  /** The program ends while pages load. The next one begins with its data. */
  const revisit = async (): Promise<void> => {
    await clock.pass(DELAY);
    while (world.pending.some(({ method }) => method !== 'GET')) {
      for (const method of ['POST', 'DELETE', 'PATCH']) await answer(method);
    }
    const state: unknown = JSON.parse(JSON.stringify(getState(controller)));
    controller.dispose();
    await settle();
    world.pending.length = 0;
    undos.length = 0;
    controller = new Controller({ maxEntities, environment: clock.environment });
    // The cast: JSON keeps the state as it is.
    hydrate(controller, state as ReturnType<typeof getState>);
    view = windowed(controller, Posts.getList, args);
    view.subscribe(() => {});
    list = controller.observe(Posts.getList, args);
    if (isListed) mountList();
    const before = [...windows];
    windows.clear();
    for (const [isOther, { range }] of before) move(isOther, range.start, range.end);
  };
  const run = async (what: Step): Promise<void> => {
    switch (what.do) {
      case 'revisit':
        return revisit();
      case 'move':
        return move(what.isOther, what.start, what.start + what.size);
      case 'close':
        windows.get(what.isOther)?.close();
        return void windows.delete(what.isOther);
      case 'create':
        return create(what.side);
      case 'reset':
        return controller.resetEntireStore();
      case 'copy':
        return copy();
      case 'sign out': {
        const { sent } = world;
        logout(controller);
        copy();
        await settle();
        expect(world.sent).toBe(sent);
        return controller.resetEntireStore();
      }
      case 'rounds':
        for (let round = 0; round < what.count; round += 1) {
          if (what.creates) {
            create(what.side);
            await settle();
            await answer('POST');
          }
          if (what.reads) await answer('GET');
          if (what.ending === 'reset') controller.resetEntireStore();
          else if (what.ending !== 'nothing') update(what.ending);
          await settle();
        }
        return undefined;
      case 'delete':
      case 'delete later': {
        const ids = idsFrom(what.from).filter((id) => id !== undefined);
        const id = ids[what.pick % ids.length];
        if (id === undefined) return undefined;
        if (what.do === 'delete') {
          return void controller.fetch(Posts.delete, { id }).catch(() => {});
        }
        const call = controller.fetch(later, { id });
        call.catch(() => {});
        return void undos.push(call);
      }
      case 'delete author': {
        // Without other requests: a page that overlaps the delete may have rows at wrong indexes.
        await quiet();
        // No reader knows the author of a hidden row.
        if (!hasAuthors || hides) return undefined;
        const author = `u${what.pick % 4}`;
        const known = idsFrom('shown');
        const isLoaded = world.rows.every(
          (row) => authorOf(row) !== author || known.includes(row.id),
        );
        void controller.fetch(Authors.delete, { id: author }).catch(() => {});
        await settle();
        await answer('DELETE');
        return isLoaded ? undefined : follow('refresh');
      }
      case 'undo':
        return void undos.splice(what.pick % undos.length, 1)[0]?.cancel();
      case 'others create':
        world.add(what.side);
        return follow(what.follow);
      case 'others delete':
        world.delete(world.rows[what.pick % world.rows.length]?.id ?? '');
        return follow(what.follow);
      case 'update':
        return update(what.follow);
      case 'pass':
        return clock.pass(what.pick * 10);
      case 'fail': {
        // The server refuses a create or delete, or fails to read a page.
        const open = world.pending.filter(
          ({ method, said }) => !said && (isFlaky || method !== 'GET'),
        );
        const refused = open[what.pick % open.length];
        if (refused) refused.said = () => new Response(null, { status: 500 });
        return undefined;
      }
      case 'execute':
        return world.execute(what.pick);
      case 'deliver':
        return void world.deliver(what.pick);
    }
  };
  /** Answers requests until there is none. */
  const quiet = async (): Promise<void> => {
    await clock.pass(DELAY);
    while (world.pending.length > 0) {
      expect(world.sent).toBeLessThan(LIMIT);
      world.execute(0);
      world.deliver(0);
      await clock.pass(DELAY);
    }
  };
  /** The first pages fail. */
  const begin = async (): Promise<void> => {
    move(false, 0, 4);
    await settle();
    for (const request of isFlaky && isDown ? world.pending : []) {
      if (request.method === 'GET') request.said = () => new Response(null, { status: 500 });
    }
  };
  /** Each row of the ranges is there, or has the error of its page. */
  const expectRows = (mayFail = isFlaky): void => {
    const ids = world.rows.map(({ id }) => (world.isHidden(id) ? undefined : id));
    const list = shown();
    // A page that failed may be the one that has the new length, also if no other page is known.
    const end = Math.max(list.length, ...[...windows.values()].map(({ range }) => range.end));
    const pages = Array.from({ length: end + 1 }, (_, index) => list.errorAt(index));
    const hasFailed = mayFail && pages.some((error) => error);
    for (const { range } of windows.values()) {
      const indexes = Array.from({ length: range.end - range.start }, (_, n) => range.start + n);
      if (!hasFailed) expect(list.length).toBe(ids.length);
      for (const index of indexes.slice(0, Math.max(0, list.length - range.start))) {
        if (!mayFail) expect(list.errorAt(index)).toBeUndefined();
        expect(list.isLoading(index)).toBe(false);
        if (!list.errorAt(index)) expect([index, list.at(index)?.id]).toEqual([index, ids[index]]);
      }
    }
  };
  /** Each row that is there stands at its index, also outside of the ranges. */
  const expectPlaces = (): void => {
    const ids = world.rows.map(({ id }) => (world.isHidden(id) ? undefined : id));
    const loaded = Array.from({ length: shown().length }, (_, index) => shown().at(index)?.id);
    expect(loaded).toEqual(loaded.map((id, index) => id && ids[index]));
  };
  /** After the error of a page, the list loads again as soon as something happens. */
  const recover = async (): Promise<void> => {
    const open = [...windows];
    const isAtStart = open.some(([, { range }]) => range.start === 0);
    const { recovery } = chosen;
    if (recovery === 'create') create('start');
    else if (recovery === 'reset') controller.resetEntireStore();
    else if (recovery === 'expire stale') {
      await clock.pass(100_000);
      controller.expireStale();
    } else if (recovery === 'jump') {
      for (const [isOther, { range }] of open) move(isOther, range.end + 20, range.end + 24);
      await quiet();
      for (const [isOther, { range }] of open) move(isOther, range.start, range.end);
    } else {
      // The invalidation of a first page that was never loaded leaves the other pages as they are.
      update(recovery === 'invalidate' && !isAtStart ? 'invalidate all' : recovery);
    }
    await quiet();
    expectRows(false);
  };
  async function runAll(program: readonly Step[]): Promise<void> {
    for (const what of program) {
      await run(what);
      await settle();
    }
    await quiet();
  }

  /** Moves a range over the whole list. */
  async function reachAll(...checks: readonly (() => void)[]): Promise<void> {
    for (let start = 0; start < world.rows.length; start += 3) {
      move(false, start, start + 4);
      await quiet();
      for (const check of checks) check();
    }
  }

  return {
    clock,
    windows,
    move,
    runAll,
    begin,
    quiet,
    recover,
    reachAll,
    expectRows,
    expectPlaces,
  };
}

const parameters = {
  numRuns: RUNS,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  ...(PATH === undefined ? {} : { path: PATH }),
};

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Programs that once failed, shrunk. */
const small = {
  style: 'offset',
  size: 1,
  isSized: false,
  count: 1,
  optimistic: false,
  hides: undefined,
  hasAuthors: false,
} as const;
const found: [Value<typeof options>, Value<typeof steps>][] = [
  [
    {
      ...small,
      keep: undefined,
      isListed: false,
      isSwept: false,
      isFlaky: true,
      isDown: false,
      recovery: 'jump',
    },
    [
      { do: 'execute', pick: 0 },
      { do: 'others create', side: 'start', follow: 'refresh' },
      { do: 'fail', pick: 0 },
    ],
  ],
];

it('after any program, each row that a range of a windowed list reaches is the one of the server', async () => {
  await fc.assert(
    fc.asyncProperty(options, steps, async (chosen, program) => {
      const { clock, windows, runAll, begin, recover, reachAll, expectRows } = open(chosen);
      await begin();
      await runAll(program);
      expectRows();
      await recover();
      windows.get(true)?.close();
      windows.delete(true);
      await reachAll(expectRows);
      expect(clock.reported).toEqual([]);
    }),
    { ...parameters, ...(PATH === undefined ? { examples: found } : {}) },
  );
}, 3_600_000);

const ownSteps = steps.map((program) =>
  program.filter(({ do: what }) => !/others|update/.test(what)),
);

it('if nobody else changes a windowed list, each loaded row has the index of the server', async () => {
  await fc.assert(
    fc.asyncProperty(options, ownSteps, async (chosen, program) => {
      const { clock, move, runAll, quiet, reachAll, expectRows, expectPlaces } = open(chosen);
      move(true, 8, 10);
      move(false, 0, 4);
      await quiet();
      await runAll(program);
      expectRows();
      expectPlaces();
      await reachAll(expectRows, expectPlaces);
      expect(clock.reported).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);

/** After the delete of an author, the program refreshes the list, and a visit does not save that. */
const visitingSteps = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant<Step>({ do: 'revisit' }) },
      { weight: 6, arbitrary: ownSteps.map(([first]) => first ?? { do: 'revisit' as const }) },
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((program) => program.filter(({ do: what }) => what !== 'delete author'));

it('if nobody else changes a windowed list, its rows are those of the server after each visit', async () => {
  await fc.assert(
    fc.asyncProperty(options, visitingSteps, async (chosen, program) => {
      const { clock, move, runAll, quiet, reachAll, expectRows } = open(chosen);
      move(false, 0, 4);
      await quiet();
      await runAll(program);
      expectRows();
      await reachAll(expectRows);
      // A visit can save the list without the windowed list of the same address.
      const isOther = (error: unknown): boolean => /other-schema/.test(Object(error).code);
      expect(clock.reported.filter((error) => !isOther(error))).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);
