/**
 * State is saved and read again over several visits. Each visit uses other classes of the same keys.
 * Every reader must show what the server has, or wait, or fetch.
 */
import fc from 'fast-check';
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  expireWhere,
  Invalidate,
  invalidateWhere,
  type StoreState,
  Union,
} from 'restitch';
import { applyChange, changes, getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';
import { Clock } from '../support/clock.js';

const people = {
  a: { id: 'a', name: 'Ann', bio: 'long', boss: { id: 'b', name: 'Bob' } },
  b: { id: 'b', name: 'Bob', bio: 'short', boss: null },
};
const brief = ({ id, name }: { id: string; name: string }) => ({ id, name });

interface Post {
  id: string;
  title: string;
  [field: string]: unknown;
}
const posts = (): Post[] =>
  ['1', '2'].map((id) => ({
    id,
    title: 'first',
    body: 'text',
    at: '2026-01-01T00:00:00.000Z',
    tags: [brief(people.a), brief(people.b)],
    author: brief(people.a),
    origin: { editor: brief(people.b), place: 'x' },
    any: { kind: 'person', ...brief(people.a) },
    comments: [{ id: `c${id}`, text: 'hi' }],
    // JSON cannot carry these values.
    rank: Infinity,
    link: new Map([['a', 1]]),
  }));

/** The fields of a post that each class declares. */
const declared = {
  summary: ['id', 'title'],
  author: ['id', 'title', 'author'],
  tags: ['id', 'title', 'tags', 'at'],
  detail: ['id', 'title', 'body', 'at', 'tags', 'author', 'origin', 'any', 'comments'],
  other: ['id', 'title', 'other'],
  lossy: ['id', 'title', 'rank', 'link'],
  plain: ['id', 'title', 'tags'],
  signed: ['id', 'title', 'author'],
} as const;
type Name = keyof typeof declared;
const names = Object.keys(declared) as Name[];
/** The fields without a default: a record without them counts as complete. */
const optional = ['author', 'origin', 'any', 'at', 'other', 'link'];
/** The fields with a person, whom a step can remove. */
const ofPeople: readonly string[] = ['author', 'tags', 'origin', 'any', 'boss'];

/** The classes and endpoints of one visit. Another visit has other classes of the same keys. */
function visit() {
  class Person extends Entity {
    id = '';
    name = '';
    static override key = 'VisitPerson';
  }
  class FullPerson extends Person {
    bio = '';
    boss: Person | undefined = undefined;
    static override schema = { boss: Person } as Record<string, any>;
  }
  class Comment extends Entity {
    id = '';
    text = '';
    static override key = 'VisitComment';
  }
  class Summary extends Entity {
    id = '';
    title = '';
    static override key = 'VisitPost';
  }
  class Author extends Summary {
    author: Person | undefined = undefined;
    static override schema = { author: Person } as Record<string, any>;
  }
  class Tags extends Summary {
    tags: Person[] = [];
    at: Date | undefined = undefined;
    static override schema = { tags: [Person], at: Date } as Record<string, any>;
  }
  class Detail extends Tags {
    body = '';
    author: Person | undefined = undefined;
    origin: { editor: Person } | undefined = undefined;
    any: Person | undefined = undefined;
    comments: Comment[] = [];
    static override schema = {
      ...Tags.schema,
      author: Person,
      origin: { editor: Person },
      any: new Union({ person: Person }, 'kind' as never),
      comments: new Collection([Comment]),
    } as Record<string, any>;
  }
  class Other extends Summary {
    other: string | undefined = undefined;
  }
  class Lossy extends Summary {
    rank = 0;
    link: unknown = undefined;
  }
  class Plain extends Summary {
    tags: unknown[] = [];
  }
  /** Requires an author. */
  class Signed extends Summary {
    author = Person.fromJS({});
    static override schema = { author: Person } as Record<string, any>;
  }
  const classes = {
    signed: Signed,
    summary: Summary,
    author: Author,
    tags: Tags,
    detail: Detail,
    other: Other,
    lossy: Lossy,
    plain: Plain,
  };
  const known = new Map<string, ReturnType<typeof create>>();
  const create = (name: string, schema: unknown) =>
    new Endpoint(async (_: object): Promise<any> => null, { name, schema });
  const read = (name: string, schema: unknown) => {
    const endpoint = known.get(name) ?? create(name, schema);
    known.set(name, endpoint);
    return endpoint;
  };
  const rename = new Endpoint(async (_: { id: string; title: string }): Promise<any> => undefined, {
    name: 'rename',
    schema: Summary,
    sideEffect: true,
    getOptimisticResponse: (_, args) => args,
  });
  return {
    classes,
    rename,
    remove: new Endpoint(async (_: { id: string }): Promise<any> => null, {
      name: 'remove',
      schema: new Invalidate(Summary),
      sideEffect: true,
    }),
    removePerson: new Endpoint(async (_: { id: string }): Promise<any> => null, {
      name: 'removePerson',
      schema: new Invalidate(Person),
      sideEffect: true,
    }),
    person: read('person', FullPerson),
    one: (name: Name) => read(`one ${name}`, classes[name]),
    all: (name: Name) => read(`all ${name}`, [classes[name]]),
    list: (name: Name) => read(`list ${name}`, new Collection([classes[name]])),
  };
}

type Form = 'one' | 'all' | 'list';
const ways = {
  expireAll: (controller: Controller, endpoint: any) => controller.expireAll(endpoint),
  expireWhere: (controller: Controller, endpoint: any) => expireWhere(controller, { endpoint }),
  invalidateAll: (controller: Controller, endpoint: any) => controller.invalidateAll(endpoint),
  invalidateWhere: (controller: Controller, endpoint: any) =>
    invalidateWhere(controller, { endpoint }),
  match: (controller: Controller, endpoint: any) =>
    expireWhere(controller, { match: (filtered) => filtered.endpoint.name === endpoint.name }),
};
type How = keyof typeof ways;
type Step =
  | { type: 'respond' | 'read'; form: Form; name: Name; id: '1' | '2'; isHeld: boolean }
  | { type: 'outdate'; form: Form; name: Name; how: How }
  | { type: 'person' | 'readPerson' | 'removePerson' | 'sweep' }
  | { type: 'remove'; id: '1' | '2' }
  | { type: 'rename' | 'set'; id: '1' | '2'; title: string };
interface Visit {
  readonly lateBy: number;
  readonly isOfChanges: boolean;
  readonly maxEntities: number;
  readonly steps: readonly Step[];
}

const id = fc.constantFrom('1' as const, '2' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('respond' as const, 'read' as const),
      form: fc.constantFrom<Form>('one', 'all', 'list'),
      name: fc.constantFrom(...names, 'signed', 'signed'),
      id,
      isHeld: fc.boolean(),
    }),
  },
  fc.record({
    type: fc.constantFrom('person' as const, 'readPerson' as const, 'sweep' as const),
  }),
  fc.record({ type: fc.constant('removePerson' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('outdate' as const),
      form: fc.constantFrom<Form>('one', 'all', 'list'),
      name: fc.constantFrom(...names),
      how: fc.constantFrom<How>(...(Object.keys(ways) as How[])),
    }),
  },
  fc.record({ type: fc.constant('remove' as const), id }),
  fc.record({
    type: fc.constantFrom('rename' as const, 'set' as const),
    id,
    title: fc.constantFrom('second', 'third'),
  }),
);
const visits: fc.Arbitrary<Visit[]> = fc.array(
  fc.record({
    lateBy: fc.constantFrom(0, 0, 1, 2),
    isOfChanges: fc.boolean(),
    maxEntities: fc.constantFrom(Infinity, Infinity, 3, 0),
    steps: fc.array(step, { maxLength: 6 }),
  }),
  { minLength: 2, maxLength: 4 },
);

