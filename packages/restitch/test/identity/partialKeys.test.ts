/** Arguments that lack a part of the key, although the class has a default for it. */
import {
  Controller,
  Entity,
  Invalidate,
  keyOf,
  pendingOf,
  resource,
  RestEndpoint,
  serial,
  Union,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';
import { flush } from '../support/world.js';

class ByKind extends Entity {
  id = '';
  kind = 'post';
  note = '';
  static override key = 'PartialByKind';
  override pk() {
    return `${this.kind}:${this.id}`;
  }
}

class ByDay extends Entity {
  day = new Date('2026-01-01T00:00:00.000Z');
  id = '';
  note = '';
  static override key = 'PartialByDay';
  static override schema = { day: Date };
  override pk() {
    return `${this.day.toISOString()}:${this.id}`;
  }
}

class ByParent extends Entity {
  id = '';
  parent: string | undefined = undefined;
  note = '';
  static override key = 'PartialByParent';
  override pk() {
    return this.parent === undefined ? this.id : `${this.parent}/${this.id}`;
  }
}

class ByFunction extends Entity {
  id = '';
  type = 'file';
  note = '';
  static override key = 'PartialByFunction';
  override pk() {
    return this.type === 'folder' ? `f${this.id}` : this.id;
  }
}

class ByGetter extends Entity {
  id = '';
  kind = 'post';
  note = '';
  static override key = 'PartialByGetter';
  get place() {
    return `${this.kind}/${this.id}`;
  }
  override pk() {
    return this.place;
  }
}

class Owner extends Entity {
  id = '';
  static override key = 'PartialOwner';
}

class ByOwner extends Entity {
  id = '';
  owner: Owner | null = null;
  note = '';
  static override key = 'PartialByOwner';
  static override schema = { owner: Owner };
  override pk() {
    return `${this.owner?.id ?? 'none'}:${this.id}`;
  }
}

class ByNullableDay extends Entity {
  id = '';
  day: Date | null = null;
  note = '';
  static override key = 'PartialByNullableDay';
  static override schema = { day: Date };
  override pk() {
    return `${this.day?.toISOString() ?? 'none'}:${this.id}`;
  }
}

class ByBoolean extends Entity {
  id = '';
  isOpen = false;
  note = '';
  static override key = 'PartialByBoolean';
  override pk() {
    return this.isOpen ? `open-${this.id}` : this.id;
  }
}

class ByConverter extends Entity {
  id = '';
  cents = 0;
  note = '';
  static override key = 'PartialByConverter';
  static override schema = { cents: (sent: number | string) => Number(sent) / 100 };
  override pk() {
    return `${this.cents}/${this.id}`;
  }
}

class ByOptional extends Entity {
  id = '';
  lang: string | null = null;
  note = '';
  static override key = 'PartialByOptional';
  override pk() {
    return this.lang ? `${this.lang}-${this.id}` : this.id;
  }
}

const CLASSES = {
  ByConverter: [ByConverter, { cents: 500 }],
  ByOptional: [ByOptional, { lang: 'de' }],
  ByGetter: [ByGetter, { kind: 'page' }],
  ByOwner: [ByOwner, { owner: 'a' }],
  ByNullableDay: [ByNullableDay, { day: '2026-02-02T00:00:00.000Z' }],
  ByBoolean: [ByBoolean, { isOpen: true }],
  ByFunction: [ByFunction, { type: 'folder' }],
  ByKind: [ByKind, { kind: 'page' }],
  ByDay: [ByDay, { day: '2026-02-02T00:00:00.000Z' }],
  ByParent: [ByParent, { parent: 'root' }],
} as const;

/** The parts of `posts` that each response must contain. */
const BASES: Partial<Record<keyof typeof CLASSES, object>> = {
  ByDay: { day: '2026-01-01T00:00:00.000Z' },
  ByConverter: { cents: 100 },
  ByOptional: { lang: null },
};

/** Two lists of one class: the rows of `others` have another value in a part of the key. */
function open(name: keyof typeof CLASSES, optimistic: boolean, count = 2) {
  const [schema, part] = CLASSES[name];
  const base = BASES[name] ?? {};
  const lists: Record<'posts' | 'others', { id: string; note: string }[]> = {
    posts: ['1', '2'].slice(0, count).map((id) => ({ ...base, id, note: 'a post' })),
    others: ['1'].map((id) => ({ ...part, id, note: 'another' })),
  };
  let partial = false;
  const send = async (url: string, { method, body }: RequestInit): Promise<Response> => {
    const [, list, id] = new URL(url).pathname.split('/') as [string, keyof typeof lists, string?];
    const row = lists[list].find((one) => one.id === id);
    if (method === 'DELETE') lists[list] = lists[list].filter((one) => one !== row);
    if (method === 'PATCH') Object.assign(row ?? {}, JSON.parse(body as string));
    const { note: _, ...key } = { ...row };
    return method === 'GET'
      ? Response.json(lists[list])
      : method === 'PATCH' && partial
        ? Response.json(key)
        : new Response(null, { status: 204 });
  };
  const options = { urlPrefix: 'http://x', schema, body: {} as { note: string }, optimistic, send };
  const Posts = resource({ ...options, path: '/posts/:id' } as never) as any;
  const Others = resource({ ...options, path: '/others/:id' } as never) as any;
  const controller = new Controller() as any;
  const load = async (list: object) => {
    const view = controller.observe(list);
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    await view.load();
  };
  const notes = (list: object) =>
    controller.getResponse(list)?.map(({ note }: ByKind) => note) as string[];
  return {
    controller,
    Posts,
    Others,
    open: () => Promise.all([load(Posts.getList), load(Others.getList)]),
    shown: () => [notes(Posts.getList), notes(Others.getList)],
    expected: () => [lists.posts, lists.others].map((rows) => rows.map(({ note }) => note)),
    answerInPart: () => (partial = true),
  };
}

const cases = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).flatMap((name) =>
  [true, false].map((optimistic) => ({ name, optimistic })),
);

