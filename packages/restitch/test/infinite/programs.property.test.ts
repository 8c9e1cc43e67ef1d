/**
 * Random programs with an infinite list against a server that pages by cursor, offset or number. Once
 * everything is loaded and quiet, the list holds exactly the rows of the server: none is missing and
 * none is there twice. If nobody else changes the list, that needs no refresh.
 *
 * A tenth of `RESTITCH_MODEL_RUNS` programs run (default 500). `RESTITCH_MODEL_SEED` and
 * `RESTITCH_MODEL_PATH`, which a failure prints, repeat one.
 */
import fc from 'fast-check';
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  type Pagination,
} from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import type { Side } from '../support/ListServer.js';
import { type Paging, PagingWorld } from './pagingWorld.js';

/** More requests than any program needs. */
const LIMIT = 900;
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 10);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

class Post extends Entity {
  id = '';
  side = '';
  static override key = 'Post';
}

type Plain =
  | 'next'
  | 'previous'
  | 'others flood'
  | 'first'
  | 'loaded'
  | 'poll'
  | 'expire'
  | 'invalidate';

type Step =
  | { readonly do: Plain }
  | { readonly do: 'create'; readonly side: 'start' | 'end' }
  | { readonly do: 'others create'; readonly side: Side }
  | { readonly do: 'delete' | 'others delete' | 'execute' | 'deliver'; readonly pick: number };

const pick = fc.nat(7);
const plain = (what: Plain): fc.Arbitrary<Step> => fc.constant({ do: what });
const side = fc.constantFrom<Side>('start', 'end', 'middle');
const ownSide = fc.constantFrom('start' as const, 'end' as const);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: plain('next') },
    { weight: 2, arbitrary: plain('previous') },
    { weight: 1, arbitrary: plain('others flood') },
    { weight: 1, arbitrary: plain('first') },
    { weight: 1, arbitrary: plain('loaded') },
    { weight: 1, arbitrary: plain('poll') },
    { weight: 1, arbitrary: plain('expire') },
    { weight: 1, arbitrary: plain('invalidate') },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), side: ownSide }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('others create' as const), side }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('others delete' as const), pick }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('execute' as const), pick }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
  ),
  { maxLength: 40, size: 'max' },
);
const paging: fc.Arbitrary<Paging> = fc.record({
  style: fc.constantFrom('cursor', 'offset', 'page'),
  size: fc.integer({ min: 1, max: 3 }),
  hasTotal: fc.boolean(),
  hasMore: fc.boolean(),
});
const options = fc.record({
  paging,
  count: fc.nat(9),
  optimistic: fc.boolean(),
  onGap: fc.constantFrom('keep' as const, 'restart' as const),
  maxPages: fc.constantFrom(undefined, undefined, 2, 3),
  anchored: fc.boolean(),
});
interface Options {
  readonly paging: Paging;
  readonly count: number;
  readonly optimistic: boolean;
  readonly onGap: 'keep' | 'restart';
  readonly maxPages: number | undefined;
  /** With a cursor: the first page begins in the middle of the list. */
  readonly anchored: boolean;
}

function paginationOf({ paging, onGap, maxPages }: Options): Pagination {
  const { style, hasTotal, hasMore } = paging;
  const shared = { total: hasTotal ? 'total' : undefined, onGap, maxPages };
  const numbered = { ...shared, more: hasMore ? 'more' : undefined };
  return style === 'cursor'
    ? byCursor({
        param: 'cursor',
        next: 'next',
        previousParam: 'before',
        previous: 'previous',
        ...shared,
      })
    : style === 'offset'
      ? byOffset({ param: 'offset', ...numbered })
      : byPage({ param: 'page', ...numbered });
}

/** A program with one list that somebody looks at all the time. */
function open(chosen: Options) {
  const world = new PagingWorld(chosen.paging, chosen.count);
  const reports: unknown[] = [];
  const controller = new Controller({
    environment: { now: () => 1_000_000, report: (error) => reports.push(error) },
  });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { around?: string },
    nonFilterArgumentKeys: ['around'],
    optimistic: chosen.optimistic,
    send: world.send,
    pagination: paginationOf(chosen),
  }).extend('getList', {
    schema: { results: new Collection([Post]), next: null as string | null, total: 0, more: false },
  });
  const middle = world.rows[Math.floor(world.rows.length / 2)]?.id;
  const isAnchored = chosen.anchored && chosen.paging.style === 'cursor' && middle !== undefined;
  const args = isAnchored ? { around: middle } : {};
  const view = infinite(controller, Posts.getList, args);
  // As a mounted reader does.
  const look = (): void => {
    if (view.needsLoad(true)) void view.load().catch(() => {});
  };
  view.subscribe(look);
  look();
  const shown = () => {
    const snapshot = view.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data : undefined;
  };
  const ids = (): readonly string[] => shown()?.items.map(({ id }) => id) ?? [];
  const run = (step: Step): void => {
    switch (step.do) {
      case 'next':
        return void view.loadNext();
      case 'previous':
        return void view.loadPrevious();
      case 'others flood':
        // More than a page: the next first page has no row in common with the loaded ones.
        for (let count = 0; count <= chosen.paging.size; count += 1) world.add('start');
        return undefined;
      case 'first':
      case 'loaded':
        return void view.refresh(step.do);
      case 'poll':
        return void controller.fetch(Posts.getList, args).catch(() => {});
      case 'expire':
        return controller.expireAll(Posts.getList);
      case 'invalidate':
        return void controller.invalidate(Posts.getList, args);
      case 'create': {
        const create = step.side === 'start' ? Posts.getList.unshift : Posts.getList.push;
        return void controller.fetch(create, args, { side: step.side }).catch(() => {});
      }
      case 'others create':
        return void world.add(step.side);
      case 'delete': {
        const all = ids().filter((id) => !id.startsWith('~'));
        const id = all[step.pick % all.length];
        return id === undefined
          ? undefined
          : void controller.fetch(Posts.delete, { id }).catch(() => {});
      }
      case 'others delete':
        return world.delete(world.rows[step.pick % world.rows.length]?.id ?? '');
      case 'execute':
        return world.execute(step.pick);
      case 'deliver':
        return void world.deliver(step.pick);
    }
  };
  /** Answers requests until there is none. */
  const quiet = async (): Promise<void> => {
    await settle();
    while (world.pending.length > 0) {
      expect(world.sent).toBeLessThan(LIMIT);
      world.execute(0);
      world.deliver(0);
      await settle();
    }
  };
  return { world, view, shown, ids, run, quiet, reports };
}