const NOW = 1_000;

/** One program of visits. */
class Chain {
  readonly server = posts();
  /** The questions that the server has answered. */
  readonly answered = new Set<string>();
  /** The removed posts, each with the questions that the server had answered before. */
  readonly removed = new Map<string, Set<string>>();
  readonly everAnswered = new Set<string>();
  /** The endpoints or questions that expired since the last response, which can renew any record. */
  readonly outdated = new Set<string>();
  /** Ends the readers of this visit. */
  readonly #releases: (() => void)[] = [];
  readonly reports: unknown[] = [];
  isSwept = false;
  /** True if the author of all posts was removed, and no response has contained her since. */
  hasNoAuthor = false;
  /** True if the author was ever removed. Old results keep her key: see `removed`. */
  hasOldAuthor = false;
  state: StoreState | undefined;

  async run({ lateBy, isOfChanges, maxEntities, steps }: Visit): Promise<void> {
    this.isSwept = maxEntities < Infinity;
    // State that arrives after an eviction can be older than the evicted data.
    const late = this.isSwept ? 0 : lateBy;
    const kinds = visit();
    const clock = new Clock();
    clock.now = NOW;
    const controller = new Controller({ maxEntities, environment: clock.environment });
    let copy = getState(controller);
    changes(controller, (change) => (copy = applyChange(copy, change)));
    for (const [index, one] of [...steps, undefined].entries()) {
      if (this.state && (index === late || (!one && index < late))) {
        hydrate(controller, this.state);
      }
      // An empty response does not change a record that was evicted, or arrives only later.
      const isLate = this.state !== undefined && index < late;
      // Data that arrives after an expiry does not expire. Neither do evicted results, which a copy
      // by `applyChange` keeps.
      const isLeftOut =
        (one?.type === 'rename' && (isLate || maxEntities < Infinity)) ||
        (one?.type === 'outdate' && (isLate || (isOfChanges && maxEntities < Infinity)));
      if (one && !isLeftOut) {
        if (!['outdate', 'read', 'readPerson', 'sweep'].includes(one.type)) this.outdated.clear();
        await this.#step(controller, kinds, one, clock);
      }
    }
    this.#releases.length = 0;
    this.reports.push(...clock.reported);
    if (maxEntities < Infinity) {
      // The answers were evicted.
      this.answered.clear();
    }
    const state = isOfChanges ? copy : getState(controller);
    this.state = JSON.parse(JSON.stringify(state));
  }

