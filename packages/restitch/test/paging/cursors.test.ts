/** Random first pages, refetches and further pages, answered in every order, against a list that is recomputed from nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageResponse, openPages, type Request } from './support.js';

/** A quarter of `RESTITCH_MODEL_RUNS` programs run (default 400). */
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 1_600) / 4);

/** Milliseconds. */
const TIMEOUT = 20_000 + RUNS * 50;

type Step =
  | { readonly do: 'list' | 'page' }
  | { readonly do: 'respond'; readonly pick: number; readonly response: PageResponse }
  | { readonly do: 'fail'; readonly pick: number };

/** The first page, what its further pages brought if there are any, wherever it stands, and the cursor. */
interface State {
  readonly first: readonly string[];
  readonly pages: readonly string[] | undefined;
  /** The last row of the answer that gave the cursor. */
  readonly end: string | undefined;
  readonly next: string | null;
}

interface Answered {
  readonly kind: 'list' | 'page';
  readonly rank: number;
  readonly response: PageResponse;
  /** What the list was when a page was asked for. */
  readonly behind: State;
}

const id = fc.constantFrom('1', '2', '3', '4', '5', '6');
const response: fc.Arbitrary<PageResponse> = fc.record({
  ids: fc.uniqueArray(id, { maxLength: 4 }),
  next: fc.constantFrom('b', 'c', 'd', null),
});
const pick = fc.nat(5);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('list' as const, 'page' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('respond' as const), pick, response }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), pick }) },
  ),
  { maxLength: 24, size: 'max' },
);

/** From every answer there was, in rank order. */
function recompute(seed: PageResponse, responses: readonly Answered[]): State {
  let state: State = {
    first: seed.ids,
    pages: undefined,
    end: seed.ids.at(-1),
    next: seed.next ?? null,
  };
  const inOrder = [...responses].sort((a, b) => a.rank - b.rank);
  for (const { kind, response: given, behind } of inOrder) {
    const { first, pages, end, next } = state;
    const own = { first: given.ids, end: given.ids.at(-1), next: given.next ?? null };
    if (kind === 'page') {
      if (!isThere(state, behind)) continue;
      const all = distinct([...(pages ?? []), ...given.ids]);
      state = { ...own, first, pages: all, end: own.end ?? end };
    } else {
      const last = first.at(-1);
      const joins = pages !== undefined && last !== undefined && given.ids.includes(last);
      state = joins ? { first: given.ids, pages, end, next } : { ...own, pages: undefined };
    }
  }
  return state;
}

/** Rows, each at its first place alone. */
const distinct = (rows: readonly string[]): readonly string[] => [...new Set(rows)];

const shownIn = ({ first, pages = [] }: State): readonly string[] => distinct([...first, ...pages]);

/** Whether the row is there behind which a page was asked for. Where it was not there then, the list still ends with it. */
function isThere(now: State, behind: State): boolean {
  const { end } = behind;
  const has = (state: State): boolean => end !== undefined && shownIn(state).includes(end);
  return has(now) || (now.end === end && !has(behind));
}

/** Whether page 2, what comes after two rows, and what comes after row 2 is still what comes next. */
function isNext(now: State, behind: State): boolean {
  const meanings = (state: State): boolean[] => [shownIn(state).length === 2, state.end === '2'];
  const meant = meanings(behind);
  return meant.includes(true)
    ? meanings(now).every((holds, index) => holds === meant[index])
    : !now.pages && !behind.pages;
}

function notified(state: State): string {
  return [...shownIn(state), `→${state.next ?? 'end'}`].join(' ');
}

describe('first pages, refetches and further pages', () => {
  it(
    'in every order end in the list and the cursor that rank order gives',
    async () => {
      await fc.assert(
        fc.asyncProperty(response, steps, async (seedAnswer, program) => {
          const { seed, list, page, shownNow } = openPages();
          seed(seedAnswer);
          let tick = 0;
          let flights: {
            kind: 'list' | 'page';
            start: number;
            behind: State;
            request: Request;
          }[] = [];
          const responses: Answered[] = [];
          for (const step of program) {
            tick += 1;
            const now = recompute(seedAnswer, responses);
            const flight = 'pick' in step ? flights[step.pick % flights.length] : undefined;
            if (!('pick' in step)) {
              const request = step.do === 'list' ? list() : page();
              flights.push({ kind: step.do, start: tick, behind: now, request });
            } else if (flight) {
              flights = flights.filter((other) => other !== flight);
              const { kind, start, behind, request } = flight;
              if (step.do === 'fail') await request.fail();
              else {
                const { count } = request;
                await request.respond(step.response);
                const isLost = kind === 'page' && !isThere(now, behind);
                const isAgain = isLost && isNext(now, behind);
                expect(request.count - count).toBe(isAgain ? 1 : 0);
                if (isAgain) flights.push({ ...flight, behind: now });
                // A page continues what is there when it comes, a list is as old as its request.
                const rank = kind === 'page' ? tick : start;
                if (!isLost) responses.push({ kind, rank, response: step.response, behind });
              }
            }
            expect(shownNow()).toBe(notified(recompute(seedAnswer, responses)));
          }
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );
});
