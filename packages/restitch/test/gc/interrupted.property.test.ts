/**
 * Garbage collection that is interrupted anywhere: readers come between its steps. Each of them
 * receives everything that it received before, or nothing, and then it fetches.
 */
import fc from 'fast-check';
import { All, Collection, Controller, Entity, Union, type View } from 'restitch';
import { getState, hydrate, type StoreState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { openSteps } from '../support/sweeping.js';
import { listen, manual } from '../support/world.js';

class Post extends Entity {
  id = '';
  title = '';
  author: Person | undefined = undefined;
  about: unknown = undefined;
  static override key = 'InterruptedPost';
  static override schema: Record<string, unknown> = {};
}
class Person extends Entity {
  id = '';
  name = '';
  friend: Person | undefined = undefined;
  posts: Post[] = [];
  static override key = 'InterruptedPerson';
  static override schema: Record<string, unknown> = {};
}
const either = new Union({ post: Post, person: Person }, 'kind' as never);
Post.schema = { author: Person, about: either };
Person.schema = { friend: Person, posts: new Collection([Post], { name: 'InterruptedOwn' }) };

const list = new Collection([Post], { name: 'InterruptedPosts' });
const mixed = new Collection([either], { name: 'InterruptedMixed' });
const endpoints = [
  manual('interrupted-list', list),
  manual('interrupted-array', [Post]),
  manual('interrupted-people', { people: [Person], count: 0 }),
  manual('interrupted-mixed', mixed),
  manual('interrupted-post', Post),
  manual('interrupted-person', Person),
].map(({ endpoint }) => endpoint);

const COUNT = 6;
const PAGES = ['a', 'b', 'c'];
type Pick = (limit: number) => number;

const person = (id: number, pick: Pick): object => ({
  id: `u${id}`,
  kind: 'person',
  name: `name ${id}`,
  friend: pick(2) ? `u${pick(COUNT)}` : { id: `u${(id + 1) % COUNT}`, name: 'friend', posts: [] },
  posts: Array.from({ length: pick(3) }, () => `p${pick(COUNT)}`),
});
const post = (id: number, pick: Pick): object => ({
  id: `p${id}`,
  kind: 'post',
  title: `title ${id}`,
  author: person(pick(COUNT), pick),
  about: pick(2) ? { ...person(pick(COUNT), pick) } : null,
});
const several = (make: (id: number, pick: Pick) => object, pick: Pick): object[] =>
  [...new Set(Array.from({ length: 1 + pick(4) }, () => pick(COUNT)))].map((id) => make(id, pick));

function fill(controller: Controller, pick: Pick): void {
  const [posts, array, people, all, onePost, onePerson] = endpoints as any[];
  for (const page of PAGES) {
    controller.setResponse(posts, { page }, several(post, pick));
    controller.setResponse(array, { page }, several(post, pick));
    controller.setResponse(people, { page }, { people: several(person, pick), count: 1 });
    controller.setResponse(all, { page }, [...several(post, pick), ...several(person, pick)]);
  }
  for (let id = 0; id < COUNT; id += 1) {
    if (pick(2)) controller.setResponse(onePost, { id: `p${id}` }, post(id, pick));
    if (pick(2)) controller.setResponse(onePerson, { id: `u${id}` }, person(id, pick));
  }
}

/** A value as text; cycles end at some depth. */
const textOf = (value: unknown): string => JSON.stringify(plain(value, 0));
function plain(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 4) return '…';
  const parts = Object.entries(value).map(([field, part]) => [field, plain(part, depth + 1)]);
  return Object.fromEntries(parts);
}

/** What a reader shows: nothing, or a text for each part that can be evicted by itself. */
type Read = () => readonly string[] | undefined;
function readersOf(controller: Controller): { read: Read; view: () => View<unknown> }[] {
  const ids = Array.from({ length: COUNT }, (_, id) => id);
  // Hydrated data waits for its first reader, so no view is created before it is read.
  const views = (endpoints as any[]).flatMap((endpoint, index) =>
    (index < 4
      ? PAGES.map((page) => ({ page }))
      : ids.map((id) => ({ id: `${index === 4 ? 'p' : 'u'}${id}` }))
    ).map((args) => (): View<unknown> => controller.observe(endpoint, args)),
  );
  const queries = [
    ...PAGES.flatMap((page) => [list, mixed].map((schema) => [schema, { page }])),
    ...ids.flatMap((id) => [
      [Person, { id: `u${id}` }],
      [Post, { id: `p${id}` }],
    ]),
  ].map(
    ([schema, args]) =>
      (): View<unknown> =>
        controller.observeQuery(schema as any, args),
  );
  const all = (): View<unknown> => controller.observeQuery(new All(Post));
  return [...views, ...queries, all].map((view) => ({
    view,
    read: () => {
      const snapshot = view().getSnapshot();
      const data = snapshot.status === 'ready' ? snapshot.data : undefined;
      if (data === undefined) return undefined;
      return view === all ? (data as unknown[]).map(textOf) : [textOf(data)];
    },
  }));
}

