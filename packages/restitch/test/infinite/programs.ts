/** Random programs with one infinite list: their steps, and a list with its server. */
import fc from 'fast-check';
import {
  byCursor,
  byLink,
  byOffset,
  All,
  byPage,
  Collection,
  Controller,
  Endpoint,
  Entity,
  infinite,
  resource,
  RestEndpoint,
  type Pagination,
} from 'restitch';
import { expect } from 'vitest';
import { settle } from '../support/clock.js';
import type { Side } from '../support/ListServer.js';
import { Author, AuthoredPost, HidingPost, type Paging, PagingWorld } from './pagingWorld.js';

class Room extends Entity {
  id = '';
  title = '';
}

/** More requests than any program needs. */
const LIMIT = 900;
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 15);
const SEED = process.env['RESTITCH_MODEL_SEED'];
const PATH = process.env['RESTITCH_MODEL_PATH'];

/** More calls than any loop needs. */
const MOST_CALLS = 200;

type Plain =
  | 'next'
  | 'all'
  | 'write'
  | 'previous'
  | 'others flood'
  | 'first'
  | 'loaded'
  | 'poll'
  | 'expire'
  | 'invalidate';

export type Step =
  | { readonly do: Plain }
  | { readonly do: 'create'; readonly side: 'start' | 'end'; readonly sorted: Side }
  | { readonly do: 'others create'; readonly side: Side }
  | {
      readonly do:
        | 'delete'
        | 'delete author'
        | 'others delete'
        | 'others act'
        | 'edit'
        | 'act'
        | 'act author'
        | 'top'
        | 'execute'
        | 'deliver';
      readonly pick: number;
    }
  | { readonly do: 'others move opening'; readonly pick: number };

const pick = fc.nat(7);
const plain = (what: Plain): fc.Arbitrary<Step> => fc.constant({ do: what });
const side = fc.constantFrom<Side>('start', 'end', 'middle');
const create = fc.record({
  do: fc.constant('create' as const),
  side: fc.constantFrom('start' as const, 'end' as const),
  sorted: side,
});
/** `own` is the weight of creates and deletes by the program; `again` is that of requests for loaded pages. */
const stepsOf = (own: number, again: number) =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: plain('next') },
      { weight: 1, arbitrary: plain('all') },
      { weight: 2, arbitrary: plain('previous') },
      { weight: 1, arbitrary: plain('others flood') },
      { weight: again, arbitrary: plain('first') },
      { weight: again, arbitrary: plain('loaded') },
      { weight: again, arbitrary: plain('poll') },
      { weight: again, arbitrary: plain('expire') },
      { weight: 1, arbitrary: plain('invalidate') },
      { weight: own, arbitrary: create },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('others create' as const), side }) },
      { weight: own, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('delete author' as const), pick }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('others delete' as const), pick }) },
      { weight: 8, arbitrary: fc.record({ do: fc.constant('execute' as const), pick }) },
      { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
    ),
    { maxLength: 40, size: 'max' },
  );
export const steps = stepsOf(2, 1);
/** Most loads overlap creates and deletes. */
export const overlappingSteps = stepsOf(5, 2);
const answered: readonly Step[] = [
  { do: 'execute', pick: 0 },
  { do: 'deliver', pick: 0 },
];
const move = fc.oneof(
  { weight: 1, arbitrary: create },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
);
/** Creates and deletes end one by one. Then others end in any order while the next page loads. */
const crossing = fc
  .record({
    before: fc.array(move, { maxLength: 3 }),
    during: fc.array(move, { minLength: 1, maxLength: 4 }),
    picks: fc.array(pick, { minLength: 5, maxLength: 5 }),
  })
  .map(({ before, during, picks }): Step[] => {
    const answers = picks.map((chosen): Step => ({ do: 'deliver', pick: chosen }));
    return [
      ...before.flatMap((step) => [step, ...answered]),
      { do: 'next' },
      ...during,
      ...answers,
    ];
  });
