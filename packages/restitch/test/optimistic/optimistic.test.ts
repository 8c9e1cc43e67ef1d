/** Optimistic updates as users meet them: the data of a tick, the data of a snapshot, the effects of a mistake. */
import { Collection, type Controller, Entity, Invalidate, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, Item, manual, mutation, openWorld, User } from '../support/world.js';

class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Todo';
}

const Todos = resource({
  urlPrefix: 'http://localhost:1',
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});

/** A store that holds one todo in its list; no server ever responds to its requests. */
function openTodos() {
  const { controller } = openWorld();
  controller.setResponse(Todos.getList, [{ id: '1', title: 'a' }]);
  const list = () => controller.getResponse(Todos.getList) ?? [];
  return { controller, list, titles: () => list().map(({ title }) => title) };
}

describe('an optimistic change shows in the tick of its call', () => {
  const form = new FormData();
  form.set('title', 'b');
  const encoded = new URLSearchParams({ title: 'b' });

  it.each<[string, (controller: Controller) => Promise<unknown>, string[]]>([
    ['update', (it) => it.fetch(Todos.update, { id: '1' }, { title: 'b' }), ['b']],
    ['partialUpdate', (it) => it.fetch(Todos.partialUpdate, { id: '1' }, { title: 'b' }), ['b']],
    ['delete', (it) => it.fetch(Todos.delete, { id: '1' }), []],
    ['push', (it) => it.fetch(Todos.getList.push, { title: 'b' }), ['a', 'b']],
    ['unshift', (it) => it.fetch(Todos.getList.unshift, { title: 'b' }), ['b', 'a']],
    ['push of a form', (it) => it.fetch(Todos.getList.push, form as never), ['a', 'b']],
    [
      'push of URL-encoded fields',
      (it) => it.fetch(Todos.getList.push, encoded as never),
      ['a', 'b'],
    ],
  ])('%s', async (_, send, current) => {
    const { controller, list, titles } = openTodos();
    const request = send(controller);
    expect(titles()).toEqual(current);
    for (const todo of list()) expect(todo).toBeInstanceOf(Todo);
    // No server is there: the optimistic update leaves no trace.
    await expect(request).rejects.toThrow();
    expect(titles()).toEqual(['a']);
  });
});

describe('a form with a repeated field', () => {
  class Tagged extends Entity {
    id = '';
    title = '';
    tags: string[] = [];
    static override key = 'Tagged';
  }
  const notes = new Collection([Tagged]);
  const form = new FormData();
  form.set('title', 'a');
  for (const tag of ['x', 'y', 'z']) form.append('tags', tag);

  /** Two lists by tag. */
  const open = () => {
    const { controller } = openWorld();
    const list = manual('list', notes);
    controller.setResponse(list.endpoint, { tags: 'y' }, []);
    controller.setResponse(list.endpoint, { tags: 'w' }, []);
    const tagsOf = (tags: string) => controller.get(notes, { tags })?.map((note) => note.tags);
    return { controller, tagsOf };
  };

  it('is an array in the optimistic row', () => {
    const { controller } = open();
    const Notes = resource({
      urlPrefix: 'http://localhost:1',
      path: '/notes/:id',
      schema: Tagged,
      optimistic: true,
    });
    controller.setResponse(Notes.getList, []);
    ignore(controller.fetch(Notes.getList.push, form as never));
    expect(controller.getResponse(Notes.getList)).toMatchObject([
      { title: 'a', tags: ['x', 'y', 'z'] },
    ]);
  });

  it('is an array in the row whose create has only its key in the response, which enters the lists of each value', async () => {
    const { controller, tagsOf } = open();
    const create = mutation('create', notes.push);
    ignore(controller.fetch(create.endpoint, form));
    await create.respond({ id: '1' });
    expect(tagsOf('y')).toEqual([['x', 'y', 'z']]);
    expect(tagsOf('w')).toEqual([]);
  });
});

