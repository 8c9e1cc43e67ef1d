/** Rows of a class whose key is a number have a number as their temporary key. */
import { All, Collection, Controller, Entity, resource, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, manual, mutation } from '../support/world.js';

class Todo extends Entity {
  id = 0;
  title = '';
  parentId = 0;
  parent: Todo | undefined = undefined;
  static override key = 'Todo';
  static override schema: Record<string, unknown> = {};
}
Todo.schema = { parent: Todo };

/** Its key is another field than `id`. */
class Row extends Entity {
  number = 0;
  title = '';
  static override key = 'Row';
  override pk(): string {
    return `${this.number}`;
  }
}

/** Its key is a text, though not in `id`. */
class Tag extends Entity {
  slug = '';
  id = 0;
  static override key = 'Tag';
  override pk(): string {
    return this.slug;
  }
}

/** Its key is made of two fields. */
class Pair extends Entity {
  left = 0;
  right = 0;
  static override key = 'Pair';
  override pk(): string | undefined {
    return this.left ? `${this.left}-${this.right}` : undefined;
  }
}

function open<S extends typeof Entity>(Class: S) {
  const controller = new Controller();
  const list = new Collection([Class]);
  controller.set(list, {}, []);
  const create = mutation('create', list.push, (_, body) => body);
  ignore(controller.fetch(create.endpoint, { title: 'new' }));
  const rows = () => (controller.get(list, {}) ?? []) as InstanceType<S>[];
  return { controller, list, create, rows };
}

describe('a temporary key', () => {
  it('is a negative integer where the default of `id` is a number, in the field and as primary key', () => {
    const { controller, rows } = open(Todo);
    const [todo] = rows();
    expect(todo?.id).toBeLessThan(0);
    expect(Number.isSafeInteger(todo?.id)).toBe(true);
    expect(todo?.pk()).toBe(todo?.id);
    expect(controller.get(Todo, { id: todo?.id })).toBe(todo);
  });

  it('is one where the default of the field is a number that `pk` returns', async () => {
    const { create, rows } = open(Row);
    const [row] = rows();
    expect(row?.number).toBeLessThan(0);
    expect(row?.pk()).toBe(String(row?.number));
    await create.respond({ number: 7, title: 'new' });
    expect(rows()).toMatchObject([{ number: 7 }]);
  });

  it('is a text in the field that `pk` returns where that is one', async () => {
    const { create, rows } = open(Tag);
    const [tag] = rows();
    expect([tag?.id, tag?.pk()]).toEqual([0, tag?.slug]);
    expect(tag?.slug).toMatch(/^~new-/);
    await create.respond({ slug: 'seven', id: 7 });
    expect(rows()).toMatchObject([{ slug: 'seven', id: 7 }]);
  });

  it('is in no field where `pk` is made of several', () => {
    const { rows } = open(Pair);
    expect(rows()).toMatchObject([{ left: 0, right: 0 }]);
  });

  it('is distinct among rows, lists and controllers', () => {
    const ids = new Set<number>();
    for (let count = 0; count < 3; count += 1) {
      const { controller, create, rows } = open(Todo);
      ignore(controller.fetch(create.endpoint, { title: 'other' }));
      for (const { id } of rows()) ids.add(id);
    }
    expect(ids.size).toBe(6);
  });

  it('stays when the optimistic function runs again', async () => {
    const controller = new Controller();
    const todos = new Collection([Todo], { name: 'todos' });
    controller.set(todos, {}, []);
    const older = manual('older', todos);
    const create = mutation('create', todos.push, (snapshot) => ({
      title: `${snapshot.get(todos, {})?.length}`,
    }));
    ignore(controller.fetch(older.endpoint, {}));
    ignore(controller.fetch(create.endpoint, {}));
    const id = controller.get(todos, {})?.[0]?.id;
    await older.respond([{ id: 1 }]);
    // The other member may be the row that is being created.
    expect(controller.get(todos, {})).toMatchObject([{ id, title: '1' }]);
  });

  it('is not the same as a negative number from the server', async () => {
    const { controller, create } = open(Todo);
    const edit = mutation('edit', Todo);
    ignore(controller.fetch(edit.endpoint, { id: -7 }));
    await edit.respond({ id: -7, title: 'edited' });
    expect(controller.get(Todo, { id: -7 })?.title).toBe('edited');
    await create.respond({ id: 8 });
  });
});

