/** Damaged state is reported and not taken; whatever it holds, nothing throws in a reader. */
import fc from 'fast-check';
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  type StoreState,
  Union,
  Values,
} from 'restitch';
import { hydrate as hydrateInTime } from 'restitch/ssr';
import { getState, hydrate, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Author extends Entity {
  id = '';
  name = '';
  bornAt = new Date(0);
  static override key = 'DamagedAuthor';
  static override schema = { bornAt: Date };
}
class Comment extends Entity {
  id = '';
  text = '';
  static override key = 'DamagedComment';
}
const either = new Union({ author: Author, comment: Comment }, 'kind' as never);
class Article extends Entity {
  id = '';
  title = '';
  size = 0n;
  author: Author | undefined = undefined;
  comments: Comment[] = [];
  tags: Author[] = [];
  subject: Author | Comment | undefined = undefined;
  static override key = 'DamagedArticle';
  static override schema = {
    size: BigInt,
    author: Author,
    comments: new Collection([Comment]),
    tags: [Author],
    subject: either,
  };
}

const named = <S>(name: string, schema: S) =>
  new Endpoint(async (_: object): Promise<any> => null, { name, schema });
const endpoints = [
  named('list', new Collection([Article])),
  named('map', new Collection(new Values(Author))),
  named('page', { articles: new Collection([Article]), at: Date }),
  named('array', [either]),
  named('values', new Values(Author)),
  named('one', Article),
  named('all', new All(Comment)),
  named('plain', undefined),
];
const author = { id: 'a', kind: 'author', name: 'Ann', bornAt: '1990-01-01' };
const article = {
  id: '1',
  title: 'One',
  size: '5',
  author,
  comments: [{ id: 'c', kind: 'comment', text: 'Yes' }],
  tags: [author],
  subject: { id: 'c', kind: 'comment' },
};
const responses: Record<string, unknown> = {
  list: [article],
  map: { first: author },
  page: { articles: [article], at: '2026-01-01' },
  array: [author, { id: 'c', kind: 'comment' }, { kind: 'other' }],
  values: { a: author },
  one: article,
  all: [{ id: 'c' }],
  plain: { at: new Date(5), n: [5n] },
};

function exported(): StoreState {
  const server = new Controller({ environment: { now: () => 1_000 } });
  const [list] = endpoints;
  if (list) server.setResponse(list, {}, responses['list']);
  // What part of a page was rendered from is in its state where it changed since.
  if (list) server.observe(list, {}).getServerSnapshot(true);
  for (const endpoint of endpoints) server.setResponse(endpoint, {}, responses[endpoint.name]);
  server.set(Article, { id: '1' }, { title: 'Changed' });
  return JSON.parse(JSON.stringify(getState(server)));
}

function open() {
  const codes: unknown[] = [];
  const controller = new Controller({
    environment: {
      now: () => 2_000,
      report: (error) => codes.push((error as { code?: unknown }).code),
    },
  });
  return { controller, codes };
}

function readAll(controller: Controller): void {
  for (const endpoint of endpoints) {
    const view = controller.observe(endpoint, {});
    for (const snapshot of [view.getServerSnapshot(), view.getSnapshot()]) {
      JSON.stringify(snapshot, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    }
    controller.get(endpoint.schema as unknown, {});
  }
  for (const schema of [Article, Author, Comment]) {
    for (const pk of ['1', 'a', 'c']) controller.get(schema, pk);
  }
}

/** The same state with another value at one place. */
function withAt(
  state: unknown,
  [step, ...rest]: readonly (string | number)[],
  value: unknown,
): any {
  if (step === undefined) return value;
  const copy: any = Array.isArray(state) ? [...state] : { ...(state as object) };
  Object.defineProperty(copy, step, {
    value: withAt(copy[step], rest, value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** The places in a value, from the outside in. */
function placesIn(value: unknown, place: readonly (string | number)[] = []): (string | number)[][] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) => placesIn(part, [...place, key]))
      : [];
  return [[...place], ...inner];
}

const [listKey = ''] = Object.keys(exported().lists);

describe('damaged state is reported and not taken', () => {
  it.each<[place: (string | number)[], value: unknown]>([
    [['exportedAt'], null],
    [['exportedAt'], '1000'],
    [['entities'], undefined],
    [['entities'], null],
    [['entities'], []],
    [['entities'], 'text'],
    [['entities'], 5],
    [['entities', 'DamagedArticle'], { '0': {} }],
    [['entities', 'DamagedArticle'], null],
    [['entities', 'DamagedArticle', 0], null],
    [['entities', 'DamagedArticle', 0], 'text'],
    [['entities', 'DamagedArticle', 0], []],
    [['entities', 'DamagedArticle', 0, 'pk'], 1],
    [['entities', 'DamagedArticle', 0, 'fields'], undefined],
    [['entities', 'DamagedArticle', 0, 'fields'], 0],
    [['entities', 'DamagedArticle', 0, 'fields'], ''],
    [['entities', 'DamagedArticle', 0, 'fields'], ['x']],
    [['entities', 'DamagedArticle', 0, 'expiresAt'], null],
    [['entities', 'DamagedArticle', 0, 'expiresAt'], '5'],
    [['lists'], undefined],
    [['lists', listKey], {}],
    [['lists', listKey, 0], null],
    [['lists', listKey, 0, 'args'], null],
    [['lists', listKey, 0, 'args'], { a: 1 }],
    [['lists', listKey, 0, 'listing'], null],
    [['lists', listKey, 0, 'listing', 'members'], {}],
    [['lists', listKey, 0, 'listing', 'keys'], 'first'],
    [['lists', listKey, 0, 'listing', 'head'], null],
    [['lists', listKey, 0, 'listing', 'pageFields'], []],
    [['lists', listKey, 0, 'expiresAt'], undefined],
    [['results'], undefined],
    [['results'], {}],
    [['results', 0], null],
    [['results', 0, 'key'], null],
    [['results', 0, 'schema'], 5],
    [['results', 0, 'fetchedAt'], null],
    [['results', 0, 'expiresAt'], 'never'],
    [['rendered'], {}],
    [['rendered', 0, 'cells'], null],
    [['rendered', 0, 'cells', 0], 'cell'],
    [['rendered', 0, 'of'], undefined],
  ])('%j: %j', (place, value) => {
    const state = withAt(exported(), place, value);
    for (const fill of [
      (to: Controller) => hydrate(to, state),
      (to: Controller) => hydrateInTime(to, state),
    ]) {
      const { controller, codes } = open();
      fill(controller);
      expect(codes).toEqual(['damaged-state']);
      expect(controller.get(Article, '1')).toBeUndefined();
      expect(getState(controller)).toMatchObject({ entities: {}, lists: {}, results: [] });
    }
  });

  it('while later state is taken', () => {
    const { controller, codes } = open();
    hydrate(controller, withAt(exported(), ['results'], null));
    hydrate(controller, exported());
    expect(controller.get(Article, '1')?.title).toBe('Changed');
    expect(codes).toEqual(['damaged-state']);
  });

  it('in a page, whose other parts are taken', () => {
    const { controller, codes } = open();
    const stream = openStream(controller);
    stream.hydrate(withAt(exported(), ['entities'], null));
    stream.hydrate(exported());
    stream.close();
    expect(controller.get(Article, '1')?.title).toBe('Changed');
    expect(codes).toEqual(['damaged-state']);
  });
});

it('an undamaged one is read by everything without a report', () => {
  const { controller, codes } = open();
  hydrate(controller, exported());
  readAll(controller);
  expect(codes).toEqual([]);
  expect(getState(controller).results).toHaveLength(endpoints.length);
});

const state = exported();
const values = [
  null,
  undefined,
  0,
  -1,
  1e308,
  '',
  'a',
  '\0["x"]',
  true,
  [],
  [null],
  {},
  { '~Date': 'x' },
];
const damages = fc.array(
  fc.record({
    place: fc.constantFrom(...placesIn(state)),
    value: fc.oneof(
      fc.constantFrom<unknown>(...values, { '~BigInt': 'x' }, { '~BigInt': '5' }, [[]], { a: 'a' }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

it('arguments of a list in a row never throw', () => {
  const place = ['entities', 'DamagedArticle', '0', 'fields', 'comments', '@owner'];
  for (const value of [{ '~BigInt': '5' }, { '~Date': 0 }, {}, [], null, 5]) {
    const { controller } = open();
    hydrate(controller, withAt(exported(), place, value));
    readAll(controller);
  }
});

it('damaged state never throws where it is taken or read', { tags: 'scale' }, () => {
  fc.assert(
    fc.property(damages, fc.boolean(), fc.boolean(), (some, isRead, isPage) => {
      let damaged: unknown = state;
      for (const { place, value } of some) {
        // A place may have gone with one around it.
        try {
          damaged = withAt(damaged, place, value);
        } catch {}
      }
      if (typeof damaged !== 'object' || damaged === null) return;
      const { controller } = open();
      if (isRead) readAll(controller);
      const kept = JSON.parse(JSON.stringify(damaged));
      if (isPage) openStream(controller).hydrate(kept);
      else hydrateInTime(controller, kept);
      readAll(controller);
      // What others export of it, others can take.
      hydrate(open().controller, JSON.parse(JSON.stringify(getState(controller))));
    }),
    { numRuns: 300 },
  );
});