describe('the snapshot of an optimistic update', () => {
  it('reads results, errors and the time, and records', async () => {
    const { controller, clock } = openWorld();
    const get = manual('getItem', Item);
    const broken = manual('getBroken', Item);
    const mistake = new Error('down');
    controller.setResponse(get.endpoint, { id: '1' }, { id: '1', name: 'a' });
    controller.setError(broken.endpoint, { id: '1' }, mistake);
    clock.now += 500;
    const seen: unknown[] = [];
    const edit = mutation('edit', Item, (snapshot, params) => {
      const item = snapshot.getResponse(get.endpoint, params);
      seen.push(item, snapshot.getError(broken.endpoint, params), snapshot.fetchedAt);
      return { id: '1', name: `${item?.name}!` };
    });
    const before = controller.get(Item, { id: '1' });
    ignore(controller.fetch(edit.endpoint, { id: '1' }));
    expect(seen).toEqual([before, mistake, clock.now]);
    expect(controller.get(Item, { id: '1' })?.name).toBe('a!');
  });

  it('skips the layer when its `abort` is thrown: the request goes on, and nothing is reported', async () => {
    const { controller, reports } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const before = controller.get(Item, { id: '1' });
    const edit = mutation('edit', Item, (snapshot) => {
      throw snapshot.abort;
    });
    const request = controller.fetch(edit.endpoint, { id: '1' });
    expect(controller.get(Item, { id: '1' })).toBe(before);
    await edit.respond({ id: '1', name: 'b' });
    expect((await request).name).toBe('b');
    expect(reports).toEqual([]);
    expect(controller.getError(edit.endpoint, { id: '1' })).toBeUndefined();
  });

  it('shows no keys for records where a circle leads to one that lacks a record it requires', () => {
    class Team extends Entity {
      id = '';
      lead: User = new User();
      talk: Talk | undefined = undefined;
      members: readonly User[] = [];
      static override schema: Record<string, unknown> = { lead: User, members: [User] };
    }
    class Talk extends Entity {
      id = '';
      team: Team | undefined = undefined;
      static override schema = { team: Team };
    }
    Team.schema['talk'] = Talk;
    const { controller } = openWorld();
    const get = manual('getBoth', { teams: [Team], talks: [Talk] });
    const ann = { id: 'ann', name: 'Ann' };
    const team = {
      id: 'a',
      lead: ann,
      talk: { id: 't', team: 'a' },
      members: [ann, { id: 'bea' }],
    };
    controller.setResponse(get.endpoint, {}, { teams: [team], talks: [{ id: 't' }] });
    controller.set(new Invalidate(User), {}, { id: 'ann' });
    const seen: (Team | undefined)[] = [];
    const edit = mutation('edit', Talk, (snapshot) => {
      seen.push(...(snapshot.getResponse(get.endpoint, {})?.talks ?? []).map((talk) => talk.team));
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, { id: 't' }));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.members ?? []).not.toContain('bea');
    expect(seen[0]?.lead ?? new User()).toBeInstanceOf(User);
  });

  it('is taken again when an older response changes a row that it read', async () => {
    const { controller } = openWorld();
    controller.set(User, { id: 'u' }, { name: 'Ann' });
    controller.set(Item, { id: '1' }, { name: '' });
    const poll = manual('getUser', User);
    ignore(controller.fetch(poll.endpoint, { id: 'u' }));
    const sign = mutation('sign', Item, (snapshot) => ({
      id: '1',
      name: `by ${snapshot.get(User, { id: 'u' })?.name}`,
    }));
    ignore(controller.fetch(sign.endpoint, {}));
    expect(controller.get(Item, { id: '1' })?.name).toBe('by Ann');
    await poll.respond({ id: 'u', name: 'Anna' });
    expect(controller.get(Item, { id: '1' })?.name).toBe('by Anna');
  });
});

describe('an optimistic update that throws', () => {
  it.each<[string, unknown]>([
    ['an Error', new Error('mine')],
    ['a text', 'mine'],
    ['an object without a prototype', Object.assign(Object.create(null), { mine: true })],
  ])(
    '%s is reported, and shows as the error of its endpoint; the request goes on, and no data is touched',
    async (_, thrown) => {
      const { controller, reports } = openWorld();
      controller.set(Item, { id: '1' }, { name: 'a' });
      const before = controller.get(Item, { id: '1' });
      const edit = mutation('edit', Item, () => {
        throw thrown;
      });
      const request = controller.fetch(edit.endpoint, { id: '1' });
      expect(controller.getError(edit.endpoint, { id: '1' })).toBeInstanceOf(Error);
      expect(controller.get(Item, { id: '1' })).toBe(before);
      expect(reports).toEqual([
        expect.objectContaining({ code: 'callback-failed', cause: thrown }),
      ]);
      await edit.respond({ id: '1', name: 'b' });
      expect((await request).name).toBe('b');
    },
  );
});

describe('an optimistic update without a key', () => {
  it.each(['push', 'unshift', 'remove', 'move'] as const)(
    'is a new record in `%s` where that creates one, else an error',
    async (action) => {
      const { controller } = openWorld();
      const items = new Collection([Item]);
      controller.set(items, {}, [{ id: '1' }]);
      const edit = mutation(action, items[action], () => ({ name: 'optimistic' }));
      const request = controller.fetch(edit.endpoint, {});
      const creates = action === 'push' || action === 'unshift';
      expect(controller.get(items, {})).toHaveLength(creates ? 2 : 1);
      expect(controller.getError(edit.endpoint, {}) === undefined).toBe(creates);
      await edit.respond({ id: '2', name: 'confirmed' });
      expect((await request).name).toBe('confirmed');
    },
  );
});

