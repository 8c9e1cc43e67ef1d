/** Random first pages, refetches and further pages, answered in every order, against a list that is recomputed from nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, openPages, type Request } from './support.js';

type Step =
  | { readonly do: 'list' | 'page' }
  | { readonly do: 'answer'; readonly pick: number; readonly answer: Answer }
  | { readonly do: 'fail'; readonly pick: number };

interface Answered {
  readonly kind: 'list' | 'page';
  readonly rank: number;
  readonly answer: Answer;
}

const id = fc.constantFrom('1', '2', '3', '4', '5', '6');
const answer: fc.Arbitrary<Answer> = fc.record({
  ids: fc.uniqueArray(id, { maxLength: 4 }),
  next: fc.constantFrom('b', 'c', 'd', null),
});
const pick = fc.nat(5);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('list' as const, 'page' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), pick, answer }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), pick }) },
  ),
  { maxLength: 24, size: 'max' },
);

/** The list and its cursor, from every answer there was, in rank order. */
function recompute(seed: Answer, answers: readonly Answered[]): string {
  let first: readonly string[] = seed.ids;
  let pages: readonly string[] | undefined;
  let { next } = seed;
  const inOrder = [...answers].sort((a, b) => a.rank - b.rank);
  for (const { kind, answer: given } of inOrder) {
    if (kind === 'page') {
      const shown = [...first, ...(pages ?? [])];
      pages = [...(pages ?? []), ...given.ids.filter((row) => !shown.includes(row))];
      ({ next } = given);
    } else {
      const last = first.at(-1);
      const joins = pages !== undefined && last !== undefined && given.ids.includes(last);
      first = given.ids;
      pages = joins ? pages?.filter((row) => !given.ids.includes(row)) : undefined;
      if (!joins) ({ next } = given);
    }
  }
  return [...first, ...(pages ?? []), `→${next ?? 'end'}`].join(' ');
}

describe('first pages, refetches and further pages', () => {
  it('in every order end in the list and the cursor that rank order gives', async () => {
    await fc.assert(
      fc.asyncProperty(answer, steps, async (seedAnswer, program) => {
        const { seed, list, page, shown } = openPages();
        seed(seedAnswer);
        let tick = 0;
        const flights: { kind: 'list' | 'page'; start: number; request: Request }[] = [];
        const answers: Answered[] = [];
        for (const step of program) {
          tick += 1;
          if (!('pick' in step)) {
            const request = step.do === 'list' ? list() : page();
            flights.push({ kind: step.do, start: tick, request });
          } else {
            const [flight] = flights.splice(step.pick % Math.max(flights.length, 1), 1);
            if (flight && step.do === 'fail') await flight.request.fail();
            if (flight && step.do === 'answer') {
              const { kind, start } = flight;
              // A page continues what is there when it comes, a list is as old as its request.
              answers.push({ kind, rank: kind === 'page' ? tick : start, answer: step.answer });
              await flight.request.answer(step.answer);
            }
          }
          expect(shown()).toBe(recompute(seedAnswer, answers));
        }
      }),
      { numRuns: 400 },
    );
  }, 60_000);
});
