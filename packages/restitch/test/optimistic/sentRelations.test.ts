/** A request body can contain related records that have no key yet, or in a form that only the server knows. */
import { Controller, Entity, resource } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Part extends Entity {
  id = 0;
  name = '';
}

class Line extends Entity {
  id = 0;
  text = '';
  parts: Part[] = [];
  static override schema = { parts: [Part] };
}

class Order extends Entity {
  id = 0;
  title = '';
  lines: Line[] = [];
  main: Line | null = null;
  byCode: Record<string, Line> = {};
  static override schema = { lines: [Line], main: Line, byCode: { a: Line } };
}

const server = await serverOfFile();
const options = {
  urlPrefix: server.origin,
  path: '/orders/:id',
  schema: Order,
  body: {} as object,
} as const;
const kinds = [
  ['', resource(options)],
  [' that is optimistic', resource({ ...options, optimistic: true })],
  [
    ' with an own prediction',
    resource(options).extend(({ update }) => ({
      update: update.extend({
        getOptimisticResponse: (_: unknown, { id }: { id: string | number }, body: object) =>
          ({ id, ...body }) as never,
      }),
    })),
  ],
] as const;

interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}
let rows: Row[];
let answer: (row: Row) => unknown;
let nextId: number;

/** Gives an id to each object that lacks one. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(named);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const fields = Object.entries(value).map(([name, one]) => [name, named(one)]);
  return { id: (nextId += 1), ...Object.fromEntries(fields) };
}

beforeEach(() => {
  nextId = 100;
  rows = [
    { id: 1, title: 'old', lines: [{ id: 11, text: 'a', parts: [] }], main: null, byCode: {} },
  ];
  server.respond(({ method, url, body }, response) => {
    if (method === 'GET') {
      return url === '/orders' ? rows : rows[0];
    }
    const sent = Object.entries(JSON.parse(body) as object).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('[') ? named(JSON.parse(value)) : named(value),
    ]);
    const before = method === 'POST' ? { id: (nextId += 1), main: null, byCode: {} } : rows[0];
    const row = { ...before, ...Object.fromEntries(sent) } as Row;
    rows = method === 'POST' ? [...rows, row] : [row];
    const value = answer(row);
    return value === undefined ? void response.writeHead(204).end() : value;
  });
});

const answers: [name: string, answer: (row: Row) => unknown][] = [
  ['204', () => undefined],
  ['a part of the record', ({ id, title }) => ({ id, title })],
  ['the whole record', (row) => row],
];

const bodies: [name: string, body: object][] = [
  ['a new record in an array', { lines: [{ id: 11, text: 'a' }, { text: 'b' }] }],
  ['a new record of an own field', { main: { text: 'm' } }],
  ['a new record in another record', { lines: [{ id: 12, text: 'c', parts: [{ name: 'p' }] }] }],
  ['records as text', { lines: '[{"text":"t"}]' }],
];

describe.each(kinds)('an update%s', (_, Orders) => {
  describe.each(answers)('answered with %s', (__, given) => {
    it.each(bodies)('shows what the server stored for %s', async (___, body) => {
      answer = given;
      const controller = new Controller({ environment: { report: () => {} } });
      await controller.fetch(Orders.get, { id: 1 });
      await controller.fetch(Orders.getList);
      await controller.fetch(Orders.update, { id: 1 }, { title: 'new', ...body });
      const [listed] = await controller.fetchIfStale(Orders.getList);
      const shown = await controller.fetchIfStale(Orders.get, { id: 1 });
      for (const one of [shown, listed]) {
        expect(JSON.parse(JSON.stringify(one))).toMatchObject(rows[0] ?? {});
      }
    });
  });
});

describe.each(kinds)('a create%s', (_, Orders) => {
  describe.each(answers)('answered with %s', (__, given) => {
    it.each(bodies)('shows the row that the server stored for %s', async (___, body) => {
      answer = given;
      const controller = new Controller({ environment: { report: () => {} } });
      await controller.fetch(Orders.getList);
      await controller.fetch(Orders.getList.push, { title: 'new', ...body });
      const list = await controller.fetchIfStale(Orders.getList);
      expect(JSON.parse(JSON.stringify(list))).toMatchObject(rows);
    });
  });
});