describe('a record without a key inside an optimistic update', () => {
  class Line extends Entity {
    id = '';
    qty = 0;
    static override key = 'Line';
  }
  class Order extends Entity {
    id = '';
    note = '';
    lines: Line[] = [];
    extra: Line[] = [];
    first: Line | undefined = undefined;
    static override key = 'Order';
    static override schema = { lines: new Collection([Line]), extra: [Line], first: Line };
  }
  const Orders = resource({
    urlPrefix: 'http://localhost:1',
    path: '/orders/:id',
    schema: Order,
    optimistic: true,
    body: {} as object,
  });

  it('is left out of a created one, until the response has it', async () => {
    const { controller, reports } = openWorld();
    const orders = new Collection([Order]);
    controller.set(orders, {}, []);
    const created = { note: 'new', lines: [{ qty: 2 }], extra: [{ qty: 3 }], first: { qty: 4 } };
    const create = mutation('create', orders.push, () => created);
    const request = controller.fetch(create.endpoint, created);
    expect(controller.get(orders, {})).toMatchObject([
      { note: 'new', lines: [], extra: [], first: undefined },
    ]);
    const line = { id: 'l1', qty: 2 };
    await create.respond({ id: 'o1', note: 'new', lines: [line], extra: [line], first: line });
    expect(await request).toMatchObject({ id: 'o1', lines: [line] });
    expect(controller.get(orders, {})).toMatchObject([
      { id: 'o1', lines: [line], extra: [line], first: line },
    ]);
    expect(reports).toEqual([]);
  });

  it('is left out of a changed one, and the others stay', async () => {
    const { controller, reports } = openWorld();
    const lines = [{ id: 'l1', qty: 1 }];
    controller.set(
      Order,
      { id: 'o1' },
      { id: 'o1', note: 'old', lines, extra: lines, first: lines[0] },
    );
    const more = [...lines, { qty: 2 }];
    const body = { note: 'new', lines: more, extra: more, first: { qty: 5 } };
    const request = controller.fetch(Orders.partialUpdate, { id: 'o1' }, body);
    expect(controller.get(Order, { id: 'o1' })).toMatchObject({
      note: 'new',
      lines,
      extra: lines,
      first: lines[0],
    });
    await expect(request).rejects.toThrow();
    expect(controller.get(Order, { id: 'o1' })?.note).toBe('old');
    expect(reports).toEqual([]);
  });

  it('is an error in a response, in a local write, and where it is all that an optimistic update holds', async () => {
    const { controller } = openWorld();
    const changed = mutation('change', Order);
    const request = controller.fetch(changed.endpoint, {});
    const refused = expect(request).rejects.toMatchObject({ code: 'missing-primary-key' });
    await changed.respond({ id: 'o1', lines: [{ qty: 1 }] });
    await refused;
    expect(() => controller.set(Order, { id: 'o1' }, { id: 'o1', first: { qty: 1 } })).toThrow(
      expect.objectContaining({ code: 'missing-primary-key' }) as Error,
    );
    const optimistic = mutation('optimistic', Order, () => ({ note: 'no key' }));
    ignore(controller.fetch(optimistic.endpoint, {}));
    expect(controller.getError(optimistic.endpoint, {})).toMatchObject({
      code: 'missing-primary-key',
    });
  });
});

describe('a toggle', () => {
  it('that is fired several times alternates, before and after its responses', async () => {
    const { controller } = openWorld();
    const toggle = mutation('toggle', Todo, (snapshot, params) => ({
      ...params,
      done: !snapshot.get(Todo, params)?.done,
    }));
    controller.set(Todo, { id: '1' }, { done: false });
    const done = () => controller.get(Todo, { id: '1' })?.done;
    const seen: (boolean | undefined)[] = [];
    for (let count = 0; count < 3; count += 1) {
      ignore(controller.fetch(toggle.endpoint, { id: '1' }));
      seen.push(done());
    }
    expect(seen).toEqual([true, false, true]);
    for (const [index, response] of [true, false, true].entries()) {
      await toggle.respond({ id: '1', done: response }, index);
      expect(done()).toBe(true);
    }
    ignore(controller.fetch(toggle.endpoint, { id: '1' }));
    expect(done()).toBe(false);
  });
});