  #answer(name: Name, post: Post): object {
    return Object.fromEntries(declared[name].map((field) => [field, post[field]]));
  }

  async #step(
    controller: Controller,
    kinds: ReturnType<typeof visit>,
    one: Step,
    clock: Clock,
  ): Promise<void> {
    const { server } = this;
    switch (one.type) {
      case 'rename':
      case 'set': {
        const post = server.find((each) => each.id === one.id);
        if (post) post.title = one.title;
        const change = { id: one.id, title: one.title };
        if (one.type === 'rename') await controller.fetch(kinds.rename, change);
        else controller.set(kinds.classes.summary, { id: one.id }, change);
        return;
      }
      case 'outdate':
        // A reader would send a request.
        this.#releases.splice(0).forEach((release) => release());
        await ways[one.how](controller, kinds[one.form](one.name));
        // `match` selects stored results. The other ways select the calls of an endpoint.
        for (const known of one.how === 'match' ? this.answered : [`${one.form} ${one.name} `]) {
          if (known.startsWith(`${one.form} ${one.name} `)) this.outdated.add(known);
        }
        return;
      case 'sweep':
        return clock.pass(100);
      case 'remove':
        controller.setResponse(kinds.remove, { id: one.id }, { id: one.id });
        this.removed.set(one.id, new Set(this.everAnswered));
        return;
      case 'removePerson':
        controller.setResponse(kinds.removePerson, { id: 'a' }, { id: 'a' });
        this.hasNoAuthor = true;
        this.hasOldAuthor = true;
        return;
      case 'person':
        controller.setResponse(kinds.person, {}, people.a);
        this.hasNoAuthor = false;
        this.answered.add('person');
        return;
      case 'readPerson': {
        const view = controller.observe<any>(kinds.person, {});
        const { status, data } = view.getSnapshot() as { status: string; data?: any };
        if (this.hasOldAuthor) return;
        if (status === 'ready' && !view.needsLoad()) expect(data).toMatchObject(people.a);
        return;
      }
      default: {
        const { form, name } = one;
        const endpoint = kinds[form](name);
        const args = form === 'one' ? { id: one.id } : {};
        const asked = server.filter((each) => form !== 'one' || each.id === one.id);
        const question = `${form} ${name} ${JSON.stringify(args)}`;
        if (one.type === 'respond') {
          const answers = asked.map((post) => this.#answer(name, post));
          controller.setResponse(endpoint, args, form === 'one' ? answers[0] : answers);
          this.answered.add(question);
          this.everAnswered.add(question);
          const { schema } = kinds.classes[name] as { schema?: Record<string, unknown> };
          if (schema && ('author' in schema || 'tags' in schema)) this.hasNoAuthor = false;
          this.removed.forEach((before) => before.delete(question));
        }
        const view = controller.observe<any>(endpoint, args);
        if (one.isHeld) this.#releases.push(view.subscribe(() => {}));
        this.#check(view, asked, name, question);
      }
    }
  }

  #check(
    view: { getSnapshot(): object; needsLoad(): boolean },
    asked: readonly Post[],
    name: Name,
    question: string,
  ): void {
    const { status, data } = view.getSnapshot() as { status: string; data?: any };
    if (status !== 'ready' || view.needsLoad()) {
      return;
    }
    expect([...this.outdated].filter((one) => question.startsWith(one))).toEqual([]);
    for (const post of asked) {
      const shown = [data].flat().find((each) => each?.id === post.id);
      const isHidden = name === 'signed' && this.hasNoAuthor;
      if (!shown) {
        expect(isHidden || this.removed.has(post.id)).toBe(true);
        continue;
      }
      // Over several visits, a result keeps the key of a record that was deleted and came back.
      if (this.removed.get(post.id)?.has(question)) {
        continue;
      }
      expect(isHidden).toBe(false);
      const { at, ...rest } = this.#answer(name, post) as Record<string, unknown> & { at?: string };
      const expected: Record<string, unknown> = at ? { ...rest, at: new Date(at) } : rest;
      for (const [field, value] of Object.entries(expected)) {
        if (this.hasOldAuthor && ofPeople.includes(field)) {
          continue;
        }
        const isUnasked =
          optional.includes(field) && (this.isSwept || !this.answered.has(question));
        if (name === 'plain' && field === 'tags') {
          expect(shown.tags).toHaveLength(2);
        } else if (!isUnasked || shown[field] !== undefined) {
          expect({ [field]: shown[field] }).toMatchObject({ [field]: value });
        }
      }
    }
  }
}

it('each reader shows what the server has, or waits, or fetches, over several visits', async () => {
  await fc.assert(
    fc.asyncProperty(visits, async (all) => {
      const chain = new Chain();
      for (const one of all) {
        await chain.run(one);
      }
      const isPlainUsed = all.some(({ steps }) =>
        steps.some((one) => 'name' in one && one.name === 'plain'),
      );
      expect(isPlainUsed ? [] : chain.reports).toEqual([]);
    }),
    { numRuns: Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 2_000) / 4) },
  );
}, 600_000);