describe.each(cases)('$name, optimistic: $optimistic', ({ name, optimistic }) => {
  it.each([1, 2])('a delete removes only the record of its URL, of %s others', async (count) => {
    const { controller, Others, open: load, shown, expected } = open(name, optimistic, count);
    await load();
    const before = expected();
    const done = controller.fetch(Others.delete, { id: '1' });
    expect(shown()).toEqual(before);
    await done;
    await flush();
    expect(shown()).toEqual(expected());
    expect(expected()[1]).toEqual([]);
  });

  it.each([true, false])(
    'an update changes only the record of its URL: partly %s',
    async (part) => {
      const world = open(name, optimistic);
      const { controller, Others, shown, expected } = world;
      if (part) world.answerInPart();
      await world.open();
      await controller.fetch(Others.partialUpdate, { id: '1' }, { note: 'new' });
      await flush();
      expect(shown()).toEqual(expected());
      expect(expected()).toEqual([['a post', 'a post'], ['new']]);
    },
  );

  it('a message deletes only the record of its URL', async () => {
    const { controller, Others, open: load, shown, expected } = open(name, optimistic);
    await load();
    await Others.delete.send('http://x/others/1', { method: 'DELETE' });
    controller.setResponse(Others.delete, { id: '1' }, undefined);
    await flush();
    expect(shown()).toEqual(expected());
  });
});

it('the default counts while all stored records have it', async () => {
  const { controller, Posts } = open('ByKind', false);
  await controller.fetch(Posts.getList);
  expect(await controller.fetch(Posts.delete, { id: '1' })).toMatchObject({ id: '1' });
  expect(controller.getResponse(Posts.getList)).toHaveLength(1);
});

class User extends Entity {
  id = '';
  static override key = 'PartialUser';
}

class Member extends Entity {
  team = '';
  user = User.fromJS();
  role = '';
  static override key = 'PartialMember';
  static override schema = { user: User };
  override pk() {
    return `${this.team}:${this.user.id}`;
  }
}

