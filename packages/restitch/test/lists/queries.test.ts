/** An endpoint whose schema is a query of a list: its edits and pages are those of the list. */
import { Collection, Controller, CustomSchema, Entity, Query, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Todo';
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.respond(({ method, url, body }) => {
    if (method === 'POST') return { id: 'new', ...(JSON.parse(body) as object) };
    return url.includes('page=2')
      ? [{ id: '3', title: 'third' }]
      : [
          { id: '1', title: 'first' },
          { id: '2', title: 'second', done: true },
        ];
  });
});

/** A schema of one’s own, with private state. */
class Titles extends CustomSchema<Collection<(typeof Todo)[]>, string[]> {
  #prefix = '*';
  denormalize(todos: Todo[]): string[] {
    return todos.map(({ title }) => this.#prefix + title);
  }
}

describe('an endpoint whose schema is a query of a list', () => {
  const open = () =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/todos',
      schema: new Query(new Collection([Todo]), (todos) =>
        todos.filter(({ done }) => !done).map(({ title }) => title),
      ),
      paginationField: 'page',
    });

  it('has push and unshift, which edit the list that it reads', async () => {
    const getOpen = open();
    const view = controller.observe(getOpen);
    await controller.fetch(getOpen);
    const pushed = await controller.fetch(getOpen.push, { title: 'pushed' });
    expect(pushed).toBeInstanceOf(Todo);
    server.respond(({ body }) => ({ id: 'newer', ...(JSON.parse(body) as object) }));
    await controller.fetch(getOpen.unshift, { title: 'unshifted' });
    expect(view.getSnapshot()).toMatchObject({ data: ['unshifted', 'first', 'pushed'] });
  });

  it('has getPage, which reads as the query of the page and appends to the list', async () => {
    const getOpen = open();
    await controller.fetch(getOpen);
    expect(await controller.fetch(getOpen.getPage, { page: 2 })).toEqual(['third']);
    expect(controller.getResponse(getOpen)).toEqual(['first', 'third']);
  });

  it('may have an envelope in the query', async () => {
    server.respond(({ method, url }) => {
      if (method === 'POST') return { id: 'new', title: 'pushed' };
      return url.includes('page=2')
        ? { data: { results: [{ id: '2', title: 'second' }] }, next: null }
        : { data: { results: [{ id: '1', title: 'first' }] }, next: 2 };
    });
    const getTitles = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/todos',
      schema: new Query(
        { data: { results: new Collection([Todo]) }, next: null as number | null },
        ({ data, next }) => [next, ...data.results.map(({ title }) => title)],
      ),
      paginationField: 'page',
    });
    expect(await controller.fetch(getTitles)).toEqual([2, 'first']);
    expect(await controller.fetch(getTitles.getPage, { page: 2 })).toEqual([null, 'second']);
    expect(controller.getResponse(getTitles)).toEqual([null, 'first', 'second']);
    await controller.fetch(getTitles.push, { title: 'pushed' });
    expect(controller.getResponse(getTitles)).toEqual([null, 'first', 'second', 'pushed']);
  });

  it('may be a schema of one’s own', async () => {
    const getTitles = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/todos',
      schema: new Titles(new Collection([Todo])),
      paginationField: 'page',
    });
    await controller.fetch(getTitles);
    expect(await controller.fetch(getTitles.getPage, { page: 2 })).toEqual(['*third']);
    await controller.fetch(getTitles.push, { title: 'pushed' });
    expect(controller.getResponse(getTitles)).toEqual(['*first', '*second', '*third', '*pushed']);
  });
});

describe('a query of an object', () => {
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/posts',
    schema: { results: new Collection([Todo]), total: 0 },
    send: async () => Response.json({ results: [{ id: '1', title: 'first' }], total: 1 }),
  });
  const count = new Query(getPosts.schema, ({ results }) => results.length);

  it('is given nothing before there is something, wherever it is read', async () => {
    expect(controller.get(count)).toBeUndefined();
    expect(controller.observeQuery(count).getSnapshot()).toMatchObject({ data: undefined });
    await controller.fetch(getPosts);
    expect(controller.get(count)).toBe(1);
    expect(controller.observeQuery(count).getSnapshot()).toMatchObject({ data: 1 });
  });
});
