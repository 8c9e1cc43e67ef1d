/** `optimistic: true` for endpoints whose schema is an envelope: the optimistic response has none. */
import { Controller, Entity, resource } from 'restitch';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Todo extends Entity {
  id = '';
  title = '';
}

const Todos = resource({
  urlPrefix: server.origin,
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
  body: {} as { title: string },
});

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
afterEach(() => void warn.mockClear());
afterAll(() => warn.mockRestore());

let controller: Controller;
const titles = () => controller.getResponse(Todos.getList)?.map(({ title }) => title);

beforeEach(() => {
  controller = new Controller();
  controller.setResponse(Todos.getList, [{ id: '1', title: 'old' }]);
  server.respond(() => ({ data: { id: '1', title: 'new' } }));
});

it('an envelope without a field of the response is warned about', async () => {
  const edit = Todos.partialUpdate.extend({ schema: { data: Todo } });
  const sent = controller.fetch(edit, { id: '1' }, { title: 'new' });
  expect(titles()).toEqual(['old']);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('no field `data`'));
  await sent;
  expect(titles()).toEqual(['new']);
});

it('an optimistic response in the envelope shows, without a warning', async () => {
  const edit = Todos.partialUpdate.extend({
    schema: { data: Todo },
    getOptimisticResponse: (_: unknown, { id }: { id: string }, body: object) => ({
      data: { id, ...body },
    }),
  });
  const sent = controller.fetch(edit, { id: '1' }, { title: 'new' });
  expect(titles()).toEqual(['new']);
  await sent;
  expect(warn).not.toHaveBeenCalled();
});

it('no envelope is no reason for a warning', async () => {
  server.respond(() => ({ id: '1', title: 'new' }));
  await controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'new' });
  expect(warn).not.toHaveBeenCalled();
});
