/** Creates and deletes after `hydrate`, before anything has read the windowed list. */
import { byOffset, Collection, Controller, Entity, resource, windowed } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  id = 0;
  static override key = 'HydratedWindowRow';
}

function serve(isSilent: boolean) {
  const server = { rows: [1, 2, 3, 4, 5, 6].map((id) => ({ id })), asked: 0 };
  const send = async (url: string, { method }: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    if (method === 'GET') {
      server.asked += 1;
      const start = Number(searchParams.get('offset') ?? 0);
      const results = server.rows.slice(start, start + 3);
      return Response.json({ total: server.rows.length, results });
    }
    const id = Number(pathname.split('/')[2]);
    if (method === 'POST') server.rows.unshift({ id: 100 });
    else server.rows = server.rows.filter((row) => row.id !== id);
    return isSilent ? new Response(null, { status: 204 }) : Response.json({ id: id || 100 });
  };
  const Rows = resource({
    urlPrefix: 'http://x',
    path: '/rows/:id',
    schema: Row,
    body: {} as object,
    pagination: byOffset({ param: 'offset', total: 'total' }),
    send,
  }).extend('getList', { schema: { results: new Collection([Row]), total: 0 } });
  return { server, Rows };
}

async function shown(controller: Controller, { Rows }: ReturnType<typeof serve>) {
  const view = windowed(controller, Rows.getList);
  const stop = view.subscribe(() => {});
  const range = view.open({ start: 0, end: 3 });
  await settle();
  const list = readyData(view);
  range.close();
  stop();
  return [list.length, ...[0, 1, 2].map((index) => list.at(index)?.id)];
}

it.each([
  ['a create', 'unshift', false, [7, 100, 1, 2]],
  ['a create with a 204', 'unshift', true, [7, 100, 1, 2]],
  ['a delete of a row that is not loaded', 'delete', false, [5, 1, 2, 3]],
  ['no mutation', 'nothing', false, [6, 1, 2, 3]],
] as const)('after %s, the rows are those of the server', async (_, how, isSilent, expected) => {
  const world = serve(isSilent);
  const { Rows, server } = world;
  const before = new Controller();
  expect(await shown(before, world)).toEqual([6, 1, 2, 3]);
  const controller = new Controller();
  hydrate(controller, JSON.parse(JSON.stringify(getState(before))));
  server.asked = 0;
  if (how === 'unshift') await controller.fetch(Rows.getList.unshift, {});
  if (how === 'delete') await controller.fetch(Rows.delete, { id: 6 });
  expect(await shown(controller, world)).toEqual(expected);
  expect(server.asked).toBe(how === 'nothing' ? 0 : 1);
});
