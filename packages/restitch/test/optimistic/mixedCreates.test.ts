/** One mutation creates records in some fields of its response, and moves or creates others. */
import { Collection, Controller, Entity, resource, RestEndpoint, Values } from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class Todo extends Entity {
  id = '';
  name = '';
  done = false;
  group = '';
  static override key = 'MixedTodo';
}

const urlPrefix = 'http://x';
const A = { id: '7', name: 'A' };
const B = { id: '8', name: 'B' };
const first = { id: '1', name: 'one' };
const second = { id: '2', name: 'two' };

/** A mutation that predicts `predicted`. Returns the requests that follow an edit of the new A. */
async function editsOfA(schemaOf: (lists: Lists) => object, predicted: object, response: object) {
  const requests: string[] = [];
  let answer: (response: Response) => void = () => {};
  const send = (url: string, { method }: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    if (method === 'GET') return Promise.resolve(Response.json([first, second]));
    if (method === 'POST') return new Promise((resolve) => (answer = resolve));
    requests.push(`${method} ${pathname}`);
    return Promise.resolve(Response.json({ id: pathname.split('/').at(-1), done: true }));
  };
  const Todos = resource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true, send });
  const sync = new RestEndpoint({
    urlPrefix,
    path: '/sync',
    method: 'POST',
    body: {} as object,
    schema: schemaOf(Todos.getList.schema) as Record<string, never>,
    getOptimisticResponse: () => predicted,
    send,
  });
  const controller = new Controller();
  await controller.fetch(Todos.getList);
  const saving = controller.fetch(sync, {});
  const list = controller.getResponse(Todos.getList);
  const id = list?.find(({ name }) => name === 'A')?.id ?? '';
  expect(id).toMatch(/^~/);
  const edit = controller.fetch(Todos.partialUpdate, { id }, { done: true });
  await settle();
  answer(Response.json(response));
  await Promise.all([saving, edit]);
  const done = controller.getResponse(Todos.getList)?.filter((todo) => todo.done);
  expect(done?.map(({ name }) => name)).toEqual(['A']);
  return requests;
}

interface Lists {
  readonly move: object;
  readonly push: object;
  readonly unshift: object;
}
const both = ({ move, push }: Lists) => ({ moved: [move], created: [push] });
const create = [{ name: 'A' }, { name: 'B' }];
const moves = [
  { id: '1', group: 'x' },
  { id: '2', group: 'x' },
];

it.each<[string, (lists: Lists) => object, predicted: object, response: object]>([
  ['fewer moves', both, { moved: moves, created: create }, { moved: [first], created: [A, B] }],
  ['no move', both, { moved: moves, created: create }, { moved: [], created: [A, B] }],
  ['more moves', both, { created: create }, { moved: [first, second], created: [A, B] }],
  [
    'null in place of a move',
    ({ move, push }) => ({ moved: move, created: [push] }),
    { moved: moves[0], created: create },
    { moved: null, created: [A, B] },
  ],
  [
    'fewer records created elsewhere in the list',
    ({ unshift, push }) => ({ first: [unshift], created: [push] }),
    { first: [{ name: 'C' }], created: create },
    { first: [], created: [A, B] },
  ],
  [
    'a record created in another field',
    ({ push }) => ({ one: push, created: [push] }),
    { created: create },
    { one: { id: '6', name: 'C' }, created: [A, B] },
  ],
])('edits of a created record are sent for its own key: %s', async (_, schema, ...rest) => {
  expect(await editsOfA(schema, ...rest)).toEqual(['PATCH /todos/7']);
});

it.each([
  ['in another order', { chf: { id: '8', price: 3 }, usd: { id: '7', price: 2 } }, ['7']],
  ['without another item', { usd: { id: '7', price: 2 } }, ['7']],
  ['without the item', { chf: { id: '8', price: 3 } }, []],
])('edits of an item of a map are sent for its own key: %s', async (_, response, expected) => {
  class Rate extends Entity {
    id = '';
    price = 0;
    static override key = 'MixedRate';
  }
  const patched: (string | undefined)[] = [];
  let answer: (response: Response) => void = () => {};
  const send = (url: string, { method }: RequestInit): Promise<Response> => {
    const id = new URL(url).pathname.split('/').at(-1);
    if (method === 'GET') return Promise.resolve(Response.json({ eur: { id: '1', price: 1 } }));
    if (method === 'POST') return new Promise((resolve) => (answer = resolve));
    patched.push(id);
    return Promise.resolve(Response.json({ id, price: 22 }));
  };
  const Rates = resource({ urlPrefix, path: '/rates/:id', schema: Rate, optimistic: true, send });
  const { getList } = Rates.extend('getList', { schema: new Collection(new Values(Rate)) });
  const controller = new Controller();
  await controller.fetch(getList);
  const saving = controller.fetch(getList.assign, { usd: { price: 2 }, chf: { price: 3 } });
  await settle();
  const id = controller.getResponse(getList)?.['usd']?.id ?? '';
  const edit = controller.fetch(Rates.partialUpdate, { id }, { price: 22 });
  const failed = edit.then(
    () => false,
    () => true,
  );
  await settle();
  answer(Response.json(response));
  await saving;
  expect([await failed, patched]).toEqual([expected.length === 0, expected]);
});

it.each([
  ['fewer', [B]],
  ['more', [first, A, B]],
])(
  'an edit of a created record is not sent if the response has %s records',
  async (_, response) => {
    const requests: string[] = [];
    let answer: (response: Response) => void = () => {};
    const send = (_url: string, { method }: RequestInit): Promise<Response> => {
      if (method === 'GET') return Promise.resolve(Response.json([first]));
      if (method === 'POST') return new Promise((resolve) => (answer = resolve));
      requests.push(method ?? '');
      return Promise.resolve(Response.json({}));
    };
    const Todos = resource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true, send });
    const controller = new Controller();
    await controller.fetch(Todos.getList);
    const saving = controller.fetch(Todos.getList.push, [{ name: 'A' }, { name: 'B' }]);
    await settle();
    const todo = controller.getResponse(Todos.getList)?.find(({ name }) => name === 'A');
    const edit = controller.fetch(Todos.partialUpdate, { id: todo?.id ?? '' }, { done: true });
    const outcome = edit.then(
      () => 'sent',
      (error: { code?: string }) => error.code,
    );
    await settle();
    answer(Response.json(response));
    await saving;
    expect([await outcome, requests]).toEqual(['never-created', []]);
    const ids = controller.getResponse(Todos.getList)?.map(({ id }) => id);
    expect(ids?.sort()).toEqual(
      ['1', ...response.map(({ id }) => id)].filter((id, at, all) => all.indexOf(id) === at).sort(),
    );
  },
);