describe('a key with a related record', () => {
  const requests: string[] = [];
  const responses: (() => void)[] = [];
  const Members = resource({
    urlPrefix: 'http://x',
    path: '/teams/:team/members/:user',
    schema: Member,
    body: {} as { role: string },
    optimistic: true,
    send: async (_: string, { method = 'GET' }: RequestInit) => {
      requests.push(method);
      if (method !== 'GET') await new Promise<void>((resolve) => responses.push(resolve));
      return method === 'GET'
        ? Response.json(['1', '2'].map((id) => ({ team: 'a', user: { id }, role: 'old' })))
        : new Response(null, { status: 204 });
    },
  } as never) as any;

  it('is named by the key of the related record', async () => {
    const controller = new Controller() as any;
    await controller.fetch(Members.getList, { team: 'a' });
    const roles = () =>
      controller.getResponse(Members.getList, { team: 'a' }).map(({ role }: Member) => role);
    const args = { team: 'a', user: '1' };
    const first = controller.fetch(serial(Members.partialUpdate), args, { role: 'new' });
    expect(roles()).toEqual(['new', 'old']);
    const second = controller.fetch(serial(Members.delete), args);
    await flush();
    expect(requests).toEqual(['GET', 'PATCH']);
    responses.shift()?.();
    await first;
    await flush();
    responses.shift()?.();
    await second;
    expect(roles()).toEqual(['old']);
    expect(requests).toEqual(['GET', 'PATCH', 'DELETE']);
  });

  it('is the key of `keyOf` and `pendingOf`, although the related record is not loaded', async () => {
    const controller = new Controller() as any;
    const members = ['5', '6'].map((user) => ({ team: 'a', user, role: 'old' }));
    controller.setResponse(Members.getList, { team: 'a' }, members);
    const list = () => controller.getResponse(Members.getList, { team: 'a' });
    expect(list().map(keyOf)).toEqual(['a:5', 'a:6']);
    const change = controller.fetch(Members.partialUpdate, { team: 'a', user: '6' }, { role: 'x' });
    expect(list().map((row: Member) => pendingOf(controller, row).length)).toEqual([0, 1]);
    await flush();
    responses.splice(0).forEach((respond) => respond());
    await change;
    expect(list().map(({ role }: Member) => role)).toEqual(['old', 'x']);
  });
});

it('creates with the key of a related record are two records', async () => {
  const controller = new Controller() as any;
  const responses: (() => void)[] = [];
  const Members = resource({
    urlPrefix: 'http://x',
    path: '/teams/:team/members/:user',
    schema: Member,
    body: {} as { user: string; role: string },
    optimistic: true,
    send: async (_: string, { method = 'GET', body }: RequestInit) => {
      if (method === 'GET') return Response.json([]);
      const { user, role } = JSON.parse(body as string);
      await new Promise<void>((resolve) => responses.push(resolve));
      return Response.json({ team: 'a', user: { id: user }, role });
    },
  } as never) as any;
  for (const id of ['1', '2']) controller.set(User, { id }, { id });
  await controller.fetch(Members.getList, { team: 'a' });
  const roles = () =>
    controller
      .getResponse(Members.getList, { team: 'a' })
      .map((row: Member) => [row.role, pendingOf(controller, row).length]);
  const created = ['1', '2'].map((user) =>
    controller.fetch(Members.getList.push, { team: 'a' }, { user, role: `role ${user}` }),
  );
  const expected = (pending: number) => ['1', '2'].map((user) => [`role ${user}`, pending]);
  expect(roles()).toEqual(expected(1));
  await flush();
  responses.forEach((respond) => respond());
  await Promise.all(created);
  expect(roles()).toEqual(expected(0));
});

const whole = (Object.keys(CLASSES) as (keyof typeof CLASSES)[])
  .flatMap((name) =>
    ['/items/:id', '/:KEY/items/:id'].flatMap((path) =>
      ['partialUpdate', 'update', 'move'].flatMap((call) =>
        [0, 1].flatMap((index) =>
          [true, false].flatMap((optimistic) =>
            [true, false].map((inUnion) => ({ name, path, call, index, optimistic, inUnion })),
          ),
        ),
      ),
    ),
  )
  // The first row of some classes has no value that the arguments could contain.
  .filter(
    ({ name, index }) => !/Parent|Owner|Nullable|Optional|Converter/.test(name) || index === 1,
  );