export const crossingSteps: fc.Arbitrary<Step[]> = fc
  .array(crossing, { minLength: 1, maxLength: 3 })
  .map((phases) => [...answered, ...phases.flat()]);
/** The program writes the loaded rows in another order. */
export const writingSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: plain('write') },
    { weight: 6, arbitrary: stepsOf(1, 1).map(([step]) => step ?? { do: 'next' as const }) },
  ),
  { maxLength: 40, size: 'max' },
);
/** Another endpoint sends the first rows of the same list, as a record with its first comments does. */
export const toppedSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ do: fc.constant('top' as const), pick }) },
    { weight: 6, arbitrary: stepsOf(1, 1).map(([step]) => step ?? { do: 'next' as const }) },
  ),
  { maxLength: 40, size: 'max' },
);
/** Edits overlap each other, and actions have an empty response (204). */
export const editingSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('act' as const), pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('act author' as const), pick }) },
    { weight: 2, arbitrary: plain('next') },
    {
      weight: 1,
      arbitrary: fc.constant<Step>({ do: 'create', side: 'end', sorted: 'end' }),
    },
    { weight: 6, arbitrary: stepsOf(1, 1).map(([step]) => step ?? { do: 'next' as const }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('execute' as const), pick }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
  ),
  { maxLength: 40, size: 'max' },
);
/**
 * Another endpoint sends the first rows while rows are outdated: after edits and actions, and after
 * actions of others, for which the program expires the list. Its response arrives before or after
 * the first page.
 */
const marking = fc
  .record({
    pages: fc.nat(2),
    mark: fc.constantFrom(
      'act' as const,
      'act author' as const,
      'others act' as const,
      'edit' as const,
    ),
    picks: fc.array(pick, { minLength: 10, maxLength: 10 }),
    between: fc.array(
      stepsOf(1, 1).map(([step]) => step ?? { do: 'next' as const }),
      {
        maxLength: 2,
      },
    ),
  })
  .map(({ pages, mark, picks, between }): Step[] => {
    const [first = 0, second = 0, top = 0, ...rest] = picks;
    const answers = rest.flatMap((chosen): Step[] => [
      { do: 'execute', pick: chosen },
      { do: 'deliver', pick: chosen },
    ]);
    const marks: Step[] = [{ do: mark, pick: first }];
    if (mark === 'edit') marks.push({ do: mark, pick: second });
    return [
      ...Array.from({ length: pages }, (): Step[] => [{ do: 'next' }, ...answered]).flat(),
      ...marks,
      ...(mark === 'others act' ? [] : answers.slice(0, 4)),
      { do: 'top', pick: top },
      ...between,
      ...answers.slice(4),
    ];
  });
export const markedSteps: fc.Arbitrary<Step[]> = fc
  .array(marking, { minLength: 1, maxLength: 4 })
  .map((phases) => [...answered, ...phases.flat()]);
/** Most requests end before the next step. So pages are dropped in front, and the opening page moves meanwhile. */
export const middleSteps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: plain('next') },
      { weight: 3, arbitrary: plain('previous') },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('others move opening' as const), pick }),
      },
      { weight: 4, arbitrary: stepsOf(2, 1).map(([step]) => step ?? { do: 'loaded' as const }) },
    ),
    { maxLength: 15, size: 'max' },
  )
  .chain((program) =>
    fc
      .array(fc.integer({ min: 0, max: 3 }), {
        minLength: program.length,
        maxLength: program.length,
      })
      .map((waits) => [
        ...answered,
        ...program.flatMap((step, index) => (waits[index] ? [step, ...answered] : [step])),
      ]),
  );
