/** State that is damaged in one place: what readers are shown of it is what was stored. */
import fc from 'fast-check';
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  resource,
  type StoreState,
  Union,
  Values,
} from 'restitch';
import { getState, hydrate, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Author extends Entity {
  id = '';
  name = '';
  bornAt = new Date(0);
  static override key = 'ShownAuthor';
  static override schema = { bornAt: Date };
}
class Comment extends Entity {
  id = 0;
  text = '';
  static override key = 'ShownComment';
}
class Topic extends Entity {
  slug = '';
  title = '';
  owner: Author | undefined = undefined;
  static override key = 'ShownTopic';
  static override schema = { owner: Author };
  override pk() {
    return this.slug;
  }
}
const either = new Union({ author: Author, comment: Comment }, 'kind' as never);
class Article extends Entity {
  id = '';
  title = '';
  author: Author | undefined = undefined;
  comments: Comment[] = [];
  tags: Author[] = [];
  topics: Record<string, Topic> = {};
  subject: unknown = undefined;
  static override key = 'ShownArticle';
  static override schema = {
    author: Author,
    comments: new Collection([Comment]),
    tags: [Author],
    topics: new Values(Topic),
    subject: either,
  };
}

/** Throws unless a value is what was stored at such a place. */
type Check = (value: unknown) => void;
const stored = new Map<string, Record<string, unknown>>();
const one =
  (...classes: (typeof Entity)[]): Check =>
  (value) => {
    if (value === undefined || value === null) return;
    const Class = classes.find((each) => value instanceof each);
    if (!Class) throw new Error(`no record: ${JSON.stringify(value)}`);
    const current = value as Entity & Record<string, unknown>;
    const known = stored.get(`${Class.key} ${current.pk()}`);
    if (!known) throw new Error(`a record that was not stored: ${JSON.stringify(value)}`);
    const relations = checks[Class.key ?? ''] ?? {};
    for (const [field, part] of Object.entries(current)) {
      const check = relations[field];
      if (check) check(part);
      else if (JSON.stringify(part) !== JSON.stringify(known[field])) {
        throw new Error(`${field} of ${JSON.stringify(value)}`);
      }
    }
  };
const some =
  (member: Check, isList: boolean): Check =>
  (value) => {
    if (value === undefined || value === null) return;
    if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
    value.forEach(member);
    if (isList && (value.includes(null) || new Set(value).size < value.length)) {
      throw new Error(`a member that none is, or twice: ${JSON.stringify(value)}`);
    }
  };
const map =
  (member: Check): Check =>
  (value) => {
    if (value === undefined || value === null) return;
    Object.values(value).forEach(member);
  };
const passing: Check = (value) => {
  // A union passes through values that it cannot distinguish, but never its own words.
  if (value instanceof Entity) one(Author, Comment)(value);
  else if (String(value).startsWith('\0')) throw new Error(`a reference: ${JSON.stringify(value)}`);
};
const checks: Record<string, Record<string, Check>> = {
  ShownTopic: { owner: one(Author) },
  ShownArticle: {
    author: one(Author),
    comments: some(one(Comment), true),
    tags: some(one(Author), false),
    topics: map(one(Topic)),
    subject: passing,
  },
};

const named = <S>(name: string, schema: S) =>
  new Endpoint(async (_: object): Promise<any> => null, { name, schema });
const endpoints: [endpoint: ReturnType<typeof named<any>>, check: Check][] = [
  [named('list', new Collection([Article])), some(one(Article), true)],
  [named('either', new Collection([either])), some(passing, true)],
  [named('map', new Collection(new Values(Author))), map(one(Author))],
  [
    named('page', { articles: new Collection([Article]), first: Topic }),
    (value) => {
      const { articles, first } = (value ?? {}) as Record<string, unknown>;
      some(one(Article), true)(articles);
      one(Topic)(first);
    },
  ],
  [named('array', [Topic]), some(one(Topic), false)],
  [named('values', new Values(Author)), map(one(Author))],
  [named('one', Article), one(Article)],
  [named('oneOf', either), passing],
  [named('all', new All(Comment)), some(one(Comment), true)],
];

const authors = ['a', 'b', 'c'].map((id) => ({
  id,
  kind: 'author',
  name: `Author ${id}`,
  bornAt: '1990-01-01',
}));
const comments = [1, 2, 3].map((id) => ({ id, kind: 'comment', text: `Comment ${id}` }));
const topics = ['x', 'y'].map((slug) => ({ slug, title: `Topic ${slug}`, owner: authors[0] }));
const articles = ['1', '2', '3'].map((id, index) => ({
  id,
  title: `Article ${id}`,
  author: authors[index],
  comments: comments.slice(index),
  tags: [authors[0], authors[index]],
  topics: { first: topics[0], last: topics[1] },
  subject: index === 0 ? authors[1] : comments[index],
}));
const responses: Record<string, unknown> = {
  list: articles,
  either: [...authors, ...comments],
  map: { a: authors[0], b: authors[1] },
  page: { articles: articles.slice(1), first: topics[0] },
  array: topics,
  values: { a: authors[0] },
  one: articles[0],
  oneOf: comments[1],
  all: comments,
};

function open() {
  const codes: unknown[] = [];
  const report = (error: unknown) => codes.push((error as { code?: unknown }).code);
  return { controller: new Controller({ environment: { report } }), codes };
}

function exported(): StoreState {
  const server = new Controller();
  for (const [endpoint] of endpoints) server.setResponse(endpoint, {}, responses[endpoint.name]);
  for (const [Class, keys] of [
    [Author, ['a', 'b', 'c']],
    [Comment, ['1', '2', '3']],
    [Topic, ['x', 'y']],
    [Article, ['1', '2', '3']],
  ] as const) {
    for (const pk of keys) stored.set(`${Class.key} ${pk}`, { ...server.get(Class as any, pk) });
  }
  return JSON.parse(JSON.stringify(getState(server)));
}

function readAll(controller: Controller): void {
  for (const [endpoint, check] of endpoints) {
    const view = controller.observe(endpoint, {});
    for (const snapshot of [view.getServerSnapshot(), view.getSnapshot()]) {
      if (snapshot.status === 'ready') check(snapshot.data);
    }
    check(controller.getResponse(endpoint, {}));
  }
  for (const Class of [Author, Comment, Topic, Article]) {
    for (const pk of ['a', 'b', 'c', '1', '2', '3', 'x', 'y']) {
      const current = controller.get(Class as any, pk) as Entity | undefined;
      one(Class)(current);
      if (current && String(current.pk()) !== pk)
        throw new Error(`${pk}: ${JSON.stringify(current)}`);
    }
  }
}

const state = exported();

it('an undamaged one is shown as it was, without a report', () => {
  const { controller, codes } = open();
  hydrate(controller, structuredClone(state));
  readAll(controller);
  for (const [endpoint] of endpoints) {
    expect(controller.observe(endpoint, {}).getSnapshot().status).toBe('ready');
  }
  expect(codes).toEqual([]);
});

type Place = readonly [...parents: string[], key: string];

/** Plain values say nothing of what they have to be; the names and times of questions neither. */
const PLAIN = /^(title|name|text|kind|bornAt|exportedAt|expiresAt|fetchedAt|beside|isPaged|args)$/;

function placesIn(value: unknown, place: readonly string[] = []): Place[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .filter(([key]) => !PLAIN.test(key))
          .flatMap(([key, part]) => placesIn(part, [...place, key]))
      : [];
  return place.length > 0 ? [place as unknown as Place, ...inner] : inner;
}

/** Of keys that classes make, unions, maps, lists in rows and stored responses no damage is reported. */
const isNotified = (place: Place): boolean =>
  /^(entities,Shown(Author|Comment|Article)|lists,)/.test(String(place)) &&
  !/topics|subject|comments|slug|Author.*Comment|Comment.*Author|Values/.test(String(place)) &&
  (place[0] !== 'lists' || place.length > 3);

const damages = fc.record({
  place: fc.constantFrom(...placesIn(state).filter(isNotified)),
  how: fc.oneof(
    fc.record({
      other: fc.constantFrom<unknown>(
        5,
        '',
        'zz',
        '\0["x"]',
        true,
        [],
        {},
        [null],
        ['1'],
        [['a']],
        { id: '9' },
        { '~Date': 5 },
      ),
    }),
    fc.constantFrom('missing', 'null', 'duplicated'),
    fc.record({ swap: fc.nat(9) }),
  ),
});

/** Whether two keys of an object hold what stands for the same kind of thing: others are swapped with no meaning of their own. */
function damage(root: any, { place, how }: { place: Place; how: unknown }): void {
  const key = String(place.at(-1));
  const parent = place.slice(0, -1).reduce((value, step) => value?.[step], root);
  if (typeof parent !== 'object' || parent === null || !(key in parent)) return;
  if (how === 'null') parent[key] = null;
  else if (how === 'missing') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else if (how === 'duplicated') {
    if (Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]));
    else if (place[0] === 'entities' && place.length === 4) {
      // A row with the key of another one.
      const rows = root.entities[String(place[1])];
      parent[key] = rows[(Number(place[2]) + 1) % rows.length][key];
    }
  } else if (typeof how === 'object' && how && 'other' in how) parent[key] = how.other;
  else if (typeof how === 'object' && how && 'swap' in how) {
    const rows = place[0] === 'entities' && place.length === 4 && root.entities[String(place[1])];
    if (rows) {
      const other = rows[Number(how.swap) % rows.length];
      [parent[key], other[key]] = [other[key], parent[key]];
    } else if (Array.isArray(parent)) {
      const at = Number(how.swap) % parent.length;
      [parent[Number(key)], parent[at]] = [parent[at], parent[Number(key)]];
    }
  }
}

