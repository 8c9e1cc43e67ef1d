/**
 * Random programs with an infinite list against a server that pages by cursor, `Link` header, offset or number. Once
 * everything is loaded and quiet, the list holds exactly the rows of the server: none is missing and
 * none is there twice. If nobody else changes the list, that needs no refresh.
 *
 * A fifteenth of `RESTITCH_MODEL_RUNS` programs run (default 334). `RESTITCH_MODEL_SEED` and
 * `RESTITCH_MODEL_PATH`, which a failure prints, repeat one.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createdOptions,
  isHiding,
  middleSteps,
  open,
  options,
  silentOptions,
  parameters,
  steps,
  toppedSteps,
  withKnownPositions,
  writingSteps,
} from './programs.js';

it('after any program, all pages loaded and refreshed are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(createdOptions, fc.oneof(steps, toppedSteps), async (chosen, program) => {
      const { world, view, shown, ids, runAll, loadTo, quiet, reports } = open(chosen);
      await runAll(program);
      const rows = (): string[] => world.visible;
      const all = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        await loadTo('Next');
        await loadTo('Previous');
        void view.refresh('loaded');
        await quiet();
      }
      await loadTo('Previous');
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
      if (!isHiding(chosen, ids())) expect(ids()[0]).toBe(rows()[0]);
      while (shown()?.hasNext !== false) {
        void view.loadNext();
        await quiet();
        void view.refresh('loaded');
        await quiet();
        look();
      }
      expect(rows().filter((id) => !all.has(id))).toEqual([]);
      if (!isHiding(chosen, ids())) expect(ids().at(-1)).toBe(rows().at(-1));
      if (chosen.maxPages === undefined) expect(ids()).toEqual(rows());
      expect(shown()).toMatchObject({ hasNext: false, gapAfter: undefined, nextError: undefined });
      if (chosen.paging.hasTotal) expect(shown()?.total).toBe(world.joined.length);
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);

function withoutOthers(all: typeof steps): typeof steps {
  return all.map((program) =>
    program.filter(({ do: what }) => !/others|loaded|previous|expire|invalidate/.test(what)),
  );
}

/** Loads all pages after the program, and returns the reported errors. */
async function loadsAll(
  chosen: Parameters<typeof open>[0],
  program: Parameters<ReturnType<typeof open>['runAll']>[0],
): Promise<readonly unknown[]> {
  const { world, ids, runAll, loadTo, reports } = open({
    ...chosen,
    maxPages: undefined,
    anchored: false,
  });
  await runAll(program);
  await loadTo('Next');
  expect([...ids()].sort()).toEqual(world.visible.sort());
  return reports;
}

const ownSteps = withoutOthers(steps);

it('if nobody else changes the list, all pages loaded are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(createdOptions, ownSteps, async (chosen, given) => {
      await loadsAll(chosen, withKnownPositions(chosen, given));
    }),
    parameters,
  );
}, 3_600_000);

const writtenSteps = withoutOthers(writingSteps);

it('if the program writes the rows in another order, all pages loaded are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(createdOptions, writtenSteps, async (chosen, given) => {
      // Positions count rows in the order of the server. After a create or delete, a page can contain loaded rows, and then
      // replaces others.
      const isByPosition = ['page', 'offset'].includes(chosen.paging.style);
      const program = given.filter(({ do: what }) => !isByPosition || !/create|delete/.test(what));
      // A write contains no hidden rows, and each row once.
      const paging = { ...chosen.paging, hides: undefined, repeats: false };
      expect(await loadsAll({ ...chosen, paging, isSorted: false }, program)).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);

const sharedSteps = withoutOthers(toppedSteps);

it('if another endpoint sends the first rows, all pages loaded are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(createdOptions, sharedSteps, async (chosen, given) => {
      const program = withKnownPositions(chosen, given);
      const { hides } = chosen.paging;
      // The list cannot know how many rows without a key the other endpoint has skipped.
      const paging = { ...chosen.paging, hides: hides === 'keyless' ? undefined : hides };
      expect(await loadsAll({ ...chosen, paging }, program)).toEqual([]);
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
      const isByPosition = ['page', 'offset'].includes(chosen.paging.style);
      // By cursor, `loadPrevious` takes a row created at the end for a row of the next page.
      const isSorted = chosen.isSorted && isByPosition;
      const { world, view, shown, ids, runAll, loadTo, quiet, reports } = open({
        ...chosen,
        maxPages: chosen.maxPages ?? 2,
        anchored: false,
        isSorted,
        // A row without a key in its response counts as a row of somebody else.
        isSilent: false,
        // The length of the first page is the page size.
        count: Math.max(chosen.count, chosen.paging.size),
      });
      await runAll(program);
      const all = new Set<string>();
      const note = (): void => ids().forEach((id) => all.add(id));
      const load = (side: 'Next' | 'Previous'): Promise<void> =>
        loadTo(side, async () => {
          // A gap is filled before anything else.
          while (side === 'Previous' && shown()?.gapAfter !== undefined) {
            void view.loadNext();
            await quiet();
          }
        });
      await load('Previous');
      view.subscribe(note);
      for (const [pass, side] of (['Next', 'Previous', 'Next'] as const).entries()) {
        all.clear();
        note();
        await load(side);
        // A skipped row before the pages in memory is found on the way back, and a skipped row
        // behind them on the way there again.
        if (isSorted && pass < 2) continue;
        // By cursor, a page that fills a gap on the way to the start can drop one that was not shown yet.
        if (side === 'Previous' && !isByPosition) continue;
        expect(world.visible.filter((id) => !all.has(id))).toEqual([]);
      }
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);

