/** Calls whose arguments name no record, or only a part of its key. */
import {
  Collection,
  Controller,
  Entity,
  Invalidate,
  resource,
  RestEndpoint,
  Values,
} from 'restitch';
import { expect, it } from 'vitest';
import { flush } from '../support/world.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'UnnamedUser';
}

class ById extends Entity {
  id = '';
  title = '';
  static override key = 'UnnamedById';
}

class ByTwo extends ById {
  org = '';
  static override key = 'UnnamedByTwo';
  override pk() {
    return `${this.org}/${this.id}`;
  }
}

class ByRelated extends Entity {
  org = '';
  user = User.fromJS();
  title = '';
  static override key = 'UnnamedByRelated';
  static override schema = { user: User };
  override pk() {
    return `${this.org}/${this.user.id}`;
  }
}

/** The key has an optional part. */
class ByFolder extends ById {
  folder: string | undefined = undefined;
  static override key = 'UnnamedByFolder';
  override pk() {
    return this.folder === undefined ? this.id : `${this.folder}/${this.id}`;
  }
}

class ByInbox extends ById {
  folder = 'inbox';
  static override key = 'UnnamedByInbox';
  override pk() {
    return `${this.folder}/${this.id}`;
  }
}

const CLASSES = {
  ByFolder: [ByFolder, (id: string) => ({ id, folder: 'x' })],
  ByInbox: [ByInbox, (id: string) => ({ id, folder: 'x' })],
  ById: [ById, (id: string) => ({ id })],
  ByTwo: [ByTwo, (id: string) => ({ org: 'o', id })],
  ByRelated: [ByRelated, (id: string) => ({ org: 'o', user: { id, name: 'Ada' } })],
} as const;

type Row = { readonly id: string; readonly title: string };

/** A server of two rows. Each request waits for `respond`, which receives its position. */
function open(name: keyof typeof CLASSES) {
  const [schema, fieldsOf] = CLASSES[name];
  let rows: Row[] = ['1', '2'].map((id) => ({ id, title: 'old' }));
  const requests: { readonly method: string; readonly resolve: (body?: unknown) => void }[] = [];
  const send = (_: string, { method = 'GET' }: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      const found = rows.map(({ id, title }) => ({ ...fieldsOf(id), title }));
      requests.push({
        method,
        resolve: (body: unknown = method === 'GET' ? found : undefined) =>
          resolve(body === undefined ? new Response(null, { status: 204 }) : Response.json(body)),
      });
    });
  const options = { urlPrefix: 'http://x', schema, body: {} as { title: string }, send };
  const Rows = resource({ ...options, path: '/rows/:id' } as never) as any;
  const patchAll = new RestEndpoint({ ...options, path: '/all', method: 'PATCH' } as never) as any;
  const finishAll = patchAll.extend({ path: '/finish', method: 'POST', body: undefined });
  const controller = new Controller() as any;
  const view = controller.observe(Rows.getList);
  view.subscribe(() => void (view.needsLoad(true) && view.load()));
  const respond = async (index: number, body?: unknown): Promise<void> => {
    await flush();
    requests.at(index)?.resolve(body);
    await flush();
  };
  return {
    controller,
    Rows,
    patchAll,
    finishAll,
    requests,
    load: () => void (view.needsLoad(true) && view.load()),
    shown: () => controller.getResponse(Rows.getList)?.map(({ title }: Row) => title),
    change: (id: string | undefined, title: string | undefined) => {
      rows = rows.flatMap((row) =>
        id !== undefined && row.id !== id ? row : title === undefined ? [] : { ...row, title },
      );
    },
    full: (id: string, title: string) => ({ ...fieldsOf(id), title }),
    respond,
    respondToReads: async () => {
      for (let read = 0; read < requests.length; read += 1) {
        if (requests[read]?.method === 'GET') await respond(read);
      }
    },
  };
}

const NAMES = ['ById', 'ByTwo', 'ByRelated', 'ByFolder', 'ByInbox'] as const;