describe('a row with a number as its temporary key', () => {
  it('goes on in its place under its real key, which the temporary one keeps finding', async () => {
    const { controller, create, rows } = open(Todo);
    const [{ id } = { id: 0 }] = rows();
    await create.respond({ id: 7, title: 'new' });
    expect(rows()).toMatchObject([{ id: 7, title: 'new' }]);
    expect(controller.get(Todo, { id })).toBe(rows()[0]);
    expect(controller.get(new All(Todo))).toHaveLength(1);
  });

  it('is edited by requests that wait for its real key: in parameters, bodies and forms', async () => {
    const { controller, create, rows } = open(Todo);
    const [{ id } = { id: 0 }] = rows();
    const edit = mutation('edit', Todo, (_, args) => ({ ...args, title: 'edited' }));
    const child = mutation('child', Todo);
    const form = new FormData();
    form.set('parentId', String(id));
    ignore(controller.fetch(edit.endpoint, { id }));
    ignore(controller.fetch(child.endpoint, { of: [`${id}`] }, { parent: { parentId: id } }));
    ignore(controller.fetch(child.endpoint, form));
    expect(rows()[0]?.title).toBe('edited');
    expect([edit.calls.length, child.calls.length]).toEqual([0, 0]);
    await create.respond({ id: 7, title: 'new' });
    expect(edit.calls[0]?.args).toEqual([{ id: 7 }]);
    expect(child.calls[0]?.args).toEqual([{ of: [7] }, { parent: { parentId: 7 } }]);
    const sent = child.calls[1]?.args[0];
    expect(sent instanceof FormData && sent.get('parentId')).toBe('7');
    expect(rows()[0]?.title).toBe('edited');
  });

  it('is found by relations and lists that name it', async () => {
    const { controller, create, list, rows } = open(Todo);
    const [{ id } = { id: 0 }] = rows();
    controller.set(Todo, { id: 1 }, { parent: id });
    controller.set(list, { parentId: id }, [{ id: 1 }]);
    controller.set(list, { filter: { parentId: id } }, [{ id: 1 }]);
    expect(controller.get(Todo, { id: 1 })?.parent).toMatchObject({ title: 'new' });
    await create.respond({ id: 7, title: 'new' });
    expect(controller.get(Todo, { id: 1 })?.parent).toMatchObject({ id: 7 });
    expect(controller.get(list, { parentId: 7 })).toHaveLength(1);
    expect(controller.get(list, { filter: { parentId: 7 } })).toHaveLength(1);
  });

  it('is refused to requests where the create failed', async () => {
    const { controller, create, rows } = open(Todo);
    const [{ id } = { id: 0 }] = rows();
    await create.fail(new Error('no'));
    const edit = mutation('edit', Todo);
    await expect(controller.fetch(edit.endpoint, { id })).rejects.toMatchObject({
      code: 'never-created',
    });
    expect(edit.calls).toHaveLength(0);
  });

  it('stands in a list of a union', async () => {
    const controller = new Controller();
    const feed = new Collection([new Union({ todo: Todo }, () => 'todo')]);
    controller.set(feed, {}, []);
    const create = mutation('create', feed.push, (_, body) => body);
    ignore(controller.fetch(create.endpoint, { title: 'new' }));
    expect(controller.get(feed, {})).toMatchObject([{ title: 'new' }]);
    await create.respond({ id: 7, title: 'new' });
    expect(controller.get(feed, {})).toMatchObject([{ id: 7 }]);
  });
});

it('an optimistic resource types the key as the server will: it sorts and compares as a number', async () => {
  const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true });
  const controller = new Controller();
  controller.setResponse(Todos.getList, [{ id: 3 }]);
  const push = Todos.getList.push.extend({ fetch: () => new Promise<never>(() => {}) });
  ignore(controller.fetch(push, { title: 'new' }));
  const ids = controller.getResponse(Todos.getList)?.map(({ id }) => id) ?? [];
  expect(ids.map((id) => typeof id)).toEqual(['number', 'number']);
  expect(ids.toSorted((a, b) => a - b)[1]).toBe(3);
});
