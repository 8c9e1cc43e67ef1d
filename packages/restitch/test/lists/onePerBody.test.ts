/** The endpoints that edit a list accept an array of records only for an array of bodies. */
import { Controller, Entity, resource } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = '';
  title = '';
}

const server = await serverOfFile();
const Todos = resource({
  urlPrefix: server.origin,
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});
let controller: Controller;
beforeEach(async () => {
  controller = new Controller();
  server.respond(({ method }) => (method === 'GET' ? [{ id: '0' }] : [{ id: '1' }, { id: '2' }]));
  await controller.fetch(Todos.getList);
});
const ids = () => controller.getResponse(Todos.getList)?.map(({ id }) => id);

describe('a response with an array', () => {
  const form = new FormData();
  form.append('title', 'a');

  it.each([
    ['push', () => controller.fetch(Todos.getList.push, { title: 'a' })],
    ['unshift', () => controller.fetch(Todos.getList.unshift, { title: 'a' })],
    ['push of a form', () => controller.fetch(Todos.getList.push, form)],
    ['move', () => controller.fetch(Todos.getList.move, { id: '0' }, { title: 'a' })],
    ['remove', () => controller.fetch(Todos.getList.remove, { title: 'a' })],
  ])('is an error of %s with one body, and changes nothing', async (_, call) => {
    await expect(call()).rejects.toMatchObject({
      code: 'unexpected-shape',
      message: expect.stringContaining('The response should be one record of Todo, but it is ['),
    });
    expect(ids()).toEqual(['0']);
  });

  it('is the response to several bodies', async () => {
    const created = await controller.fetch(Todos.getList.push, [{ title: 'a' }, { title: 'b' }]);
    expect(created).toMatchObject([
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    expect(ids()).toEqual(['0', '1', '2']);
  });

  it('is the created record if `process` returns its only item', async () => {
    const push = Todos.getList.push.extend({ process: ([created]: unknown[]) => created });
    expect(await controller.fetch(push, { title: 'a' })).toMatchObject({ id: '1', title: 'a' });
    expect(ids()).toEqual(['0', '1']);
  });

  it('is accepted by an endpoint whose schema is an array', async () => {
    const push = Todos.getList.push.extend({ schema: [Todos.getList.schema.push] });
    expect(await controller.fetch(push, { title: 'a' })).toMatchObject([{ id: '1' }, { id: '2' }]);
    expect(ids()).toEqual(['0', '1', '2']);
  });
});