it.each(NAMES.flatMap((name) => [true, false].map((isLoaded) => ({ name, isLoaded }))))(
  'a read in flight does not hide an action on all rows: $name, loaded before: $isLoaded',
  async ({ name, isLoaded }) => {
    const { controller, Rows, finishAll, requests, load, change, shown, respond, ...world } =
      open(name);
    load();
    if (isLoaded) {
      await respond(0);
      controller.expireAll(Rows.getList);
    }
    await flush();
    const read = requests.length - 1;
    change(undefined, 'new');
    const done = controller.fetch(finishAll);
    await respond(-1);
    await done;
    await respond(read);
    await world.respondToReads();
    expect(shown()).toEqual(['new', 'new']);
  },
);

it.each(
  (['ByTwo', 'ByRelated', 'ByFolder', 'ByInbox'] as const).flatMap((name) =>
    (['partialUpdate', 'delete'] as const).map((call) => ({ name, call })),
  ),
)('a read in flight does not hide a $call by a part of the key: $name', async ({ name, call }) => {
  const { controller, Rows, load, change, shown, respond, ...world } = open(name);
  load();
  await flush();
  const [args, left] =
    call === 'delete'
      ? [[{ id: '1' }], ['old']]
      : [
          [{ id: '1' }, { title: 'new' }],
          ['new', 'old'],
        ];
  change('1', call === 'delete' ? undefined : 'new');
  const done = controller.fetch(Rows[call], ...args);
  await respond(-1);
  await done;
  await respond(0);
  await world.respondToReads();
  expect(shown()).toEqual(left);
});

it.each(NAMES)('a message deletes a row by the parameter of its path: %s', async (name) => {
  const { controller, Rows, load, change, shown, respond, ...world } = open(name);
  load();
  await respond(0);
  change('1', undefined);
  controller.setResponse(Rows.delete, { id: '1' }, undefined);
  await world.respondToReads();
  expect(shown()).toEqual(['old']);
});

it('a message about a row that is not stored sends no request', async () => {
  const { controller, Rows, requests, load, respond } = open('ById');
  load();
  await respond(0);
  controller.setResponse(Rows.delete, { id: '9' }, undefined);
  await flush();
  expect(requests).toHaveLength(1);
});

it.each(NAMES)('the older of two updates is answered last: %s', async (name) => {
  const { controller, Rows, load, change, shown, respond, full, ...world } = open(name);
  load();
  await respond(0);
  const first = controller.fetch(Rows.partialUpdate, { id: '1' }, { title: 'first' });
  await flush();
  const second = controller.fetch(Rows.partialUpdate, { id: '1' }, { title: 'second' });
  change('1', 'second');
  await respond(2);
  await second;
  await respond(1, full('1', 'first'));
  await first;
  await world.respondToReads();
  expect(shown()).toEqual(['second', 'old']);
});

it.each(NAMES)('a partial response to an update of some row: %s', async (name) => {
  const { controller, patchAll, load, change, shown, respond, full, ...world } = open(name);
  load();
  await respond(0);
  change('2', 'new');
  const { title: _, ...key } = full('2', 'new');
  const done = controller.fetch(patchAll, { title: 'new' });
  await respond(1, key);
  await done;
  await world.respondToReads();
  expect(shown()).toEqual(['old', 'new']);
});

it.each([
  ['[Row]', (Class: unknown) => [Class]],
  ['{ rows: [Row] }', (Class: unknown) => ({ rows: [Class] })],
  ['{ row: Row, other: Row }', (Class: unknown) => ({ row: Class, other: Class })],
  ['a Collection', (Class: unknown) => new Collection([Class as typeof ById])],
  ['Values', (Class: unknown) => new Values(Class as typeof ById)],
  ['[Invalidate]', (Class: unknown) => [new Invalidate(Class as typeof ById)]],
  ['[move]', (Class: unknown) => [new Collection([Class as typeof ById]).move]],
])('a 204 to a bulk edit with the schema %s', async (_, schemaOf) => {
  const { controller, patchAll, load, change, shown, respond, ...world } = open('ById');
  load();
  await respond(0);
  change('2', 'new');
  const editMany = patchAll.extend({ schema: schemaOf(ById) });
  const done = controller.fetch(editMany, { title: 'new' });
  await respond(1);
  await done;
  await world.respondToReads();
  expect(shown()).toEqual(['old', 'new']);
});