function openCollection(maxEntities: number) {
  let hasBegun = false;
  /** One collection only: the next one can evict what readers came for during this one. */
  let isOver = false;
  const { controller, run, later } = openSteps({ maxEntities }, (milliseconds) => {
    isOver ||= hasBegun && milliseconds > 0;
  });
  const step = (count: number): number => {
    hasBegun = true;
    let made = 0;
    for (; made < count && !isOver; made += 1) run();
    return made;
  };
  return { controller, step, later, isOver: () => isOver };
}

const program = fc.record({
  data: fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }),
  maxEntities: fc.constantFrom(4, 8, 11, Infinity),
  isHydrated: fc.boolean(),
  mounted: fc.array(fc.nat(1_000), { maxLength: 3 }),
  /** The readers that come after a part of all steps. */
  visits: fc.array(
    fc.tuple(
      fc.nat(999).map((part) => part / 1_000),
      fc.nat(1_000),
      fc.boolean(),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

function picker(data: readonly number[]): Pick {
  let at = 0;
  return (limit) => {
    at += 1;
    return ((data[at % data.length] ?? 0) + at) % limit;
  };
}

interface Program {
  readonly data: readonly number[];
  readonly maxEntities: number;
  readonly isHydrated: boolean;
  readonly mounted: readonly number[];
  readonly visits: readonly (readonly [at: number, index: number, isMounting: boolean])[];
}

/** Runs a program, in which readers come after some steps. Returns the number of steps. */
function run({ data, maxEntities, isHydrated, mounted, visits }: Program): number {
  const { controller, step, isOver, later } = openCollection(maxEntities);
  const server = new Controller({ environment: { now: () => 1_000_000 } });
  fill(isHydrated ? server : controller, picker(data));
  if (isHydrated) {
    hydrate(controller, JSON.parse(JSON.stringify(getState(server))) as StoreState);
  }
  const before = readersOf(isHydrated ? server : controller).map(({ read }) => read());
  const readers = readersOf(controller);
  const at = (index: number): number => index % readers.length;
  const mount = (index: number): unknown => readers[index] && listen(readers[index].view());
  mounted.map(at).forEach(mount);
  if (maxEntities === Infinity) later(1_000_000);
  else controller.set(Post, { id: 'other' }, { title: 'other' });
  const check = (index: number): boolean => {
    const now = readers[index]?.read();
    for (const text of now ?? []) {
      if (!text.includes('"other"') && !before[index]?.includes(text)) {
        expect([index, now]).toEqual([index, before[index]]);
      }
    }
    return now !== undefined;
  };
  const kept = new Set<number>(mounted.map(at).filter((index) => before[index]));
  let made = 0;
  const end = visits.at(-1)?.[0] ?? 0;
  for (const [count, index, isMounting] of visits) {
    made += step(count - made);
    if (isMounting) mount(at(index));
    // The last one comes with all others.
    const all = made < end ? [at(index)] : readers.map((_, each) => each);
    for (const each of all) if (check(each) && !isOver()) kept.add(each);
  }
  made += step(100_000);
  // All data that was read while the collection ran is still there.
  for (const index of kept) expect([index, check(index)]).toEqual([index, true]);
  readers.forEach((_, index) => check(index));
  return made;
}

describe('a garbage collection that is interrupted at any step', () => {
  it('leaves each reader everything or nothing', () => {
    fc.assert(
      fc.property(program, ({ visits, ...rest }) => {
        const steps = run({ ...rest, visits: [] });
        run({
          ...rest,
          visits: visits
            .map(([part, ...visit]) => [1 + Math.floor(part * steps), ...visit] as const)
            .toSorted(([a], [b]) => a - b),
        });
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});