it.each(whole)(
  '$name, $path: $call of row $index with its key, optimistic: $optimistic, in a union: $inUnion',
  async (given) => {
    const { name, path, call, index, optimistic, inUnion } = given;
    const [schema, part] = CLASSES[name];
    const [key = ''] = Object.keys(part);
    const base = { ...JSON.parse(JSON.stringify(new schema())), id: '1', note: 'old' };
    const rows: Record<string, unknown>[] = [base, { ...base, ...part }];
    const respond: (() => void)[] = [];
    let reads = 0;
    const options = {
      urlPrefix: 'http://x',
      schema: inUnion ? new Union({ own: schema, other: User }, () => 'own') : schema,
      body: {} as { note: string },
      optimistic,
      send: async (_: string, { method = 'GET' }: RequestInit) => {
        if (method !== 'GET') await new Promise<void>((resolve) => respond.push(resolve));
        reads += method === 'GET' ? 1 : 0;
        return method === 'GET' ? Response.json(rows) : new Response(null, { status: 204 });
      },
    };
    const Items = resource({ ...options, path: path.replace('KEY', key) } as never) as any;
    const all = Items.getList.extend({ path: '/all' });
    const controller = new Controller() as any;
    const view = controller.observe(all);
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    await view.load();
    const notes = () => controller.getResponse(all).map(({ note }: ByKind) => note);
    const expected = ['old', 'old'].with(index, 'new');
    const endpoint = call === 'move' ? Items.getList.move : Items[call];
    const args = { id: '1', [key]: rows[index]?.[key] };
    const changed = controller.fetch(endpoint, args, { note: 'new' });
    if (optimistic) expect(notes()).toEqual(expected);
    await flush();
    respond.forEach((run) => run());
    await changed;
    await flush();
    expect(notes()).toEqual(expected);
    // The record is known, so nothing has to be loaded again.
    expect(reads).toBe(1);
  },
);

it('an optimistic update of a record that is not stored changes no other record', async () => {
  const controller = new Controller() as any;
  const Docs = resource({
    urlPrefix: 'http://x',
    path: '/docs/:kind/:id',
    schema: ByKind,
    body: {} as { note: string },
    optimistic: true,
    send: async (_: string, { method = 'GET' }: RequestInit) =>
      method === 'GET'
        ? Response.json([{ id: '1', kind: 'post', note: 'old' }])
        : new Response(null, { status: 204 }),
  } as never) as any;
  await controller.fetch(Docs.getList, { kind: 'post' });
  for (const call of [Docs.partialUpdate, Docs.update]) {
    const changed = controller.fetch(call, { kind: 'page', id: '1' }, { note: 'new' });
    expect(controller.get(ByKind, { kind: 'post', id: '1' })?.note).toBe('old');
    await changed;
    expect(controller.get(ByKind, { kind: 'post', id: '1' })?.note).toBe('old');
  }
});

it('an edit that waits for a create is sent with the field, not with the computed key', async () => {
  const controller = new Controller() as any;
  const requests: string[] = [];
  let respond: (() => void) | undefined;
  const Items = resource({
    urlPrefix: 'http://x',
    path: '/:type/:id',
    schema: ByFunction,
    body: {} as { note: string },
    optimistic: true,
    send: async (url: string, { method = 'GET' }: RequestInit) => {
      requests.push(`${method} ${new URL(url).pathname}`);
      if (method === 'POST') await new Promise<void>((resolve) => (respond = resolve));
      return method === 'GET'
        ? Response.json([])
        : method === 'POST'
          ? Response.json({ id: '6', type: 'folder', note: 'new' })
          : new Response(null, { status: 204 });
    },
  } as never) as any;
  await controller.fetch(Items.getList, { type: 'folder' });
  const row = () => controller.getResponse(Items.getList, { type: 'folder' })[0] as ByFunction;
  const created = controller.fetch(Items.getList.push, { type: 'folder' }, { note: 'new' });
  const { id } = row();
  const edited = controller.fetch(Items.partialUpdate, { type: 'folder', id }, { note: 'edited' });
  await flush();
  respond?.();
  await created;
  await edited;
  expect(requests.at(-1)).toBe('PATCH /folder/6');
  expect(row().note).toBe('edited');
});

it('a related record can name a record only under a condition', () => {
  class Entry extends Entity {
    id = '';
    kind = '';
    user = User.fromJS();
    static override schema = { user: User };
    override pk() {
      return this.kind === 'member' ? `member-${this.user.id}` : this.id;
    }
  }
  const entries = ['1', '2'].map((user) => ({ id: 'x', kind: 'member', user }));
  const controller = new Controller();
  controller.set([Entry], {}, entries);
  expect(controller.get(Entry, { kind: 'member', user: '2' } as never)).toBeDefined();
  expect(controller.get(Entry, { id: 'x' })).toBeUndefined();
});

class Numbered extends Entity {
  id = 0;
  static override key = 'PartialNumbered';
}

