/** Records that are deleted in a visit that shows no list of them. */
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';

class Message extends Entity {
  id = 0;
  kind = 'message';
  static override key = 'DeletedMessage';
}

const SCHEMAS = { Message, Union: new Union({ message: Message }, 'kind') };
const PAGES = {
  page: [byPage({ param: 'page', size: 'size' }), { size: 2 }],
  offset: [byOffset({ param: 'offset', limit: 'size' }), { size: 2 }],
} as const;

const save = (controller: Controller) => JSON.parse(JSON.stringify(getState(controller)));

const cases = (['Message', 'Union'] as const).flatMap((schema) =>
  (['page', 'offset'] as const).flatMap((by) =>
    (['a delete', 'a message'] as const).flatMap((how) =>
      [0, 1, 2].map((saves) => ({ schema, by, how, saves })),
    ),
  ),
);

it.each(cases)(
  'the next page skips no row: $schema, by $by, $how, saved again: $saves',
  async ({ schema, by, how, saves }) => {
    const [pagination, searchParams] = PAGES[by];
    let rows = [1, 2, 3, 4, 5, 6].map((id) => ({ id, kind: 'message' }));
    const Messages = resource({
      urlPrefix: 'http://x',
      path: '/messages/:id',
      schema: SCHEMAS[schema],
      searchParams,
      pagination,
      send: async (url: string, { method }: RequestInit) => {
        const { pathname, searchParams: query } = new URL(url);
        if (method === 'DELETE') {
          rows = rows.filter(({ id }) => id !== Number(pathname.split('/')[2]));
          return new Response(null, { status: 204 });
        }
        const page = Number(query.get('page') ?? 1) - 1;
        const start = by === 'page' ? page * 2 : Number(query.get('offset') ?? 0);
        return Response.json(rows.slice(start, start + 2));
      },
    } as never) as any;
    const open = async (controller: Controller, pages: number) => {
      const view = infinite(controller, Messages.getList) as any;
      const stop = view.subscribe(() => {});
      if (view.needsLoad()) await view.load();
      for (let page = 0; page < pages; page += 1) await view.loadNext();
      const { items } = view.getSnapshot().data;
      stop();
      return items.map(({ id }: Message) => id);
    };
    let controller = new Controller();
    await open(controller, 1);
    const next = () => {
      const state = save(controller);
      controller = new Controller();
      hydrate(controller, state);
    };
    next();
    for (const id of [2, 3]) {
      if (how === 'a delete') await controller.fetch(Messages.delete, { id });
      else {
        rows = rows.filter((row) => row.id !== id);
        controller.setResponse(Messages.delete, { id }, undefined);
      }
    }
    for (let count = 0; count < saves; count += 1) next();
    expect(await open(controller, 2)).toEqual([1, 4, 5, 6]);
  },
);

it('a list that was hydrated again loses the deleted record, too', () => {
  const messages = new Collection([Message], { name: 'messages' });
  const first = new Controller();
  first.set(messages, {}, [{ id: 1 }, { id: 2 }] as never);
  const second = new Controller();
  hydrate(second, save(first));
  second.setResponse(
    resource({ urlPrefix: 'http://x', path: '/messages/:id', schema: Message }).delete,
    { id: 1 },
    undefined,
  );
  const third = new Controller();
  third.get(messages, { other: 1 });
  hydrate(third, save(second));
  expect(third.get(messages, {})?.map(({ id }) => id)).toEqual([2]);
});