it('damaged state never shows values that were not stored', () => {
  fc.assert(
    fc.property(fc.array(damages, { minLength: 1, maxLength: 2 }), fc.nat(2), (list, how) => {
      const damaged = structuredClone(state);
      for (const each of list) damage(damaged, each);
      const { controller } = open();
      if (how === 1) readAll(controller);
      if (how === 2) openStream(controller).hydrate(damaged);
      else hydrate(controller, damaged);
      readAll(controller);
      readAll(controller);
    }),
    { numRuns: Number(process.env['RESTITCH_DAMAGED_STATES'] ?? 500) },
  );
}, 600_000);

class User extends Entity {
  id = '';
  static override key = 'ShownUser';
}
class Todo extends Entity {
  id = '';
  owner = User.fromJS({});
  static override key = 'ShownTodo';
  static override schema = { owner: User };
}

describe('damage that only the class can find is reported once and not shown', () => {
  const todo = (id: string) => ({ id, owner: { id: 'u' } });
  const Todos = resource({ urlPrefix: 'http://x', path: '/todos/:id', schema: Todo });
  const membersOf = ({ lists }: any): unknown[] =>
    (Object.values(lists) as any)[0][0].listing.members;

  it.each<[what: string, code: string, change: (damaged: any) => void, list: unknown]>([
    ['a member is null', 'damaged-state', (damaged) => (membersOf(damaged)[0] = null), undefined],
    [
      'a member is an array',
      'other-class',
      (damaged) => (membersOf(damaged)[0] = ['1']),
      undefined,
    ],
    ['a member is a number', 'other-class', (damaged) => (membersOf(damaged)[0] = 1), undefined],
    [
      'a member stands twice',
      'damaged-state',
      (damaged) => membersOf(damaged).push('1'),
      undefined,
    ],
    [
      'a row stands twice',
      'damaged-state',
      ({ entities }) => entities.ShownTodo.push(entities.ShownTodo[0]),
      undefined,
    ],
    [
      'a relation is an array',
      'other-class',
      ({ entities }) => (entities.ShownTodo[0].fields.owner = [null]),
      undefined,
    ],
    [
      'a row has the fields of another one',
      'other-class',
      ({ entities }) => (entities.ShownTodo[0].pk = '3'),
      [todo('2')],
    ],
  ])('where %s', (_, code, change, list) => {
    const first = new Controller();
    first.setResponse(Todos.getList, [todo('1'), todo('2')]);
    first.setResponse(Todos.get, { id: '1' }, todo('1'));
    const damaged = JSON.parse(JSON.stringify(getState(first)));
    change(damaged);
    const { controller, codes } = open();
    hydrate(controller, damaged);
    const detail = controller.getResponse(Todos.get, { id: '1' });
    expect(JSON.parse(JSON.stringify(detail ?? todo('1')))).toEqual(todo('1'));
    expect(controller.getResponse(Todos.getList)).toEqual(list);
    expect(codes).toEqual([code]);
  });
});

