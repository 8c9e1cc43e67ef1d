import { Collection, Controller, Entity, resource, RestEndpoint, Union, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  status = 'open';
  static override key = 'Todo';
}

const server = await serverOfFile();

/** A resource against a server that echoes what it is sent, over a list for each status. */
async function openTodos() {
  const Todos = resource({
    urlPrefix: server.origin,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { status?: string },
    optimistic: true,
  });
  const controller = new Controller();
  const ids = (status: string) =>
    controller.getResponse(Todos.getList, { status })?.map(({ id }) => id);
  controller.setResponse(Todos.getList, { status: 'open' }, [{ id: 1 }, { id: 2 }]);
  controller.setResponse(Todos.getList, { status: 'done' }, [{ id: 3 }]);
  return { Todos, controller, ids };
}

describe('the defaults of the search parameters', () => {
  const openSorted = async () => {
    const Todos = resource({
      urlPrefix: server.origin,
      path: '/todos/:id',
      schema: Todo,
      searchParams: { sort: 'title', size: 20 } as {
        sort?: string;
        size?: number;
        status?: string;
      },
    });
    const controller = new Controller();
    server.respond(() => ({ id: 9 }));
    return { Todos, controller };
  };

  it.each(['push', 'unshift', 'remove'] as const)(
    'are not sent by getList.%s, which sends those of its call',
    async (action) => {
      const { Todos, controller } = await openSorted();
      await controller.fetch(Todos.getList[action], {}, { title: 'a' });
      expect(server.seen.at(-1)?.url).toBe('/todos');
      await controller.fetch(Todos.getList[action], { status: 'open' }, { title: 'a' });
      expect(server.seen.at(-1)?.url).toBe('/todos?status=open');
    },
  );

  it('are sent by a list and its further pages', async () => {
    const { Todos, controller } = await openSorted();
    server.respond(() => []);
    await controller.fetch(Todos.getList);
    expect(server.seen.at(-1)?.url).toBe('/todos?size=20&sort=title');
    await controller.fetch(Todos.getList.paginated('page'), { page: 2 });
    expect(server.seen.at(-1)?.url).toBe('/todos?page=2&size=20&sort=title');
  });

  it('that an extended create is given itself are sent', async () => {
    const { Todos, controller } = await openSorted();
    const create = Todos.getList.push.extend({
      searchParams: { notify: true } as { notify?: boolean },
    });
    await controller.fetch(create, {}, { title: 'a' });
    expect(server.seen.at(-1)?.url).toBe('/todos?notify=true');
  });

  it('are not sent by the edits of a map either', async () => {
    const list = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/todos',
      searchParams: { size: 20 } as { size?: number },
      schema: new Collection(new Values(Todo)),
    });
    server.respond(() => ({ a: { id: 1 } }));
    await new Controller().fetch(list.assign, {}, { a: { id: 1 } });
    expect(server.seen.at(-1)?.url).toBe('/todos');
  });
});

describe('getList.move', () => {
  it('sends a PATCH to the member and moves it between lists before the response', async () => {
    const { Todos, controller, ids } = await openTodos();
    server.respond((request) => ({ id: 1, ...(JSON.parse(request.body) as object) }));
    const moved = controller.fetch(Todos.getList.move, { id: 1 }, { status: 'done' });
    expect(ids('open')).toEqual([2]);
    expect(ids('done')).toEqual([3, 1]);
    const todo: Todo = await moved;
    expect(todo.status).toBe('done');
    expect(server.seen.at(-1)).toMatchObject({ method: 'PATCH', url: '/todos/1' });
    // @ts-expect-error the member has to be named
    void (() => controller.fetch(Todos.getList.move, { status: 'done' }));
  });
});

describe('getList.remove', () => {
  it('sends a PATCH to the list and takes the member out of the lists that the call names', async () => {
    const { Todos, controller, ids } = await openTodos();
    server.respond((request) => JSON.parse(request.body) as object);
    await controller.fetch(Todos.getList.remove, { status: 'open' }, { id: 2, title: 'gone' });
    expect(ids('open')).toEqual([1]);
    expect(controller.get(Todo, { id: 2 })?.title).toBe('gone');
    expect(server.seen.at(-1)).toMatchObject({ method: 'PATCH', url: '/todos?status=open' });
    // @ts-expect-error a misspelled field
    void (() => controller.fetch(Todos.getList.remove, { status: 'open' }, { titel: 'x' }));
  });
});

describe('a resource of a union', () => {
  it('creates and deletes members of every class', async () => {
    class Link extends Entity {
      id = 0;
      type = 'link' as const;
      static override key = 'Link';
    }
    class Post extends Entity {
      id = 0;
      type = 'post' as const;
      static override key = 'Post';
    }
    const Feed = resource({
      urlPrefix: server.origin,
      path: '/feed/:id',
      schema: new Union({ link: Link, post: Post }, 'type'),
    });
    const controller = new Controller();
    controller.setResponse(Feed.getList, [
      { id: 1, type: 'link' },
      { id: 2, type: 'post' },
    ]);
    server.respond((_, response) => void response.writeHead(204).end());
    await controller.fetch(Feed.delete, { id: 2 });
    expect(controller.getResponse(Feed.getList)).toEqual([Link.fromJS({ id: 1 })]);
  });
});
