/** Identity 2.1: the arguments of a list distinguish the same as cache keys do, save for how numbers are written. */
import { Collection, Controller, Endpoint, Entity, resource, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Item extends Entity {
  id = '';
  declare parent?: string | null;
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  // Each list holds one row that is called as its question.
  server.respond(({ url, body }) => ({
    results: [{ id: `${url} ${body}` }],
    total: `${url} ${body}`,
  }));
});

const search = (more: object = {}) =>
  new RestEndpoint({
    urlPrefix: server.origin,
    path: '/items/search',
    method: 'POST',
    body: {} as unknown,
    sideEffect: undefined,
    schema: { results: new Collection([Item]), total: '' },
    ...more,
  }) as unknown as RestEndpoint;
const withArgs = (schema: unknown = new Collection([Item])) => {
  let calls = 0;
  return new Endpoint(async (..._: readonly unknown[]) => [{ id: `${(calls += 1)}` }], { schema });
};

/** Both questions are asked, and each reader still shows its own response. */
async function expectTwo(
  endpoint: RestEndpoint | Endpoint,
  one: readonly unknown[],
  other: readonly unknown[],
): Promise<void> {
  const first: unknown = await controller.fetch(endpoint, ...one);
  expect(controller.observe(endpoint, ...other).needsLoad()).toBe(true);
  const second: unknown = await controller.fetch(endpoint, ...other);
  expect(controller.getResponse(endpoint, ...one)).toEqual(first);
  expect(controller.getResponse(endpoint, ...other)).toEqual(second);
  expect(first).not.toEqual(second);
}

describe('identity 2.1: lists of a read with a body', () => {
  it.each<[string, unknown, unknown]>([
    ['null and nothing', { parent: null }, {}],
    ["null and 'null'", { parent: null }, { parent: 'null' }],
    ['a nested null and nothing', { a: { b: null } }, { a: {} }],
    ['an array and its text', { a: ['b'] }, { a: '["b"]' }],
    ['an object and its text', { a: { b: 'c' } }, { a: '{"b":"c"}' }],
    ['a text and the text in quotes', { a: 'null' }, { a: '"null"' }],
  ])('distinguish %s', async (_, one, other) => {
    await expectTwo(search(), [one], [other]);
    await expectTwo(search({ path: '/in/:id/search' }), [{ id: '1' }, one], [{ id: '1' }, other]);
  });
});

describe('identity 2.1: lists of a function', () => {
  class Cursor {
    readonly #at: string;
    constructor(at: string) {
      this.#at = at;
    }
    toJSON(): string {
      return this.#at;
    }
  }
  const url = (name: string) => new URL(`http://news.example/${name}`);
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['null and nothing in an object', [{ parent: null }], [{}]],
    ['null and nothing', [null], []],
    ['null and an object with null', [null], [{ a: null }]],
    ['nothing and an object with null', [], [{ a: null }]],
    ["null and 'null'", [null], ['null']],
    ['a further null and none', ['a', null], ['a']],
    ['URLs', [url('a')], [url('b')]],
    ['URLs behind another argument', ['x', url('a')], ['x', url('b')]],
    ['URLs in an object', [{ at: url('a') }], [{ at: url('b') }]],
    ['a URL and its canonical text', [url('a')], ['URL("http://news.example/a")']],
    ['instances that JSON shows', [new Cursor('a')], [new Cursor('b')]],
    ['maps', [new Map([['a', 1]])], [new Map([['a', 2]])]],
    ['sets', [new Set(['a'])], [new Set(['b'])]],
    ['a map and a set', [new Map()], [new Set()]],
    ['an invalid date and a date', [new Date(Number.NaN)], [new Date(0)]],
    ['an invalid date in an object and none', [{ at: new Date(Number.NaN) }], [{}]],
    ['an invalid date and null', [new Date(Number.NaN)], [null]],
  ])('distinguish %s', async (_, one, other) => {
    const endpoint = withArgs();
    expect(endpoint.key(...one)).not.toBe(endpoint.key(...other));
    await expectTwo(endpoint, one, other);
  });

  it('take undefined for absent, and numbers for their text', async () => {
    const endpoint = withArgs();
    await controller.fetch(endpoint, { page: 5 });
    for (const args of [
      [{ page: '5' }],
      [{ page: 5, sort: undefined }],
      [{ page: 5 }, undefined],
    ]) {
      expect(controller.getResponse(endpoint, ...args)).toMatchObject([{ id: '1' }]);
    }
  });
});

