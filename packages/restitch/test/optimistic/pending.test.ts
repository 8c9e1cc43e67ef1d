import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Collection, Controller, Entity, keyOf, pendingOf, resource } from 'restitch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, flush, ignore, Item, manual, mutation, openWorld } from '../support/world.js';
import { Issue, Wire } from '../support/wire.js';

const kinds = (controller: Controller, issue: Issue | undefined): readonly string[] =>
  issue
    ? pendingOf(controller, issue).map(({ kind, fields }) => [kind, ...fields].join(' '))
    : ['no issue'];

describe('pendingOf', () => {
  it('returns each mutation whose optimistic update changes the record', async () => {
    const wire = new Wire();
    const { controller } = wire;
    controller.set(Issue, { id: '1' }, { title: 'a', x: 0, y: 0 });
    controller.set(Issue, { id: '2' }, { title: 'b', x: 0, y: 0 });
    const shownNow = (): readonly string[] => kinds(controller, wire.issue('1'));
    expect(shownNow()).toEqual([]);
    const first = wire.patch('1', { id: '1', x: 1 });
    const second = wire.patch('1', { id: '1', x: 2, title: 'c' });
    expect(shownNow()).toEqual(['change x', 'change x title']);
    expect(kinds(controller, wire.issue('2'))).toEqual([]);
    await second.fail();
    expect(shownNow()).toEqual(['change x']);
    const deletion = wire.patch('1', { id: '1', y: 3 });
    await first.respond({ id: '1', x: 1 });
    expect(shownNow()).toEqual(['change y']);
    await deletion.respond({ id: '1', y: 3 });
    expect(shownNow()).toEqual([]);
  });

  it('finds a record whose response has fields named `pk` and `constructor`', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a', pk: 2, constructor: 'b' } as object);
    const item = controller.get(Item, { id: '1' });
    expect(item && [keyOf(item), pendingOf(controller, item)]).toEqual(['1', []]);
  });

  it('describes the request', () => {
    const { controller, clock } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const rename = mutation('rename', Item, () => ({ id: '1', name: 'b' }));
    clock.now += 5;
    ignore(controller.fetch(rename.endpoint, {}));
    const item = controller.get(Item, { id: '1' });
    const [pending] = item ? pendingOf(controller, item) : [];
    expect(pending).toEqual({
      id: expect.any(String) as string,
      endpoint: 'rename',
      kind: 'change',
      state: 'sending',
      fields: ['name'],
      since: clock.now,
      attempts: 0,
    });
  });

  it('leaves out a mutation without an optimistic update', () => {
    const wire = new Wire();
    wire.controller.set(Issue, { id: '1' }, { title: 'a' });
    void wire.patch('1');
    expect(kinds(wire.controller, wire.issue('1'))).toEqual([]);
  });

  it('is the same array while nothing changes', async () => {
    const wire = new Wire();
    const { controller } = wire;
    controller.set(Issue, { id: '1' }, { title: 'a', x: 0 });
    controller.set(Issue, { id: '2' }, { title: 'b', x: 0 });
    const of = (id: string) => {
      const issue = wire.issue(id);
      if (!issue) throw new Error('no issue');
      return pendingOf(controller, issue);
    };
    expect(of('1')).toBe(of('2'));
    const patch = wire.patch('1', { id: '1', x: 1 });
    const before = of('1');
    controller.set(Issue, { id: '1' }, { title: 'other' });
    expect(of('1')).toBe(before);
    await patch.fail();
    expect(of('1')).toBe(of('2'));
  });

  it('distinguishes a create from a change of the created record, also after it was named', async () => {
    const wire = new Wire();
    const { controller } = wire;
    await wire.pollList().respond([]);
    const create = wire.create({ title: 'new' });
    const issues = () => controller.get(new Collection([Issue], { name: 'issues' }), {}) ?? [];
    expect(kinds(controller, issues()[0])).toEqual(['create title']);
    const key = issues()[0]?.id ?? '';
    const edit = mutation('edit', Issue, () => ({ id: key, x: 1 }));
    ignore(controller.fetch(edit.endpoint, { id: key }));
    expect(kinds(controller, issues()[0])).toEqual(['create title', 'change x']);
    await create.respond({ id: '7', title: 'new' });
    expect(issues()[0]?.id).toBe('7');
    expect(kinds(controller, issues()[0])).toEqual(['change x']);
    await edit.respond({ id: '7', x: 1 });
    expect(kinds(controller, issues()[0])).toEqual([]);
  });

  it('calls a create whose program chose the key a create', () => {
    const wire = new Wire();
    void wire.create({ id: '9', title: 'new' });
    expect(kinds(wire.controller, wire.issue('9'))).toEqual(['create title']);
  });

  it('still reports a deletion to readers that keep the record', async () => {
    const wire = new Wire();
    const { controller } = wire;
    controller.set(Issue, { id: '1' }, { title: 'a' });
    const kept = wire.issue('1');
    const deletion = wire.remove('1', true);
    expect(wire.issue('1')).toBeUndefined();
    expect(kinds(controller, kept)).toEqual(['delete']);
    await deletion.fail();
    expect(kinds(controller, kept)).toEqual([]);
  });

  it('calls a mutation that only takes the record out of a list a list change', async () => {
    const { controller } = openWorld();
    const items = new Collection([Item], { name: 'items of pending' });
    const list = manual('getItems', items);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '1', name: 'a' }]);
    const removal = mutation('remove', items.remove, () => ({ id: '1' }));
    const item = controller.get(Item, { id: '1' });
    ignore(controller.fetch(removal.endpoint, {}));
    expect(controller.get(items, {})).toEqual([]);
    expect(item && pendingOf(controller, item).map(({ kind }) => kind)).toEqual(['list']);
  });

  it('forgets an aborted mutation and everything from before a reset', async () => {
    const wire = new Wire();
    const { controller } = wire;
    controller.set(Issue, { id: '1' }, { title: 'a', x: 0 });
    const aborted = wire.patch('1', { id: '1', x: 1 });
    await aborted.abort();
    expect(kinds(controller, wire.issue('1'))).toEqual([]);
    void wire.patch('1', { id: '1', x: 1 });
    const kept = wire.issue('1');
    controller.resetEntireStore();
    expect(kinds(controller, kept)).toEqual([]);
  });
});