const startSteps = steps.map((program) =>
  program.filter(
    (step) =>
      !/loaded|previous|expire|invalidate/.test(step.do) &&
      !('side' in step && step.side !== 'start'),
  ),
);

it('by cursor or link, a refresh of the first page finds all rows that others created at the start', async () => {
  await fc.assert(
    fc.asyncProperty(silentOptions, startSteps, async (chosen, given) => {
      // A position cannot tell how many rows others created before it.
      const style = chosen.paging.style === 'link' ? 'link' : 'cursor';
      // If a page contained only rows of the program, the rows of others behind it would stay unknown.
      // A page of two or three rows contains at most one row without a key.
      const { size, hides } = chosen.paging;
      let creates = hides === 'keyless' ? 1 : 0;
      const program = given.filter((step) => step.do !== 'create' || (creates += 1) < size);
      const { world, view, ids, runAll, loadTo, quiet } = open({
        ...chosen,
        paging: { ...chosen.paging, style },
        maxPages: undefined,
        anchored: false,
        isSorted: false,
      });
      world.inOrder = true;
      await runAll(program);
      void view.refresh();
      await quiet();
      await loadTo('Next');
      // Rows that others deleted stay until their pages are loaded again.
      const rows = world.visible;
      expect(ids().filter((id) => rows.includes(id))).toEqual(rows);
    }),
    parameters,
  );
}, 3_600_000);

const chats = fc.record({
  chosen: silentOptions,
  chat: fc.constantFrom('linked' as const, 'unlinked' as const),
});

it('a chat that is refreshed has no hole, and all its pages are the rows of the server', async () => {
  await fc.assert(
    fc.asyncProperty(chats, steps, async ({ chosen, chat }, program) => {
      const { world, view, shown, ids, runAll, loadTo, quiet, reports } = open({
        ...chosen,
        paging: { ...chosen.paging, style: 'cursor', chat },
        maxPages: undefined,
        anchored: false,
      });
      await runAll(program);
      const rows = (): string[] => world.visible;
      void view.refresh('loaded');
      await quiet();
      const last = shown()?.hasNext ? ids().findLastIndex((id) => !world.own.has(id)) : Infinity;
      const first = shown()?.hasPrevious ? ids().findIndex((id) => !world.own.has(id)) : 0;
      const loaded = ids().slice(Math.max(0, first), last + 1);
      const start = Math.max(0, rows().indexOf(loaded[0] ?? ''));
      expect(loaded).toEqual(rows().slice(start, start + loaded.length));
      await loadTo('Next');
      await loadTo('Previous');
      expect(ids()).toEqual(rows());
      expect(shown()).toMatchObject({ hasNext: false, gapAfter: undefined, nextError: undefined });
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);

const middles = fc.record({
  chosen: silentOptions,
  chat: fc.constantFrom('linked' as const, 'unlinked' as const),
  maxPages: fc.constantFrom(undefined, 1, 2, 3),
});

it('a list that opens in the middle has no hole after a refresh, and no row is out of reach', async () => {
  await fc.assert(
    fc.asyncProperty(middles, middleSteps, async ({ chosen, chat, maxPages }, given) => {
      // Not handled yet: if `maxPages` dropped the opening page, all rows before the list are deleted, and the opening page
      // moves behind the list, `loadPrevious` puts this page in front.
      const program = given.filter(
        ({ do: what }) => maxPages === undefined || !/delete/.test(what),
      );
      const { world, view, shown, ids, runAll, loadTo, quiet, reports } = open({
        ...chosen,
        paging: { ...chosen.paging, style: 'cursor', chat, isMiddle: true },
        maxPages,
        anchored: false,
      });
      await runAll(program);
      const rows = (): string[] => world.visible;
      const seen = new Set<string>();
      const look = (): void => {
        const last = shown()?.hasNext ? ids().findLastIndex((id) => !world.own.has(id)) : Infinity;
        const first = shown()?.hasPrevious ? ids().findIndex((id) => !world.own.has(id)) : 0;
        const loaded = ids().slice(Math.max(0, first), last + 1);
        ids().forEach((id) => seen.add(id));
        const start = Math.max(0, rows().indexOf(loaded[0] ?? ''));
        expect(loaded).toEqual(rows().slice(start, start + loaded.length));
      };
      const refresh = async (): Promise<void> => {
        void view.refresh('loaded');
        await quiet();
        look();
      };
      await refresh();
      await loadTo('Previous', async () => {
        // A gap is filled before anything else.
        while (shown()?.gapAfter !== undefined) {
          ids().forEach((id) => seen.add(id));
          void view.loadNext();
          await quiet();
        }
        look();
      });
      if (!isHiding({ ...chosen, maxPages }, ids())) expect(ids()[0]).toBe(rows()[0]);
      await refresh();
      await loadTo('Next', look);
      // With `maxPages`, a refresh may keep only a page whose rows were all deleted.
      if (ids().length > 0) expect(ids().at(-1)).toBe(rows().at(-1));
      look();
      expect(rows().filter((id) => !seen.has(id))).toEqual([]);
      expect(shown()).toMatchObject({ hasNext: false, gapAfter: undefined, nextError: undefined });
      expect(reports).toEqual([]);
    }),
    parameters,
  );
}, 3_600_000);
