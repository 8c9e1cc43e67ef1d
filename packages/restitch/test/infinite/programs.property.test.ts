/**
 * Random programs with an infinite list against a server that pages by cursor, offset or number. Once
 * everything is loaded and quiet, the list holds exactly the rows of the server: none is missing and
 * none is there twice.
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
import { type Paging, PagingWorld, type Side } from './pagingWorld.js';

/** More requests than any program needs. */
const LIMIT = 300;
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 10);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

class Post extends Entity {
  id = '';
  side = '';
  static override key = 'Post';
}

type Plain = 'next' | 'first' | 'loaded' | 'poll' | 'expire' | 'invalidate';

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
});
const options = fc.record({
  paging,
  count: fc.nat(9),
  optimistic: fc.boolean(),
  onGap: fc.constantFrom('keep' as const, 'restart' as const),
});

interface Options {
  readonly paging: Paging;
  readonly count: number;
  readonly optimistic: boolean;
  readonly onGap: 'keep' | 'restart';
}

function paginationOf({ paging: { style, hasTotal }, onGap }: Options): Pagination {
  const more = { total: hasTotal ? 'total' : undefined, onGap };
  return style === 'cursor'
    ? byCursor({ param: 'cursor', next: 'next', ...more })
    : style === 'offset'
      ? byOffset({ param: 'offset', ...more })
      : byPage({ param: 'page', ...more });
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
    searchParams: {} as { tag?: string },
    optimistic: chosen.optimistic,
    send: world.send,
    pagination: paginationOf(chosen),
  }).extend('getList', {
    schema: { results: new Collection([Post]), next: null as string | null, total: 0 },
  });
  const view = infinite(controller, Posts.getList, {});
  // As a mounted reader does.
  const look = (): void => {
    if (view.needsLoad(true)) void view.load().catch(() => {});
  };
  view.subscribe(look);
  look();
  const shownNow = () => {
    const snapshot = view.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data : undefined;
  };
  const ids = (): readonly string[] => shownNow()?.items.map(({ id }) => id) ?? [];
  const run = (step: Step): void => {
    switch (step.do) {
      case 'next':
        return void view.loadNext();
      case 'first':
      case 'loaded':
        return void view.refresh(step.do);
      case 'poll':
        return void controller.fetch(Posts.getList, {}).catch(() => {});
      case 'expire':
        return controller.expireAll(Posts.getList);
      case 'invalidate':
        return void controller.invalidate(Posts.getList, {});
      case 'create': {
        const create = step.side === 'start' ? Posts.getList.unshift : Posts.getList.push;
        return void controller.fetch(create, {}, { side: step.side }).catch(() => {});
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
  return { world, view, shown: shownNow, ids, run, quiet, reports };
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
      const { world, view, shown: shownNow, ids, run, quiet, reports } = open(chosen);
      for (const step of program) {
        run(step);
        await settle();
        expectOnce(ids());
      }
      await quiet();
      for (let round = 0; round < 3; round += 1) {
        while (shownNow()?.hasNext !== false) {
          const before = world.sent;
          void view.loadNext();
          await quiet();
          expectOnce(ids());
          expect(world.sent).toBeGreaterThan(before);
        }
        void view.refresh('loaded');
        await quiet();
      }
      expect(ids()).toEqual(world.rows.map(({ id }) => id));
      expect(shownNow()).toMatchObject({
        hasNext: false,
        gapAfter: undefined,
        nextError: undefined,
      });
      if (chosen.paging.hasTotal) expect(shownNow()?.total).toBe(world.rows.length);
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 600_000);
