/**
 * Random programs with an infinite list whose creates and deletes overlap the requests of its pages.
 * Once everything is quiet, without any further call, the rows and the total are those of the server,
 * as far as the list is loaded.
 *
 * See `programs.property.test.ts` for the number of programs.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { expectOnce, open, options, parameters, type Step, steps } from './programs.js';

const ownSteps = steps.map((program) =>
  program.filter(({ do: what }) => !/others|previous|invalidate/.test(what)),
);

it('when own creates and deletes settled, the loaded rows are those of the server', async () => {
  await fc.assert(
    fc.asyncProperty(options, ownSteps, async (chosen, given) => {
      // A short first page hides the page size. Creates at its start move rows by an unknown number of pages.
      const isShort = chosen.count < chosen.paging.size;
      const program = given.map((step): Step =>
        isShort && step.do === 'create' ? { ...step, side: 'end' } : step,
      );
      const { world, shown, ids, run, quiet, reports } = open({
        ...chosen,
        maxPages: undefined,
        anchored: false,
      });
      // The client cannot know another order.
      world.inOrder = true;
      for (const step of program) {
        run(step);
        await settle();
        expectOnce(ids());
      }
      await quiet();
      const rows = world.rows.map(({ id }) => id);
      const { hasNext, total, gapAfter, nextError } = shown() ?? {};
      // Rows that the program created at the end stand there until the last page is loaded.
      const last = hasNext ? ids().findLastIndex((id) => !world.own.has(id)) : Infinity;
      const loaded = ids().slice(0, last + 1);
      if (chosen.paging.style === 'offset' || chosen.paging.style === 'page') {
        expect(gapAfter).toBe(undefined);
        expect(loaded).toEqual(hasNext ? rows.slice(0, loaded.length) : rows);
      }
      expect([nextError, ...reports]).toEqual([undefined]);
      if (chosen.paging.hasTotal) expect(total).toBe(rows.length);
    }),
    parameters,
  );
}, 3_600_000);