const COMPUTED = {
  'computes with a number': class extends Entity {
    id = 0;
    part = 0;
    note = '';
    override pk() {
      return this.part * 1000 + this.id;
    }
  },
  'compares a number': class extends Entity {
    id = 0;
    part = 0;
    note = '';
    override pk() {
      return this.part === 20 ? `second-${this.id}` : this.id;
    }
  },
  'compares a number without a default': class extends Entity {
    id = 0;
    part?: number = undefined;
    note = '';
    override pk() {
      return this.part === 20 ? `second-${this.id}` : `${this.id}`;
    }
  },
  'compares a nullable number': class extends Entity {
    id = 0;
    part: number | null = null;
    note = '';
    override pk() {
      return this.part === 20 ? `second-${this.id}` : this.id;
    }
  },
  'compares the number of a related record': class extends Entity {
    id = 0;
    part = Numbered.fromJS();
    note = '';
    static override schema = { part: Numbered };
    override pk() {
      return this.part.id === 20 ? `second-${this.id}` : `${this.part.id}-${this.id}`;
    }
  },
  'compares a boolean': class extends Entity {
    id = 0;
    part = false;
    note = '';
    override pk() {
      return this.part === true ? `second-${this.id}` : this.id;
    }
  },
  'tests a boolean': class extends Entity {
    id = 0;
    part = false;
    note = '';
    override pk() {
      return this.part ? `second-${this.id}` : this.id;
    }
  },
};
const computed = Object.entries(COMPUTED).flatMap(([name, schema]) =>
  [true, false].flatMap((optimistic) =>
    ['partialUpdate', 'delete', 'invalidate', 'predict'].flatMap((call) =>
      [0, 1].map((index) => ({ name, schema, optimistic, call, index })),
    ),
  ),
);

it.each(computed)(
  'a `pk` that $name, with texts as arguments: $call of row $index, optimistic: $optimistic',
  async ({ name, schema, optimistic, call, index }) => {
    const parts = name.includes('boolean') ? [false, true] : [2, 20];
    let rows = parts.map((part) => ({ id: 1, part, note: 'old' }));
    const server = async (url: string, { method = 'GET' }: RequestInit): Promise<Response> => {
      const isNamed = (row: { part: unknown }) => url.includes(`/${String(row.part)}/`);
      if (method === 'DELETE') rows = rows.filter((row) => !isNamed(row));
      if (method === 'PATCH') Object.assign(rows.find(isNamed) ?? {}, { note: 'new' });
      return method === 'GET'
        ? Response.json(rows.filter(isNamed))
        : new Response(null, { status: 204 });
    };
    const Items = resource({
      urlPrefix: 'http://x',
      path: '/:part/items/:id',
      schema,
      optimistic,
      body: {} as { note: string },
      send: server,
    } as never) as any;
    const controller = new Controller() as any;
    const lists = parts.map((part) => {
      const view = controller.observe(Items.getList, { part: String(part) });
      view.subscribe(() => void (view.needsLoad(true) && view.load()));
      return view;
    });
    for (const view of lists) await view.load();
    const args = { part: String(parts[index]), id: '1' };
    const own = { urlPrefix: 'http://x', path: '/:part/items/:id', send: server };
    const invalidate = new RestEndpoint({
      ...own,
      method: 'DELETE',
      schema: new Invalidate(schema),
    } as never) as any;
    const predict = new RestEndpoint({
      ...own,
      method: 'PATCH',
      schema,
      ...(optimistic && {
        getOptimisticResponse: (_: unknown, params: object) => ({ ...params, note: 'new' }),
      }),
    } as never) as any;
    await controller.fetch({ ...Items, invalidate, predict }[call], args, { note: 'new' });
    await flush();
    const notes = lists.flatMap((view) => view.getSnapshot().data.map((row: ByKind) => row.note));
    expect(notes).toEqual(rows.map(({ note }) => note));
    const found = await controller.fetch(Items.get, args).catch(() => undefined);
    expect(String(found?.part?.id ?? found?.part ?? parts[index])).toBe(String(parts[index]));
  },
);

it('a response without a part of the key that the arguments contain does not hide the change', async () => {
  class Country extends Entity {
    id = '';
    code = '';
    static override key = 'PartialCountry';
  }
  class Doc extends Entity {
    id = 0;
    country: Country | null = null;
    note = '';
    static override key = 'PartialDoc';
    static override schema = { country: Country };
    override pk() {
      return this.country ? `${this.country.code}:${this.id}` : `-:${this.id}`;
    }
  }
  const row = { id: 1, country: { id: 'k1', code: 'de' }, note: 'old' };
  const Docs = resource({
    urlPrefix: 'http://x',
    path: '/of/:country/docs/:id',
    schema: Doc,
    body: {} as { note: string },
    send: async (_: string, { method = 'GET' }: RequestInit) => {
      if (method === 'GET') return Response.json([row]);
      row.note = 'new';
      return Response.json({ id: 1, note: 'new' });
    },
  });
  const controller = new Controller();
  const view = controller.observe(Docs.getList, { country: 'k1' });
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  await controller.fetch(Docs.partialUpdate, { country: 'k1', id: 1 }, { note: 'new' });
  await flush();
  expect(readyData(view).map(({ note }) => note)).toEqual(['new']);
});

