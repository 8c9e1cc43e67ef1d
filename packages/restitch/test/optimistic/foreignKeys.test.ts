/** Temporary keys that this store did not make: no server knows them, so no request contains them. */
import { coalesced, Controller, Entity, resource, serial } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class Todo extends Entity {
  id = '';
  title = '';
  parent = '';
  static override key = 'TodoOfForeignKeys';
}

class Tag extends Entity {
  id = 0;
  static override key = 'TagOfForeignKeys';
}

let sent: string[] = [];
/** Creates get no response. */
const send = (url: string, { method, signal }: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    sent.push(`${method} ${url.replace('http://x', '')}`);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    if (method !== 'POST') resolve(Response.json({}, { status: 404 }));
  });

beforeEach(() => {
  sent = [];
});

const at = { urlPrefix: 'http://x', optimistic: true, send } as const;
const Todos = resource({ ...at, path: '/todos/:id', schema: Todo });
const Tags = resource({ ...at, path: '/tags/:id', schema: Tag });

/** Returns the temporary key of a record whose create is in flight. */
async function create(controller: Controller): Promise<string> {
  controller.setResponse(Todos.getList, []);
  void controller.fetch(Todos.getList.push, { title: 'new' }).catch(() => {});
  await settle();
  return controller.getResponse(Todos.getList)?.[0]?.id ?? '';
}

/** The key of a create of an earlier page load, then the same create with an `id`. */
const earlier = ['~new-7-1234567890', '~new-my create:0'] as const;

type Use = (controller: Controller, id: string) => Promise<unknown>;
const uses: readonly (readonly [string, Use])[] = [
  ['a change', (controller, id) => controller.fetch(Todos.partialUpdate, { id }, { title: 'a' })],
  ['a delete', (controller, id) => controller.fetch(Todos.delete, { id })],
  ['a read', (controller, id) => controller.fetch(Todos.get, { id })],
  [
    'a body',
    (controller, parent) => controller.fetch(Todos.getList.push, { title: 'child', parent }),
  ],
  [
    'a serial change',
    (controller, id) => controller.fetch(serial(Todos.partialUpdate), { id }, { title: 'a' }),
  ],
  [
    'a coalesced change',
    (controller, id) => controller.fetch(coalesced(Todos.partialUpdate), { id }, { title: 'a' }),
  ],
];

describe.each(uses)('%s with a temporary key', (_, use) => {
  it('from before a reset is refused, and nothing is sent', async () => {
    const controller = new Controller();
    const id = await create(controller);
    controller.resetEntireStore();
    await settle();
    sent = [];
    await expect(use(controller, id)).rejects.toMatchObject({
      code: 'never-created',
      message: expect.stringContaining('Its create was aborted'),
    });
    expect(sent).toEqual([]);
  });

  it('that another controller made is refused, and nothing is sent', async () => {
    const id = await create(new Controller());
    sent = [];
    await expect(use(new Controller(), id)).rejects.toMatchObject({
      code: 'never-created',
      message: expect.stringContaining('before a reset or a reload, or by another controller'),
    });
    expect(sent).toEqual([]);
  });

  it.each(earlier)('from an earlier page load is refused, and nothing is sent: %s', async (id) => {
    await expect(use(new Controller(), id)).rejects.toMatchObject({ code: 'never-created' });
    expect(sent).toEqual([]);
  });
});

it.each(['~new-1-0', '~new', 'a ~new-7-1234567890', '~new-7-1234567890 b'])(
  'a text that only resembles a temporary key is sent: %s',
  async (id) => {
    await expect(new Controller().fetch(Todos.get, { id })).rejects.toMatchObject({ status: 404 });
    expect(sent).toHaveLength(1);
  },
);

it.each([Number.MIN_SAFE_INTEGER, -4_999_999_999_999_999, -(2 ** 52)])(
  'the number %d, which no create makes, is sent',
  async (id) => {
    sent = [];
    await expect(new Controller().fetch(Tags.get, { id })).rejects.toMatchObject({ status: 404 });
    expect(sent).toEqual([`GET /tags/${id}`]);
  },
);
