import fc from 'fast-check';
import { Collection, Controller, Entity, Invalidate } from 'restitch';
import { getState, openStream } from 'restitch/state';
import { expect, it } from 'vitest';
import { flush, ignore, manual, mutation } from '../support/world.js';

class Todo extends Entity {
  id = '';
  title = '';
  note = '';
  static override key = 'Todo';
}
const todos = new Collection([Todo], { name: 'todos' });
const list = manual('getTodos', todos);

interface Row {
  readonly id: string;
  readonly title?: string;
  readonly note?: string;
}

type Step =
  | { readonly type: 'part'; readonly rows: readonly Row[] }
  | { readonly type: 'set' | 'patch' | 'create'; readonly row: Row }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'respond' | 'fail'; readonly which: number };

const id = fc.constantFrom('1', '2', '3', '4');
const text = fc.constantFrom('a', 'b', 'c');
const row = fc.record({ id, title: text, note: text }, { requiredKeys: ['id'] });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('part' as const),
    rows: fc.uniqueArray(row, { selector: (one) => one.id }),
  }),
  fc.record({ type: fc.constantFrom('set' as const, 'patch' as const, 'create' as const), row }),
  fc.record({ type: fc.constant('delete' as const), id }),
  fc.record({ type: fc.constantFrom('respond' as const, 'fail' as const), which: fc.nat(3) }),
);

/** One browser: `bring` is how what the server rendered from gets into it. */
function open(bring: (rows: readonly Row[]) => Promise<void>, controller: Controller) {
  const pending: {
    readonly respond: () => Promise<void>;
    readonly fail: () => Promise<void>;
  }[] = [];
  const send = (endpoint: ReturnType<typeof mutation>, args: object, response: unknown): void => {
    ignore(controller.fetch(endpoint.endpoint, args));
    pending.push({
      respond: () => endpoint.respond(response),
      fail: () => endpoint.fail(new Error('no')),
    });
  };
  return {
    async run(one: Step): Promise<void> {
      switch (one.type) {
        case 'part':
          return bring(one.rows);
        case 'set':
          return controller.set(Todo, { id: one.row.id }, one.row);
        case 'patch':
          return send(
            mutation('patch', Todo, () => one.row),
            one.row,
            one.row,
          );
        case 'create':
          return send(
            mutation('create', todos.push, () => one.row),
            {},
            one.row,
          );
        case 'delete': {
          const remove = mutation('delete', new Invalidate(Todo), () => ({ id: one.id }));
          return send(remove, { id: one.id }, null);
        }
        case 'respond':
        case 'fail': {
          const [request] = pending.splice(one.which, 1);
          return request?.[one.type]();
        }
      }
    },
    rest: async (): Promise<void> => {
      for (const { respond } of pending.splice(0)) await respond();
    },
    shownNow: () => ({
      list: controller.get(todos, {})?.map(({ id: pk }) => pk),
      rows: ['1', '2', '3', '4'].map((pk) => {
        const { title, note } = controller.get(Todo, pk) ?? {};
        return title === undefined ? undefined : [title, note];
      }),
    }),
  };
}

const PARTS = 12;

it('a page that arrives in parts shows the same as reads that began before everything else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: PARTS }), async (steps) => {
      const server = new Controller();
      const streamed = new Controller();
      const stream = openStream(streamed);
      const page = open(async (rows) => {
        server.setResponse(list.endpoint, {}, rows);
        stream.hydrate(JSON.parse(JSON.stringify(getState(server))));
      }, streamed);

      const fetched = new Controller();
      // All of them are sent first of all; each has its response when the part of its number arrives.
      const reads = Array.from({ length: PARTS }, (_, number) => manual(`part ${number}`, todos));
      for (const { endpoint } of reads) ignore(fetched.fetch(endpoint, {}));
      const known = new Map<string, Row>();
      const reference = open(async (rows) => {
        for (const one of rows) known.set(one.id, { ...known.get(one.id), ...one });
        // What the server exports are whole rows: what it knew of them before is part of them.
        await reads.shift()?.respond(rows.map((one) => known.get(one.id)));
      }, fetched);

      for (const one of steps) {
        await page.run(one);
        await reference.run(one);
        await flush();
        expect(page.shownNow()).toEqual(reference.shownNow());
      }
      await page.rest();
      await reference.rest();
      stream.close();
      for (const { fail } of reads.splice(0)) await fail(new Error('no'));
      await flush();
      expect(page.shownNow()).toEqual(reference.shownNow());
    }),
    { numRuns: Number(process.env['RESTITCH_MODEL_RUNS'] ? 1_000 : 150) },
  );
}, 120_000);