const unions = ['/items/:id', '/:type/items/:id'].flatMap((path) =>
  ['partialUpdate', 'update', 'move'].flatMap((call) =>
    [0, 1].map((index) => ({ path, call, index })),
  ),
);

it.each(unions)('a union in $path: $call of row $index by its type and `id`', async (given) => {
  const { path, call, index } = given;
  class Link extends Entity {
    id = 0;
    type = 'link';
    note = '';
    static override key = 'PartialLink';
  }
  class Post extends Entity {
    id = 0;
    type = 'post';
    note = '';
    static override key = 'PartialPost';
  }
  const respond: (() => void)[] = [];
  const rows = ['link', 'post'].map((type) => ({ id: 1, type, note: 'old' }));
  const Items = resource({
    urlPrefix: 'http://x',
    path,
    schema: new Union({ link: Link, post: Post }, 'type'),
    optimistic: true,
    body: {} as { note: string },
    send: async (_: string, { method = 'GET' }: RequestInit) => {
      if (method !== 'GET') await new Promise<void>((resolve) => respond.push(resolve));
      return method === 'GET' ? Response.json(rows) : new Response(null, { status: 204 });
    },
  } as never) as any;
  const all = Items.getList.extend({ path: '/all' });
  const controller = new Controller() as any;
  await controller.fetch(all);
  const notes = () => controller.getResponse(all).map(({ note }: ByKind) => note);
  const endpoint = call === 'move' ? Items.getList.move : Items[call];
  const args = { id: 1, type: rows[index]?.type };
  const changed = controller.fetch(endpoint, args, { note: 'new' });
  const expected = ['old', 'old'].with(index, 'new');
  expect(notes()).toEqual(expected);
  await flush();
  respond.forEach((run) => run());
  await changed;
  expect(notes()).toEqual(expected);
});

const further = ['/items/:id', '/:lang/items/:id', '/items/:itemId'].flatMap((path) =>
  ['partialUpdate', 'delete', 'message'].flatMap((call) =>
    [{}, { notify: 'yes' }].flatMap((search) =>
      [true, false].map((optimistic) => ({ path, call, search, optimistic })),
    ),
  ),
);

it.each(further)(
  'other parameters name no record: $call in $path with $search, optimistic: $optimistic',
  async ({ path, call, search, optimistic }) => {
    let rows = ['post', 'page'].map((kind) => ({ id: '1', kind, note: 'old' }));
    const respond: (() => void)[] = [];
    const Items = resource({
      urlPrefix: 'http://x',
      path,
      schema: ByKind,
      optimistic,
      body: {} as { note: string },
      send: async (_: string, { method = 'GET' }: RequestInit) => {
        if (method !== 'GET') await new Promise<void>((resolve) => respond.push(resolve));
        // Only the server knows that the URL names the page.
        if (method === 'PATCH') Object.assign(rows[1] ?? {}, { note: 'new' });
        if (method === 'DELETE') rows = rows.slice(0, 1);
        return method === 'GET' ? Response.json(rows) : new Response(null, { status: 204 });
      },
    } as never) as any;
    const controller = new Controller() as any;
    const scope = path.includes(':lang') ? { lang: 'de' } : {};
    const view = controller.observe(Items.getList, scope);
    view.subscribe(() => void (view.needsLoad(true) && view.load()));
    await view.load();
    const notes = () => view.getSnapshot().data.map(({ kind, note }: ByKind) => `${kind}: ${note}`);
    const before = notes();
    const args = { ...scope, ...search, [path.includes('itemId') ? 'itemId' : 'id']: '1' };
    if (call === 'message') {
      rows = rows.slice(0, 1);
      controller.setResponse(Items.delete, args, undefined);
    } else {
      const done = controller.fetch(Items[call], args, { note: 'new' });
      expect(notes()).toEqual(before);
      await flush();
      respond.forEach((run) => run());
      await done;
    }
    await flush();
    expect(notes()).toEqual(rows.map(({ kind, note }) => `${kind}: ${note}`));
  },
);