it('a 204 confirms an optimistic bulk edit', async () => {
  const { controller, patchAll, requests, load, change, shown, respond } = open('ById');
  load();
  await respond(0);
  const edit = patchAll.extend({
    schema: [ById],
    getOptimisticResponse: () => [{ id: '2', title: 'new' }],
  });
  change('2', 'new');
  const saved = controller.fetch(edit, { title: 'new' });
  await respond(1);
  await saved;
  expect(shown()).toEqual(['old', 'new']);
  expect(requests).toHaveLength(2);
});

it('a 204 to a create fetches no stored record again', async () => {
  const { controller, Rows, patchAll, requests, respond } = open('ById');
  const detail = controller.observe(Rows.get, { id: '1' });
  detail.subscribe(() => void (detail.needsLoad(true) && detail.load()));
  void detail.load();
  await respond(0, { id: '1', title: 'old' });
  const createMany = patchAll.extend({ schema: [Rows.getList.schema.push], method: 'POST' });
  const done = controller.fetch(createMany, [{ title: 'a' }, { title: 'b' }]);
  await respond(1);
  await done;
  await flush();
  expect(requests).toHaveLength(2);
});

it('a message about a move without the record fetches the lists that it may join', async () => {
  const { controller, Rows, requests, load, respond } = open('ById');
  load();
  await respond(0);
  const other = controller.observe(Rows.getList, { title: 'new' });
  other.subscribe(() => void (other.needsLoad(true) && other.load()));
  void other.load();
  await respond(1, []);
  controller.setResponse(Rows.getList.move, { id: '1' }, { title: 'new' }, undefined);
  await flush();
  expect(requests).toHaveLength(4);
});

it('a 204 to a call that names no record fetches empty lists again', async () => {
  const { controller, Rows, finishAll, requests, load, change, respond, ...world } = open('ById');
  load();
  await respond(0);
  const empty = controller.observe(Rows.getList, { title: 'new' });
  empty.subscribe(() => void (empty.needsLoad(true) && empty.load()));
  void empty.load();
  await respond(1, []);
  change(undefined, 'new');
  const done = controller.fetch(finishAll);
  await respond(2);
  await done;
  await world.respondToReads();
  expect(controller.getResponse(Rows.getList, { title: 'new' })).toHaveLength(2);
  expect(requests).toHaveLength(5);
});

it.each([undefined, { id: '1' }])(
  'a removal whose body names only a part of the key fetches all readers again: %j',
  async (body) => {
    const { controller, Rows, load, change, shown, respond, ...world } = open('ByTwo');
    load();
    await respond(0);
    change('1', '');
    const args = [{ title: 'old' }, { id: '1' }];
    const done = controller.fetch(Rows.getList.remove, ...args);
    await respond(1, body && { ...body, org: 'o' });
    await done;
    await world.respondToReads();
    expect(shown()).toEqual(['', 'old']);
  },
);

it('an update that ends after an action on all rows, which a first read overlaps', async () => {
  const { controller, Rows, finishAll, requests, load, change, shown, respond, full, ...world } =
    open('ById');
  const update = controller.fetch(Rows.partialUpdate, { id: '1' }, { title: 'updated' });
  change('1', 'updated');
  await flush();
  load();
  await flush();
  const action = controller.fetch(finishAll);
  change(undefined, 'finished');
  await respond(2);
  await action;
  await respond(1, [full('1', 'updated'), full('2', 'old')]);
  await respond(0, full('1', 'updated'));
  await update;
  await world.respondToReads();
  expect(shown()).toEqual(['finished', 'finished']);
  expect(requests.length).toBeLessThan(6);
});
