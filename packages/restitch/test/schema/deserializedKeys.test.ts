/** A custom `pk` that reads deserialized fields: one record has one key, however it is named. */
import { All, Collection, Controller, Entity, indexBy, keyOf, pendingOf, resource } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { manual, mutation } from '../support/world.js';

class Slot extends Entity {
  room = '';
  day = new Date(0);
  who = '';
  static override key = 'KeyedSlot';
  static override schema = { day: Date };
  static override indexes = indexBy('who');
  override pk() {
    return `${this.room}/${this.day.toISOString()}`;
  }
}

class Timed extends Slot {
  static override key = 'KeyedTimed';
  override pk() {
    return `${this.room}/${+this.day}`;
  }
}

const DAYS = ['2026-01-01', '2026-01-02'] as const;

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});

const sent = () => DAYS.map((day, index) => ({ room: 'a', day, who: `user ${index + 1}` }));

describe.each([
  ['the text of a Date', Slot],
  ['the number of a Date', Timed],
])('a key with %s', (_, Class) => {
  const slots = new Collection([Class]);
  const getList = manual('getSlots', slots);
  const names = () =>
    controller
      .get(new All(Class))
      ?.map(({ day, who }) => `${day.toISOString().slice(0, 10)} ${who}`);

  beforeEach(() => {
    controller.setResponse(getList.endpoint, {}, sent());
  });

  it('distinguishes records', () => {
    expect(names()).toEqual(['2026-01-01 user 1', '2026-01-02 user 2']);
  });

  it.each([
    [
      'the text',
      (slot: Slot) => ({ room: 'a', day: slot.day.toISOString().slice(0, 10) as never }),
    ],
    ['the date', ({ room, day }: Slot) => ({ room, day })],
    ['an equal date', ({ room, day }: Slot) => ({ room, day: new Date(day) })],
    ['the instance', (slot: Slot) => slot],
    ['the key', (slot: Slot) => keyOf(slot) as never],
  ])('names the same record by %s', (__, argsOf) => {
    const slot = controller.get(new All(Class))?.[1];
    if (!slot) throw new Error('nothing stored');
    const args = argsOf(slot) as never;
    expect(controller.get(Class, args)).toBe(slot);
    if (typeof args === 'object') controller.set(Class, args, { who: 'new' } as never);
    if (typeof args === 'object') {
      expect(names()).toEqual(['2026-01-01 user 1', '2026-01-02 new']);
    }
  });

  it('stores a changed instance, and a copy of it, in the same record', () => {
    const [slot] = controller.get(new All(Class)) ?? [];
    if (!slot) throw new Error('nothing stored');
    controller.set(Class, slot as never, { ...slot, who: 'copy' } as never);
    controller.set(
      Class,
      { room: 'a', day: slot.day } as never,
      ((one: Slot) => ({
        ...one,
        who: `${one.who}!`,
      })) as never,
    );
    expect(names()).toEqual(['2026-01-01 copy!', '2026-01-02 user 2']);
  });

  it('finds the record by an index', () => {
    expect(controller.get(Class, { who: 'user 2' } as never)?.day).toEqual(new Date(DAYS[1]));
  });

  it('finds the record after hydration', () => {
    const restored = new Controller();
    hydrate(restored, getState(controller));
    controller = restored;
    controller.setResponse(getList.endpoint, {}, sent());
    expect(names()).toEqual(['2026-01-01 user 1', '2026-01-02 user 2']);
  });

  it('gives a created record its real key', async () => {
    const push = mutation('push', slots.push, (_snapshot, body) => body as unknown);
    const done = controller.fetch(push.endpoint, { room: 'b', day: DAYS[0], who: 'me' });
    expect(names()).toHaveLength(3);
    await push.respond({ room: 'b', day: DAYS[0], who: 'you' });
    await done;
    expect(names()).toEqual(['2026-01-01 user 1', '2026-01-02 user 2', '2026-01-01 you']);
  });

  it.each([undefined, 'no date'])('refuses a record without a valid date: %s', (day) => {
    if (day === undefined && Class === Slot) return;
    expect(() =>
      controller.setResponse(getList.endpoint, {}, [{ room: 'a', day: day ?? NaN, who: '' }]),
    ).toThrow(expect.objectContaining({ code: 'missing-primary-key' }));
  });
});