const paging: fc.Arbitrary<Paging> = fc.record({
  style: fc.constantFrom('cursor', 'link', 'offset', 'page'),
  size: fc.integer({ min: 1, max: 3 }),
  hasTotal: fc.boolean(),
  hasMore: fc.boolean(),
  hides: fc.constantFrom(undefined, undefined, undefined, 'key', 'keyless', 'invalid'),
  repeats: fc.constantFrom(false, false, true),
  hasAuthors: fc.constantFrom(false, false, true),
});
const anyOptions = fc.record({
  paging,
  count: fc.nat(9),
  optimistic: fc.boolean(),
  onGap: fc.constantFrom('keep' as const, 'restart' as const),
  maxPages: fc.constantFrom(undefined, undefined, 2, 3),
  anchored: fc.boolean(),
  isSwept: fc.boolean(),
  isSized: fc.constantFrom<Options['isSized'][]>(false, 'named', 'declared'),
  isPrompt: fc.boolean(),
  isSorted: fc.boolean(),
});
/**
 * With `maxPages`, a repeated row leaves the list with the first page that contains it. With one row
 * in a page, pages without a new row end the list, with an error.
 */
export const options = anyOptions.map((chosen) => {
  const { paging } = chosen;
  return paging.repeats
    ? { ...chosen, maxPages: undefined, paging: { ...paging, size: Math.max(2, paging.size) } }
    : chosen;
});
/** Of some programs, creates get an empty response (204). */
export const silentOptions = fc
  .tuple(options, fc.boolean())
  .map(([chosen, isSilent]) => ({ ...chosen, isSilent }));
/** Some lists belong to a room that is being created when they open. */
export const createdOptions = fc
  .tuple(silentOptions, fc.boolean())
  .map(([chosen, isTemporary]) => ({ ...chosen, isTemporary }));
export interface Options {
  readonly paging: Paging;
  readonly count: number;
  readonly optimistic: boolean;
  readonly onGap: 'keep' | 'restart';
  readonly maxPages: number | undefined;
  /** With a cursor: the first page begins in the middle of the list. */
  readonly anchored: boolean;
  /** Creates get an empty response (204). */
  readonly isSilent: boolean;
  /** Rows that nothing needs are evicted after each step and each response. */
  readonly isSwept: boolean;
  /** With an offset or a number: the calls name the page size, or the endpoint declares it. */
  readonly isSized: false | 'named' | 'declared';
  /** The server carries out each request at once. Only the responses arrive in another order. */
  readonly isPrompt: boolean;
  /** The server has created rows elsewhere than the program, as a server that sorts by name. */
  readonly isSorted: boolean;
  /** The list belongs to a room that is being created when the list opens. */
  readonly isTemporary?: boolean;
}

function paginationOf({ paging, onGap, maxPages, isSized }: Options): Pagination {
  const limit = isSized ? 'size' : undefined;
  const { style, hasTotal, hasMore } = paging;
  const shared = { total: hasTotal ? 'total' : undefined, onGap, maxPages };
  const numbered = { ...shared, more: hasMore ? 'more' : undefined };
  if (style === 'link') return byLink({ params: ['cursor'], ...shared });
  return style === 'cursor'
    ? byCursor({
        param: 'cursor',
        next: 'next',
        previousParam: 'before',
        previous: 'previous',
        ...shared,
      })
    : style === 'offset'
      ? byOffset({ param: 'offset', limit, ...numbered })
      : byPage({ param: 'page', size: limit, ...numbered });
}