/** No row is there twice, at any time. */
function expectOnce(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
}

const parameters = {
  numRuns: RUNS,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  ...(PATH === undefined ? {} : { path: PATH }),
};

it('after any program, all pages loaded and refreshed are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(options, steps, async (chosen, program) => {
      const { world, view, shown, ids, run, quiet, reports } = open(chosen);
      for (const step of program) {
        run(step);
        await settle();
        expectOnce(ids());
      }
      await quiet();
      const rows = (): string[] => world.rows.map(({ id }) => id);
      const load = async (side: 'Next' | 'Previous'): Promise<void> => {
        while (shown()?.[`has${side}`] !== false) {
          const before = world.sent;
          void view[`load${side}`]();
          await quiet();
          expectOnce(ids());
          expect(world.sent).toBeGreaterThan(before);
        }
      };
      const all = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        await load('Next');
        await load('Previous');
        void view.refresh('loaded');
        await quiet();
      }
      await load('Previous');
      // With `maxPages`, the pages in memory are a part of the list without a hole.
      const look = (): void => {
        // Rows that the program created at the end stand there until the last page is loaded.
        const last = shown()?.hasNext ? ids().findLastIndex((id) => !world.own.has(id)) : Infinity;
        const paged = ids().slice(0, last + 1);
        ids().forEach((id) => all.add(id));
        const start = rows().indexOf(paged[0] ?? '');
        expect(paged).toEqual(rows().slice(start, start + paged.length));
      };
      look();
      expect(ids()[0]).toBe(rows()[0]);
      while (shown()?.hasNext !== false) {
        void view.loadNext();
        await quiet();
        void view.refresh('loaded');
        await quiet();
        look();
      }
      expect(rows().filter((id) => !all.has(id))).toEqual([]);
      expect(ids().at(-1)).toBe(rows().at(-1));
      if (chosen.maxPages === undefined) expect(ids()).toEqual(rows());
      expect(shown()).toMatchObject({ hasNext: false, gapAfter: undefined, nextError: undefined });
      if (chosen.paging.hasTotal) expect(shown()?.total).toBe(world.rows.length);
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);

const ownSteps = steps.map((program) =>
  program.filter(({ do: what }) => !/others|loaded|previous|expire|invalidate/.test(what)),
);

it('if nobody else changes the list, all pages loaded are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(options, ownSteps, async (chosen, given) => {
      // A short first page hides the page size. Creates at its start move rows by an unknown number of pages.
      const isShort = chosen.count < chosen.paging.size;
      const program = given.map((step): Step =>
        isShort && step.do === 'create' ? { ...step, side: 'end' } : step,
      );
      const { world, view, shown, ids, run, quiet } = open({
        ...chosen,
        maxPages: undefined,
        anchored: false,
      });
      for (const step of program) {
        run(step);
        await settle();
        expectOnce(ids());
      }
      await quiet();
      while (shown()?.hasNext !== false) {
        const before = world.sent;
        void view.loadNext();
        await quiet();
        expect(world.sent).toBeGreaterThan(before);
      }
      expect([...ids()].sort()).toEqual(world.rows.map(({ id }) => id).sort());
    }),
    parameters,
  );
}, 3_600_000);

const windowSteps = steps.map((program) =>
  program.filter(({ do: what }) => !/others|loaded|first|poll|expire|invalidate/.test(what)),
);

it('with `maxPages`, no row is out of reach if nobody else changes the list', async () => {
  await fc.assert(
    fc.asyncProperty(options, windowSteps, async (chosen, program) => {
      const { world, view, shown, ids, run, quiet, reports } = open({
        ...chosen,
        // By cursor, a row that two pages name is not looked for before the first of them.
        paging: { ...chosen.paging, style: chosen.paging.style === 'page' ? 'page' : 'offset' },
        maxPages: chosen.maxPages ?? 2,
        anchored: false,
        // The length of the first page is the page size.
        count: Math.max(chosen.count, chosen.paging.size),
      });
      for (const step of program) {
        run(step);
        await settle();
        expectOnce(ids());
      }
      await quiet();
      const all = new Set<string>();
      const note = (): void => ids().forEach((id) => all.add(id));
      const load = async (side: 'Next' | 'Previous'): Promise<void> => {
        while (shown()?.[`has${side}`] !== false) {
          const before = world.sent;
          void view[`load${side}`]();
          await quiet();
          expect(world.sent).toBeGreaterThan(before);
          expectOnce(ids());
          // A gap is filled before anything else.
          while (side === 'Previous' && shown()?.gapAfter !== undefined) {
            void view.loadNext();
            await quiet();
          }
        }
      };
      await load('Previous');
      view.subscribe(note);
      for (const side of ['Next', 'Previous'] as const) {
        all.clear();
        note();
        await load(side);
        expect(world.rows.filter(({ id }) => !all.has(id))).toEqual([]);
      }
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);