it('paths, updates and deletes name the stored record', async () => {
  const requests: string[] = [];
  const Slots = resource({
    urlPrefix: 'http://x.test',
    path: '/rooms/:room/slots/:day',
    schema: Timed,
    body: {} as { who: string },
    optimistic: true,
    send: async (url: string, init: RequestInit) => {
      requests.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`);
      return (init.method ?? 'GET') === 'GET'
        ? Response.json(url.endsWith('/slots') ? sent() : sent()[0])
        : new Response(null, { status: 204 });
    },
  });
  const [first] = await controller.fetch(Slots.getList, { room: 'a' });
  const args = { room: 'a', day: DAYS[0] as never };
  expect(controller.getResponse(Slots.get, args) ?? controller.get(Timed, args)).toBe(first);
  await controller.fetch(Slots.partialUpdate, args, { who: 'new' });
  expect(controller.get(new All(Timed))?.map(({ who }) => who)).toEqual(['new', 'user 2']);
  await controller.fetch(Slots.delete, { room: 'a', day: DAYS[1] as never });
  expect(controller.get(new All(Timed))?.map(({ who }) => who)).toEqual(['new']);
});

it('a key of a BigInt, and of an own function, is read in the same way', () => {
  class Account extends Entity {
    number = 0n;
    cents = 0;
    static override schema = { number: BigInt, cents: (raw: number) => raw / 100 };
    override pk() {
      return `${this.number + 1n}/${this.cents}`;
    }
  }
  const list = manual('getAccounts', [Account]);
  const numbers = ['12345678901234567890', '12345678901234567891'];
  controller.setResponse(
    list.endpoint,
    {},
    numbers.map((number) => ({ number, cents: 500 })),
  );
  const [first] = controller.get(new All(Account)) ?? [];
  expect(controller.get(new All(Account))).toHaveLength(2);
  expect(controller.get(Account, { number: numbers[0], cents: 500 } as never)).toBe(first);
  expect(keyOf(first as Account)).toBe('12345678901234567891/5');
});

it('a value that a deserializer refuses keeps its own error', () => {
  class Account extends Entity {
    number = 0n;
    name = '';
    static override schema = { number: BigInt };
    override pk() {
      return this.name;
    }
  }
  const list = manual('getAccounts', [Account]);
  expect(() => controller.setResponse(list.endpoint, {}, [{ number: 'x', name: 'a' }])).toThrow(
    expect.objectContaining({ code: 'deserialize-failed' }),
  );
});

it('refuses a key with the usual text of a Date, and says why', () => {
  class Careless extends Slot {
    static override key = 'CarelessSlot';
    override pk() {
      return `${this.room}/${String(this.day)}`;
    }
  }
  const list = manual('getCareless', [Careless]);
  expect(() => controller.setResponse(list.endpoint, {}, sent())).toThrow(
    expect.objectContaining({
      code: 'missing-primary-key',
      message: expect.stringContaining('toISOString') as string,
    }),
  );
});

it.each([
  ['an object', { id: 1 }, { id: 2 }],
  ['a rounded number', JSON.parse('9007199254740992'), JSON.parse('9007199254740993')],
  ['a larger number', 1e25, 1e25],
])('refuses a combined key with %s', (_, one, two) => {
  class Member extends Entity {
    team = '';
    user: unknown = undefined;
    override pk() {
      return `${this.team}:${String(this.user)}`;
    }
  }
  const list = manual('getMembers', [Member]);
  const members = [one, two].map((user) => ({ team: 'a', user }));
  expect(() => controller.setResponse(list.endpoint, {}, members)).toThrow(
    expect.objectContaining({ code: 'missing-primary-key' }),
  );
});

class Simple extends Entity {
  id = '';
  land: string | undefined;
}
class Citizen extends Entity {
  land = '';
  nick = '';
  override pk() {
    return `${this.land}.${this.nick}`;
  }
}

it.each([
  ['of a class with an own `pk`', Citizen, ['de.a', 'fr.a']],
  ['of a class with the default `pk`', Simple, ['de', 'fr']],
  ['in an object without the other field', Simple, [{ id: 'de' }, { id: 'fr' }]],
] as const)('refuses a key with a missing field of a record: its key %s', (_, owner, owners) => {
  class Doc extends Entity {
    id = '';
    owner: Simple | Citizen = new owner();
    static override schema = { owner };
    override pk() {
      return `${this.owner.land}:${this.id}`;
    }
  }
  const list = manual('getDocs', [Doc]);
  const docs = owners.map((one) => ({ id: '1', owner: one }));
  expect(() => controller.setResponse(list.endpoint, {}, docs)).toThrow(
    expect.objectContaining({ code: 'missing-primary-key' }),
  );
  const args = { id: '1', owner: owners[0] } as object;
  expect(controller.get(Doc, args)).toBeUndefined();
});

it('refuses a key with a missing field of a record that a related record contains', () => {
  class Boss extends Entity {
    id = '';
    team = Citizen.fromJS({});
    static override schema = { team: Citizen };
  }
  class Doc extends Entity {
    id = '';
    boss = Boss.fromJS({});
    static override schema = { boss: Boss };
    override pk() {
      return `${this.boss.team.land}:${this.id}`;
    }
  }
  const docs = ['de.a', 'fr.a'].map((team, id) => ({ id: 1, boss: { id, team } }));
  expect(() => controller.setResponse(manual('getDocs', [Doc]).endpoint, {}, docs)).toThrow(
    expect.objectContaining({ code: 'missing-primary-key' }),
  );
});

it('refuses a key that an unknown field of a related record decides', () => {
  class Doc extends Entity {
    id = '';
    owner = Simple.fromJS({});
    static override schema = { owner: Simple };
    override pk() {
      return this.owner.land === 'de' ? `de-${this.id}` : this.id;
    }
  }
  const docs = ['a', 'b'].map((owner) => ({ id: '1', owner }));
  expect(() => controller.setResponse(manual('getDocs', [Doc]).endpoint, {}, docs)).toThrow(
    expect.objectContaining({ code: 'missing-primary-key' }),
  );
});

it('refuses a key with a missing field that a getter reads', () => {
  class Doc extends Entity {
    id = '';
    kind: string | undefined;
    get place() {
      return [this.id, `${this.kind}`].join('/');
    }
    override pk() {
      return this.place;
    }
  }
  expect(() =>
    controller.setResponse(manual('getDocs', [Doc]).endpoint, {}, [{ id: '1' }]),
  ).toThrow(expect.objectContaining({ code: 'missing-primary-key' }));
});

it.each([
  ['the key of a record', ['undefined.a', 'undefined.b']],
  ['no record', [null, null]],
])('a key can contain the text undefined, with %s', (_, owners) => {
  class Doc extends Entity {
    id = '';
    owner: Citizen | string | null = null;
    static override schema = { owner: Citizen };
    override pk() {
      return typeof this.owner === 'string' ? this.owner : `${this.owner?.land}:${this.id}`;
    }
  }
  const docs = owners.map((owner, id) => ({ id, owner }));
  controller.setResponse(manual('getDocs', [Doc]).endpoint, {}, docs);
  expect(controller.get(new All(Doc))).toHaveLength(2);
});

it('a key can contain the keys of a list of records, sent as keys or as records', () => {
  class Chat extends Entity {
    members: Simple[] = [];
    title = '';
    static override schema = { members: [Simple] };
    override pk() {
      return this.members.map(({ id }) => id).join('+');
    }
  }
  const { endpoint } = manual('getChats', [Chat]);
  const lists = [
    [1, 2],
    [1, 3],
  ] as const;
  const titles = () => controller.get(new All(Chat))?.map(({ title }) => title);
  controller.setResponse(
    endpoint,
    {},
    lists.map((members) => ({ members, title: members.join() })),
  );
  expect(titles()).toEqual(['1,2', '1,3']);
  const records = lists.map((ids) => ({ members: ids.map((id) => ({ id })), title: 'new' }));
  controller.setResponse(endpoint, {}, records);
  expect(titles()).toEqual(['new', 'new']);
  expect(controller.get(Chat, { members: [1, 3] } as never)?.title).toBe('new');
});

it('refuses a key with the texts of several objects', () => {
  class Chat extends Entity {
    members: object[] = [];
    override pk() {
      return this.members.map(String).join('/');
    }
  }
  const chats = [
    [1, 2],
    [1, 3],
  ].map((ids) => ({ members: ids.map((id) => ({ id })) }));
  expect(() => controller.setResponse(manual('getChats', [Chat]).endpoint, {}, chats)).toThrow(
    expect.objectContaining({ code: 'missing-primary-key' }),
  );
});

it.each([
  '[object Object]',
  '9007199254740993',
  '1e+25',
  'NaN',
  'xNaNy',
  'Invalid Date',
  'Mon GMT',
  4503599627370497,
  true,
])('the value %j of a field is part of a key', (text) => {
  class Named extends Entity {
    slug: string | undefined;
    name: unknown = '';
    at = new Date(0);
    static override schema = { at: Date };
    override pk() {
      return `${String(this.name)}/${this.at.toISOString()}`;
    }
  }
  controller.setResponse(manual('getNamed', [Named]).endpoint, {}, [
    { name: text, at: DAYS[0] },
    { name: text, at: DAYS[1] },
  ]);
  expect(controller.get(new All(Named))).toHaveLength(2);
});

class Big extends Entity {
  id = 0n;
  title = '';
  static override key = 'KeyedBig';
  static override schema = { id: BigInt };
}

class OwnBig extends Entity {
  number = 0n;
  title = '';
  static override key = 'KeyedOwnBig';
  static override schema = { number: BigInt };
  override pk() {
    return `${this.number}`;
  }
}

class Strict extends Entity {
  code = '';
  title = '';
  static override key = 'KeyedStrict';
  static override schema = {
    code: (text: string) => {
      if (!/^\d+$/.test(text)) throw new RangeError(`no code: ${text}`);
      return `code ${text}`;
    },
  };
  override pk() {
    return this.code;
  }
}

class Dated extends Entity {
  day = new Date(0);
  title = '';
  static override key = 'KeyedDated';
  static override schema = { day: Date };
  override pk() {
    return this.day.toISOString();
  }
}

const day = '2026-01-01T00:00:00.000Z';

describe.each([
  ['a bigint', Big, { id: '7' }],
  ['a bigint that an own function reads', OwnBig, { number: '7' }],
  ['a text that the deserializer checks', Strict, { code: '7' }],
  ['a date', Dated, { day }],
])('a record whose key is %s', (_, Class, key) => {
  const list = new Collection([Class]);
  const getList = manual('getKeyed', list);

  it('is shown by an optimistic create before its response', async () => {
    const push = mutation('push', list.push, (_snapshot, body) => body as unknown);
    controller.setResponse(getList.endpoint, {}, []);
    const titles = () => controller.getResponse(getList.endpoint, {})?.map(({ title }) => title);
    const created = controller.fetch(push.endpoint, { title: 'new' });
    expect(titles()).toEqual(['new']);
    const [row] = controller.getResponse(getList.endpoint, {}) ?? [];
    if (!row) throw new Error('nothing created');
    expect(pendingOf(controller, row)).toMatchObject([{ kind: 'create' }]);
    await push.respond({ ...key, title: 'saved' });
    expect(pendingOf(controller, row)).toEqual([]);
    await created;
    expect(titles()).toEqual(['saved']);
    expect(controller.get(new All(Class))).toHaveLength(1);
  });

  it('is refused without the key', () => {
    const store = () =>
      controller.setResponse(getList.endpoint, {}, [{ title: 'no key' }] as never);
    expect(store).toThrow(expect.objectContaining({ code: 'missing-primary-key' }));
  });
});