describe('identity 2.1: lists by search parameters', () => {
  const list = (more: object = {}) =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/items',
      searchParams: {} as { parent?: string | null },
      schema: new Collection([Item]),
      ...more,
    });
  beforeEach(() => server.respond(({ url }) => [{ id: url }]));

  it('take null for absent, as the URL does', async () => {
    const getItems = list();
    const [row] = await controller.fetch(getItems, { parent: null });
    expect(row?.id).toBe('/items');
    for (const args of [[], [{}], [{ parent: undefined }], [{ parent: null }]] as const) {
      expect(getItems.key(...args)).toBe(getItems.key());
      expect(controller.getResponse(getItems, ...args)).toMatchObject([{ id: '/items' }]);
      expect(controller.get(getItems.schema, ...args)).toMatchObject([{ id: '/items' }]);
    }
    expect(server.seen).toHaveLength(1);
  });

  it('take null for absent where the Collection is used by itself, too', async () => {
    const items = new Collection([Item]);
    const getItems = list({ schema: items }) as RestEndpoint;
    await controller.fetch(getItems);
    expect(controller.get(items, { parent: null } as never)).toMatchObject([{ id: '/items' }]);
  });

  it('distinguish null where `searchToString` sends it', async () => {
    const searchToString = (params: object) => JSON.stringify(params);
    await expectTwo(list({ searchToString }) as RestEndpoint, [{ parent: null }], [{}]);
  });

  it('let null take away a default', async () => {
    const getItems = list({ searchParams: { parent: 'a' } }) as RestEndpoint;
    await expectTwo(getItems, [{ parent: null }], []);
  });

  it('take null for absent in `resource()`', async () => {
    const Items = resource({
      urlPrefix: server.origin,
      path: '/items/:id',
      searchParams: {} as { parent?: string | null },
      schema: Item,
    });
    await controller.fetch(Items.getList, { parent: null });
    expect(controller.getResponse(Items.getList)).toMatchObject([{ id: '/items' }]);
  });
});

describe('identity 2.8: a list whose argument is null', () => {
  const folder = () => {
    const items = new Collection([Item]);
    const getFolder = withArgs(items);
    const edit = async (schema: unknown, row: object, ...args: readonly unknown[]) =>
      controller.fetch(
        new Endpoint(async (..._: readonly unknown[]) => row, { schema, sideEffect: true }),
        ...args,
      );
    const ids = (...args: readonly unknown[]) =>
      (controller.getResponse(getFolder, ...args) as unknown as readonly Item[]).map(
        ({ id }) => id,
      );
    return { getFolder, edit, ids, of: getFolder.schema as Collection };
  };

  it('is entered by a created member whose field is null, and by no other', async () => {
    const { getFolder, edit, ids, of } = folder();
    for (const parent of [null, 'null', 'a']) await controller.fetch(getFolder, { parent });
    await controller.fetch(getFolder, {});
    await edit(of.push, { id: 'x', parent: null });
    await edit(of.push, { id: 'y', parent: 'a' });
    await edit(of.push, { id: 'z' });
    await edit(of.push, { id: 'w' }, { parent: null });
    await edit(of.push, { id: 'v', parent: null }, { parent: 'a' }, {});
    expect(ids({ parent: null })).toEqual(['1', 'x', 'w']);
    expect(ids({ parent: 'null' })).toEqual(['2']);
    expect(ids({ parent: 'a' })).toEqual(['3', 'y', 'v']);
    expect(ids({})).toEqual(['4', 'x', 'y', 'z', 'w', 'v']);
  });

  it('is left and entered by a member that is moved', async () => {
    const { getFolder, edit, ids, of } = folder();
    for (const parent of [null, 'a']) await controller.fetch(getFolder, { parent });
    await edit(of.move, { id: '1', parent: 'a' });
    expect([ids({ parent: null }), ids({ parent: 'a' })]).toEqual([[], ['2', '1']]);
    await edit(of.move, { id: '2', parent: null });
    expect([ids({ parent: null }), ids({ parent: 'a' })]).toEqual([['2'], ['1']]);
  });
});