/** A program with one list that somebody looks at all the time. */
export function open(chosen: Options) {
  const world = new PagingWorld(chosen.paging, chosen.count);
  world.isSilent = chosen.isSilent;
  const reports: unknown[] = [];
  let sweep: (() => void) | undefined;
  const controller = new Controller({
    maxEntities: chosen.isSwept ? 0 : Infinity,
    environment: {
      now: () => 1_000_000,
      report: (error) => reports.push(error),
      whenIdle: (callback, milliseconds) => {
        if (milliseconds === 0) sweep = callback;
        return () => {
          if (sweep === callback) sweep = undefined;
        };
      },
    },
  });
  const rest = async (): Promise<void> => {
    await settle();
    const collect = sweep;
    sweep = undefined;
    collect?.();
  };
  const Post = chosen.paging.hasAuthors ? AuthoredPost : HidingPost;
  const posts = new Collection([Post], {
    name: 'posts',
    argsKey: ({ room }: { room?: string }) => ({ room }),
  });
  const rooms = new Collection([Room]);
  let create = (_: object): void => {};
  const createRoom = new Endpoint(() => new Promise<object>((resolve) => (create = resolve)), {
    name: 'createRoom',
    schema: rooms.push,
    sideEffect: true,
    getOptimisticResponse: () => ({ title: '' }),
  });
  if (chosen.isTemporary) void controller.fetch(createRoom);
  const room = controller.get(new All(Room))?.[0]?.id;
  const ofRoom = room === undefined ? {} : { room };
  const isByPosition = ['page', 'offset'].includes(chosen.paging.style);
  const isDeclared = isByPosition && chosen.isSized === 'declared';
  const declared = isDeclared ? { size: chosen.paging.size } : {};
  const Authors = resource({
    urlPrefix: 'http://x',
    path: '/authors/:id',
    schema: Author,
    send: world.send,
  });
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: declared as { around?: string; size?: number; room?: string },
    nonFilterArgumentKeys: ['around'],
    optimistic: chosen.optimistic,
    send: world.send,
    pagination: paginationOf(chosen),
  }).extend('getList', {
    schema: { results: posts, next: null as string | null, total: 0, more: false },
  });
  const top = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/posts',
    searchParams: {} as { top: number; room?: string },
    schema: posts,
    process: ({ results }: { results: object[] }) => results,
    send: world.send,
  });
  const actions = {
    urlPrefix: 'http://x',
    method: 'POST',
    send: world.send,
    body: undefined,
  } as const;
  const act = new RestEndpoint({ ...actions, path: '/posts/:id/act', schema: Post });
  const actOnAuthor = new RestEndpoint({ ...actions, path: '/authors/:id/act', schema: Author });
  let edits = 0;
  let acted = '';
  const middle = world.rows[Math.floor(world.rows.length / 2)]?.id;
  const isAnchored = chosen.anchored && chosen.paging.style === 'cursor' && middle !== undefined;
  const args = isAnchored
    ? { around: middle, ...ofRoom }
    : isByPosition && chosen.isSized === 'named'
      ? { size: chosen.paging.size, ...ofRoom }
      : ofRoom;
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
  /** As an export does. Each call loads a page, or waits for a create or delete in flight. */
  const loadAll = async (): Promise<void> => {
    for (let count = 0; shown()?.hasNext && !shown()?.nextError; count += 1) {
      if (count > MOST_CALLS) return void reports.push('A loop of `loadNext` calls does not end.');
      await view.loadNext();
    }
  };
  const run = (step: Step): void => {
    const known = ids().filter((id) => !id.startsWith('~'));
    const id = 'pick' in step ? known[step.pick % known.length] : undefined;
    switch (step.do) {
      case 'next':
        return void view.loadNext();
      case 'all':
        return void loadAll();
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
        const at = chosen.isSorted ? step.sorted : step.side;
        return void controller.fetch(create, args, { side: at }).catch(() => {});
      }
      case 'others create':
        return void world.add(step.side);
      case 'delete': {
        // The delete of a repeated row moves the rows behind it by an unknown number.
        const all = ids().filter((id) => !id.startsWith('~') && !world.isRepeated(id));
        const id = all[step.pick % all.length];
        return id === undefined
          ? undefined
          : void controller.fetch(Posts.delete, { id }).catch(() => {});
      }
      case 'others move opening':
        return void (world.opening = step.pick);
      case 'edit': {
        edits += 1;
        // Each second edit is of the row of the last action, if the list shows this row.
        const edited = step.pick % 2 === 1 && ids().includes(acted) ? acted : id;
        return edited === undefined
          ? undefined
          : void controller
              .fetch(Posts.partialUpdate, { id: edited }, { note: `edited ${edits}` })
              .catch(() => {});
      }
      case 'act':
        // Another page of the program can show any row.
        acted = world.rows[step.pick % world.rows.length]?.id ?? '';
        return void controller.fetch(act, { id: acted }).catch(() => {});
      case 'top': {
        const { size } = chosen.paging;
        const count = [size, size + 1, 1, world.rows.length][step.pick % 4] ?? 0;
        return void controller.fetch(top, { top: count, ...ofRoom }).catch(() => {});
      }
      case 'act author':
        return void controller.fetch(actOnAuthor, { id: `u${step.pick % 4}` }).catch(() => {});
      case 'others act': {
        // The program can show its own rows behind the pages, where no page contains them.
        const others = world.rows.filter(({ id }) => !world.own.has(id));
        world.act(others[step.pick % others.length]?.id);
        return controller.expireAll(Posts.getList);
      }
      case 'others delete':
        return world.delete(world.rows[step.pick % world.rows.length]?.id ?? '');
      case 'delete author':
      case 'write':
        return undefined;
      case 'execute':
        return world.execute(step.pick);
      case 'deliver':
        return void world.deliver(step.pick);
    }
  };
  /** Answers requests until there is none. */
  const quiet = async (): Promise<void> => {
    await rest();
    while (world.pending.length > 0) {
      expect(world.sent).toBeLessThan(LIMIT);
      world.execute(0);
      world.deliver(0);
      await rest();
    }
  };
  /**
   * Without other requests: a page that overlaps the delete may skip rows. Only positions count the
   * rows of an author. No reader knows the author of a hidden row.
   */
  const deleteAuthor = async (pick: number): Promise<void> => {
    await quiet();
    const { hasAuthors, hides, repeats } = chosen.paging;
    if (isByPosition && hasAuthors && !hides && !repeats) {
      void controller.fetch(Authors.delete, { id: `u${pick % 4}` }).catch(() => {});
      await rest();
      world.execute(0);
      world.deliver(0);
    }
  };
  /** Without other requests: the write would remove rows that are not shown. */
  const write = async (): Promise<void> => {
    await quiet();
    const rows = [...(shown()?.items ?? [])].reverse();
    controller.set(Posts.getList.schema.results, args, rows);
  };
  /** Runs a program. Then answers all requests. */
  const runAll = async (program: readonly Step[]): Promise<void> => {
    await rest();
    create({ id: 'r1', title: '' });
    await rest();
    for (const step of program) {
      await (step.do === 'delete author'
        ? deleteAuthor(step.pick)
        : step.do === 'write'
          ? write()
          : run(step));
      await rest();
      if (chosen.isPrompt) world.pending.forEach((request) => world.carryOut(request));
      expectOnce(ids());
    }
    await quiet();
  };
  /** Loads pages up to one end. `each` is called after each page. */
  const loadTo = async (
    side: 'Next' | 'Previous',
    each: () => void | Promise<void> = () => {},
  ): Promise<void> => {
    while (shown()?.[`has${side}`] !== false) {
      const before = world.sent;
      void view[`load${side}`]();
      await quiet();
      expect(world.sent).toBeGreaterThan(before);
      expectOnce(ids());
      await each();
    }
  };
  return { world, view, shown, ids, run, runAll, loadTo, quiet, reports, controller };
}

/**
 * A program whose positions are known. If the page size is unknown, creates at the start of a short first page would move
 * rows by an unknown number of pages.
 */
export function withKnownPositions(chosen: Options, program: readonly Step[]): readonly Step[] {
  const isSized = chosen.isSized && ['page', 'offset'].includes(chosen.paging.style);
  const isShort = !isSized && chosen.count < chosen.paging.size;
  return program.map((step): Step =>
    isShort && step.do === 'create' ? { ...step, side: 'end' } : step,
  );
}

/** True if the pages that `maxPages` kept have only hidden rows. */
export function isHiding({ paging, maxPages }: Options, ids: readonly string[]): boolean {
  return ids.length === 0 && paging.hides !== undefined && maxPages !== undefined;
}

/** No row is there twice, at any time. */
export function expectOnce(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
}

export const parameters = {
  numRuns: RUNS,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  ...(PATH === undefined ? {} : { path: PATH }),
};
