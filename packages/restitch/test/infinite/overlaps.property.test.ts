/**
 * Random programs with an infinite list whose creates and deletes overlap the requests of its pages, with each other, and
 * with refreshes, expiries and invalidations. The server carries requests out and delivers them in any order.
 *
 * - Once everything is quiet, without any further call, the loaded rows and the total are those of the server.
 * - Loaded to both ends, the list has each row of the server once. It has them in the server's order after `refresh('loaded')`,
 *   or if the server put the created rows where the program did, in the order of the calls.
 *
 * See `programs.property.test.ts` for the number of programs.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  crossingSteps,
  isHiding,
  open,
  silentOptions,
  overlappingSteps,
  parameters,
  withKnownPositions,
} from './programs.js';

const ownSteps = fc.oneof(
  {
    weight: 2,
    arbitrary: overlappingSteps.map((program) =>
      program.filter(({ do: what }) => !/others/.test(what)),
    ),
  },
  { weight: 1, arbitrary: crossingSteps },
);
const styles = ['cursor', 'link', 'offset', 'page'] as const;

it.each(styles)(
  'when creates and deletes settled, the rows are those of the server: %s',
  async (style) => {
    const chosenOptions = silentOptions.map((chosen) => ({
      ...chosen,
      paging: { ...chosen.paging, style },
    }));
    await fc.assert(
      fc.asyncProperty(chosenOptions, ownSteps, fc.boolean(), async (chosen, given, inOrder) => {
        const program = withKnownPositions(chosen, given);
        const { world, view, shown, ids, runAll, loadTo, quiet, reports } = open(chosen);
        world.inOrder = inOrder;
        const isOrderKnown = inOrder && !chosen.isSorted;
        await runAll(program);
        const rows = (): string[] => world.visible;
        const isWhole = chosen.maxPages === undefined && !chosen.anchored;
        const look = (isOrdered: boolean): void => {
          const list = shown();
          expect([list?.nextError, list?.gapAfter, ...reports]).toEqual([undefined, undefined]);
          expect(list?.isRefreshing).toBe(false);
          // Rows that the program created at the end stand there until the last page is loaded.
          const last = list?.hasNext ? ids().findLastIndex((id) => !world.own.has(id)) : Infinity;
          const loaded = ids().slice(0, last + 1);
          const start = isWhole ? 0 : Math.max(0, rows().indexOf(loaded[0] ?? ''));
          if (isOrdered) expect(loaded).toEqual(rows().slice(start, start + loaded.length));
          if (isWhole && !list?.hasNext) expect([...ids()].sort()).toEqual(rows().sort());
          // A deleted author may have had rows that are not loaded.
          const { hasTotal, hasAuthors } = chosen.paging;
          if (hasTotal && !(hasAuthors && list?.hasNext))
            expect(list?.total).toBe(world.joined.length);
        };
        const seen = new Set<string>();
        const load = async (side: 'Next' | 'Previous'): Promise<void> => {
          seen.clear();
          ids().forEach((id) => seen.add(id));
          await loadTo(side, async () => {
            ids().forEach((id) => seen.add(id));
            // A page that `maxPages` dropped may end before rows that were created since. They are loaded first.
            while (chosen.maxPages && side === 'Previous' && shown()?.gapAfter !== undefined) {
              void view.loadNext();
              await quiet();
            }
          });
        };
        if (isWhole) {
          look(isOrderKnown);
          expect(shown()?.hasPrevious).toBe(false);
        }
        await load('Next');
        if (isWhole) look(isOrderKnown);
        void view.refresh('loaded');
        await quiet();
        look(true);
        await load('Previous');
        look(true);
        // A list that began at a cursor and lost all rows has no cursor for the rows before it.
        if (chosen.anchored && ids().length === 0) return;
        if (!isHiding(chosen, ids())) expect(ids()[0]).toBe(rows()[0]);
        await load('Next');
        look(true);
        expect([...seen].sort()).toEqual(rows().sort());
        if (!isHiding(chosen, ids())) expect(ids().at(-1)).toBe(rows().at(-1));
      }),
      { ...parameters, numRuns: Math.ceil(parameters.numRuns / 2) },
    );
  },
  3_600_000,
);