describe('pendingOf over HTTP', () => {
  const held: ServerResponse[] = [];
  const server = createServer((_, response) => {
    held.push(response);
  });
  let urlPrefix = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // `listen` on a port, so the address is not a string.
    urlPrefix = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const next = async (): Promise<ServerResponse> => {
    while (held.length === 0) await flush();
    const response = held.shift();
    if (!response) throw new Error('nothing is held');
    return response;
  };

  const json = (response: ServerResponse, value: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

  function openRooms() {
    class Message extends Entity {
      id = '';
      room = '';
      text = '';
    }
    const Messages = resource({
      urlPrefix,
      path: '/rooms/:room/messages/:id',
      schema: Message,
      optimistic: true,
    });
    const controller = new Controller();
    controller.setResponse(Messages.getList, { room: 'a' }, []);
    const last = () => {
      const message = controller.getResponse(Messages.getList, { room: 'a' })?.at(-1);
      if (!message) throw new Error('no message');
      return message;
    };
    const states = () => pendingOf(controller, last()).map(({ kind, state }) => [kind, state]);
    return { controller, Messages, last, states };
  }

  it('is queued while the create of its record is in flight, then sending', async () => {
    const { controller, Messages, last, states } = openRooms();
    const created = controller.fetch(Messages.getList.push, { room: 'a' }, { text: 'a' });
    const create = await next();
    const record = last();
    const edited = controller.fetch(
      Messages.partialUpdate,
      { room: 'a', id: record.id },
      { text: 'b' },
    );
    expect(states()).toEqual([
      ['create', 'sending'],
      ['change', 'queued'],
    ]);
    json(create, { id: '1', room: 'a', text: 'a' });
    const edit = await next();
    expect(states()).toEqual([['change', 'sending']]);
    json(edit, { id: '1', room: 'a', text: 'b' });
    await Promise.all([created, edited]);
    expect(states()).toEqual([]);
  });

  it('has the fields of the body, not the parameters of the path', async () => {
    const { controller, Messages, last } = openRooms();
    const fields = () => pendingOf(controller, last()).map((pending) => pending.fields);
    const created = controller.fetch(Messages.getList.push, { room: 'a' }, { text: 'a' });
    expect(fields()).toEqual([['text']]);
    json(await next(), { id: '1', room: 'a', text: 'a' });
    await created;
    const params = { room: 'a', id: '1' };
    const edits = [
      controller.fetch(Messages.partialUpdate, params, { text: 'b' }),
      controller.fetch(Messages.partialUpdate, params, { room: 'a', text: 'c' }),
    ];
    expect(fields()).toEqual([['text'], ['room', 'text']]);
    for (const _ of edits) json(await next(), { id: '1' });
    await Promise.all(edits);
  });

  it('is retrying after an attempt that failed, with its error, until the response', async () => {
    const controller = new Controller();
    const Items = resource({
      path: '/items/:id',
      urlPrefix,
      schema: Item,
      optimistic: true,
    });
    const save = Items.partialUpdate.extend({
      retry: { limit: 2, methods: ['PATCH'], backoff: () => 1 },
    });
    controller.set(Item, { id: '1' }, { name: 'a' });
    const saving = controller.fetch(save, { id: '1' }, { name: 'b' });
    const pending = () => {
      const item = controller.get(Item, { id: '1' });
      return item && pendingOf(controller, item)[0];
    };
    (await next()).writeHead(503).end();
    const second = await next();
    expect(pending()).toMatchObject({ state: 'retrying', attempts: 1, error: { status: 503 } });
    second.writeHead(200, { 'content-type': 'application/json' });
    second.end(JSON.stringify({ id: '1', name: 'b' }));
    await saving;
    expect(pending()).toBeUndefined();
  });
});

describe('keyOf', () => {
  const issuesIn = (wire: Wire) => wire.controller.observeQuery(all, {});
  const all = new Collection([Issue], { name: 'issues' });

  it('is the primary key of a record that was not created here', async () => {
    const wire = new Wire();
    await wire.pollList().respond([{ id: 7, title: 'a' }]);
    expect(wire.controller.get(all, {})?.map(keyOf)).toEqual(['7']);
    expect(keyOf(Item.fromJS({ id: 'x' }))).toBe('x');
  });

  it('keeps the first key of a created record after the server named it', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const view = issuesIn(wire);
    view.subscribe(() => {});
    const create = wire.create({ title: 'new' });
    const [created] = dataOf(view) ?? [];
    const key = created && keyOf(created);
    await create.respond({ id: '7', title: 'new' });
    const [named] = dataOf(view) ?? [];
    expect(named?.id).toBe('7');
    expect(named && keyOf(named)).toBe(key);
    // Every later instance, too.
    wire.controller.set(Issue, { id: '7' }, { title: 'renamed' });
    expect(dataOf(view)?.map(keyOf)).toEqual([key]);
  });

  it('is the real key where readers saw the record under it first', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const create = wire.create({ title: 'new' });
    await wire.poll('7').respond({ id: '7', title: 'new' });
    const real = wire.issue('7');
    expect(real && keyOf(real)).toBe('7');
    await create.respond({ id: '7', title: 'new' });
    expect(wire.controller.get(all, {})?.map(keyOf)).toEqual(['7']);
  });

  it('is the temporary key where a response brought the record before, but no reader saw it', async () => {
    const wire = new Wire();
    await wire.pollList().respond([]);
    const create = wire.create({ title: 'new' });
    const before = wire.controller.get(all, {})?.map(keyOf);
    await wire.pollList().respond([{ id: '7', title: 'new' }]);
    await create.respond({ id: '7', title: 'new' });
    expect(wire.controller.get(all, {})?.map(({ id }) => id)).toEqual(['7']);
    expect(wire.controller.get(all, {})?.map(keyOf)).toEqual(before);
  });
});