it('a key that a class makes of more than plain fields is no damage', () => {
  class Member extends Entity {
    role = '';
    user = User.fromJS({});
    static override key = 'ShownMember';
    static override schema = { user: User };
    override pk() {
      return `${this.user.id}-${this.role}`;
    }
  }
  class Page extends Entity {
    id = '';
    slug = '';
    static override key = 'ShownPage';
    override pk() {
      return (this.slug || this.id).toLowerCase();
    }
  }
  class Seat extends Entity {
    seat = '';
    static override key = 'ShownSeat';
    override pk(_parent?: unknown, _key?: string, args?: readonly unknown[]) {
      return `${(args?.[0] as { room?: string } | undefined)?.room}-${this.seat}`;
    }
  }
  const lists = [
    named('members', [Member]),
    named('pages', [Page]),
    named('seats', [Seat]),
  ] as const;
  const server = new Controller();
  server.setResponse(lists[0], {}, [{ role: 'r', user: { id: 'u' } }] as any);
  server.setResponse(lists[1], {}, [{ id: '1', slug: 'Home' }, { id: '2' }] as any);
  server.setResponse(lists[2], { room: 'q' }, [{ seat: '4' }] as any);
  const { controller, codes } = open();
  hydrate(controller, JSON.parse(JSON.stringify(getState(server))));
  expect(controller.getResponse(lists[0], {})).toMatchObject([{ role: 'r', user: { id: 'u' } }]);
  expect(controller.getResponse(lists[1], {})).toMatchObject([{ slug: 'Home' }, { id: '2' }]);
  expect(controller.getResponse(lists[2], { room: 'q' })).toMatchObject([{ seat: '4' }]);
  expect(codes).toEqual([]);
});

it('a list that holds null is fetched, since null would pass for damage', () => {
  const Todos = resource({ urlPrefix: 'http://x', path: '/todos/:id', schema: Todo });
  const server = new Controller();
  server.setResponse(Todos.getList, [{ id: '1', owner: { id: 'u' } }, null] as never);
  const { controller, codes } = open();
  hydrate(controller, JSON.parse(JSON.stringify(getState(server))));
  expect(controller.observe(Todos.getList).getSnapshot()).toEqual({ status: 'pending' });
  expect(codes).toEqual([]);
});
