/** Which record the arguments of a call name, whatever the names of the parameters are. */
import { Controller, Entity, resource, RestEndpoint, serial, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = '';
  name = '';
}

/** The key is the last field that the server sends. */
class ById extends Entity {
  id = '';
  title = '';
}
class ByNumber extends Entity {
  id = 0;
  title = '';
}
class ByOther extends Entity {
  _id = '';
  title = '';
  override pk() {
    return this._id;
  }
}
class ByTwo extends Entity {
  org = '';
  id = '';
  title = '';
  override pk() {
    return `${this.org}/${this.id}`;
  }
}
class ByRelated extends Entity {
  org = '';
  user = User.fromJS();
  title = '';
  static override schema = { user: User };
  override pk() {
    return `${this.org}/${this.user.id}`;
  }
}

class Post extends Entity {
  code = '';
  type = 'post';
  title = '';
  override pk() {
    return this.code;
  }
}
class Poll extends Post {
  override type = 'poll';
}
const typeOf = (key: string) => ({ type: key === '5' ? 'post' : 'poll' });

const CLASSES = {
  Codes: [
    new Union({ post: Post, poll: Poll }, 'type'),
    (key: string) => ({ ...typeOf(key), code: key }),
  ],
  ById: [ById, (key: string) => ({ id: key })],
  ByNumber: [ByNumber, (key: string) => ({ id: Number(key) })],
  ByOther: [ByOther, (key: string) => ({ _id: key })],
  ByTwo: [ByTwo, (key: string) => ({ org: 'o', id: key })],
  ByRelated: [ByRelated, (key: string) => ({ org: 'o', user: { id: key, name: 'Ada' } })],
} as const;

const PATHS = ['/rows/:id', '/rows/:row', '/orgs/:org/rows/:row', '/orgs/:id/rows/:row'] as const;
/** The content of a response to a mutation. An action stores only its response. */
const ANSWERS = ['nothing', 'the key'] as const;
const CALLS = ['partialUpdate', 'update', 'move', 'delete', 'ship', 'patch'] as const;

const cases = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).flatMap((name) =>
  PATHS.flatMap((path) =>
    // In `/orgs/:id/rows`, the parameter `id` filters the rows of a list, and names a row in an
    // endpoint that is not part of a resource.
    CALLS.filter((call) => !/move|patch/.test(call) || path !== '/orgs/:id/rows/:row').flatMap(
      (call) =>
        ANSWERS.filter((answer) => !/delete|ship/.test(call) || answer === 'nothing').flatMap(
          (answer) => [true, false].map((optimistic) => ({ name, path, call, optimistic, answer })),
        ),
    ),
  ),
);

type Given = Omit<(typeof cases)[number], 'call' | 'answer'>;

function open({ name, path, optimistic }: Given, answer: (typeof ANSWERS)[number] = 'nothing') {
  const [schema, fieldsOf] = CLASSES[name];
  let rows = ['5', '6'].map((key) => ({ key, title: 'old' }));
  server.respond(({ method, url, body }, response) => {
    if (method === 'GET') {
      return rows.map(({ key, title }) => ({ ...fieldsOf(key), title }));
    }
    const key = /rows\/(\w+)/.exec(url)?.[1];
    const sent = body === '' ? { title: 'shipped' } : JSON.parse(body);
    rows =
      method === 'DELETE'
        ? rows.filter((row) => row.key !== key)
        : rows.map((row) => (row.key === key ? { ...row, ...sent } : row));
    return answer === 'the key' ? fieldsOf(key ?? '') : void response.writeHead(204).end();
  });
  const options = { urlPrefix: server.origin, path, schema, body: {} as { title: string } };
  const Rows = resource({ ...options, optimistic } as never) as any;
  const ship = Rows.get.extend({ path: `${path}/ship`, method: 'POST', body: undefined, schema });
  const patch = new RestEndpoint({ ...options, method: 'PATCH' } as never);
  const calls = { ...Rows, move: Rows.getList.move, ship, patch };
  const controller = new Controller() as any;
  const parent = path.startsWith('/orgs') ? { [/:(\w+)/.exec(path)?.[1] ?? '']: 'o' } : {};
  const view = controller.observe(Rows.getList, parent);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  const named = { ...parent, [/:(\w+)$/.exec(path)?.[1] ?? '']: '5' };
  const shown = () =>
    controller
      .getResponse(Rows.getList, parent)
      ?.map((row: { pk(): string; title: string }) => `${row.pk()} ${row.title}`.slice(-5));
  const expected = () => rows.map(({ key, title }) => `${key} ${title}`.slice(-5));
  return { controller, calls, view, named, shown, expected, Rows };
}

it.each(cases)(
  'after a response with $answer, the list is right: $name, $path, $call, optimistic: $optimistic',
  async ({ call, answer, ...given }) => {
    const { controller, calls, view, named, shown, expected } = open(given, answer);
    await view.load();
    const args = call === 'delete' || call === 'ship' ? [named] : [named, { title: 'new' }];
    await controller.fetch(calls[call], ...args);
    await expect.poll(shown, { timeout: 700 }).toEqual(expected());
    expect(expected()).not.toEqual(['5 old', '6 old']);
  },
);

describe('the last parameter of a resource names the record', () => {
  it.each(
    (['Codes', 'ById', 'ByNumber', 'ByOther'] as const).flatMap((name) =>
      (['/rows/:row', '/orgs/:org/rows/:row'] as const).map((path) => ({ name, path })),
    ),
  )(
    '$name, $path: without another request, and at once if it is optimistic',
    async ({ name, path }) => {
      const given = { name, path, optimistic: true } as const;
      const { controller, calls, view, named, shown } = open(given);
      await view.load();
      const sent = server.seen.length;
      const changed = controller.fetch(calls.partialUpdate, named, { title: 'new' });
      expect(shown()).toEqual(['5 new', '6 old']);
      await expect(changed).resolves.toMatchObject({ title: 'new' });
      expect(shown()).toEqual(['5 new', '6 old']);
      expect(server.seen.length).toBe(sent + 1);
    },
  );

  it('in a queue by record', async () => {
    const given = { name: 'ByOther', path: '/rows/:row', optimistic: false } as const;
    const { controller, view, named, Rows } = open(given);
    await view.load();
    const sent = server.seen.length;
    const first = controller.fetch(serial(Rows.partialUpdate), named, { title: 'new' });
    const second = controller.fetch(serial(Rows.delete), named);
    await first;
    expect(server.seen.slice(sent).map(({ method }) => method)).toEqual(['PATCH']);
    await second;
  });

  it('not in an endpoint with another class', async () => {
    const { controller, view, named, Rows } = open({
      name: 'ByOther',
      path: '/rows/:row',
      optimistic: false,
    });
    await view.load();
    controller.set(User, { id: '5' }, { name: 'Ada' });
    await controller.fetch(Rows.partialUpdate.extend({ schema: User }), named, { title: 'new' });
    expect(controller.get(User, { id: '5' })).toEqual(User.fromJS({ id: '5', name: 'Ada' }));
  });
});
