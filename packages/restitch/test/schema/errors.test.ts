import { describe, expect, it } from 'vitest';
import { load } from '../support/load.js';

type Restitch = typeof import('restitch');

/** The classes of one copy of the library; each refuses something. */
function classesOf({ Entity }: Restitch) {
  class User extends Entity {
    id = '';
    name = '';
    at: Date | undefined = undefined;
    static override key = 'User';
    static override schema = {
      at: (raw: string): Date => {
        if (raw === 'never') throw new RangeError('not a date');
        return new Date(raw);
      },
    };
    static override validate({ name }: Readonly<Record<string, unknown>>): string | undefined {
      if (name === 'explode') throw new Error('validate exploded');
      return name === '' ? 'the name is empty' : undefined;
    }
    static override process(input: unknown): unknown {
      const { name } = Object(input);
      if (name === 'raw') throw new Error('process exploded');
      return name === 'text' ? name : input;
    }
  }
  class Keyed extends Entity {
    code = '';
    static override key = 'Keyed';
    override pk(): string {
      return this.code.trim();
    }
  }
  return { User, Keyed };
}

type Classes = ReturnType<typeof classesOf>;

const wrong: readonly (readonly [
  claim: string,
  code: string,
  schema: (classes: Classes, restitch: Restitch) => unknown,
  response: unknown,
  message: RegExp,
])[] = [
  [
    'without a primary key',
    'missing-primary-key',
    ({ User }) => [User],
    [{ id: '1' }, { name: 'no id' }],
    /User has no primary key.*no id.*pk\(\)/,
  ],
  ['of null as the primary key', 'missing-primary-key', ({ User }) => User, { id: null }, /User/],
  [
    'whose pk throws',
    'missing-primary-key',
    ({ Keyed }) => [Keyed],
    [{ code: 'a' }, { code: {} }],
    /`pk` of Keyed threw on \{"code":\{\}\}.*process/,
  ],
  [
    'that is a number',
    'unexpected-shape',
    ({ User }) => ({ user: User, list: [User] }),
    { user: { id: '1' }, list: [[1]] },
    /`list` should be a record of User, but it is \[1\]/,
  ],
  [
    'that is a text, as a whole response',
    'unexpected-shape',
    ({ User }) => User,
    'hello',
    /should be a record of User, but it is "hello"/,
  ],
  [
    'that is JSON as text',
    'unexpected-shape',
    ({ User }) => [User],
    [{ id: '1' }, '{"id":"2"}'],
    /JSON as text.*content-type/,
  ],
  ...['null', '[sic]', 'the text {}'].map(
    (text) =>
      [
        `that is the text ${text}, which is no JSON of a record`,
        'unexpected-shape',
        ({ User }: Classes) => User,
        text,
        /Check the `schema`/,
      ] as const,
  ),
  [
    'of a list of a union',
    'unexpected-shape',
    ({ User, Keyed }, { Union }) => [new Union({ user: User, keyed: Keyed }, 'type' as never)],
    { id: '1' },
    /an array of User or Keyed, but it is/,
  ],
  [
    'that JSON cannot hold',
    'missing-primary-key',
    ({ User }) => User,
    { size: 5n },
    /User has no primary key: \[object Object\]\./,
  ],
  [
    'that is long',
    'missing-primary-key',
    ({ User }) => User,
    { name: 'x'.repeat(200) },
    /User has no primary key: \{"name":"x{111}…\./,
  ],
  [
    'that should be a list',
    'unexpected-shape',
    ({ User }) => [User],
    { id: '1' },
    /The response should be an array of User, but it is \{"id":"1"\}/,
  ],
  [
    'that should be an object of records',
    'unexpected-shape',
    ({ User }, { Values }) => new Values(User),
    [{ id: '1' }],
    /should be an object of User, but it is \[/,
  ],
  [
    'refused by validate',
    'validation-failed',
    ({ User }) => [User],
    [{ id: '1' }, { id: '2', name: '' }],
    /User '2' was refused by User\.validate: the name is empty .*"id":"2".*process/,
  ],
  [
    'whose validate throws',
    'validation-failed',
    ({ User }) => [User],
    [{ id: '1' }, { id: '2', name: 'explode' }],
    /User\.validate of '2' threw on .*: validate exploded/,
  ],
  [
    'whose process throws',
    'process-failed',
    ({ User }) => [User],
    [{ id: '1' }, { id: '2', name: 'raw' }],
    /User\.process threw on .*"id":"2".*: process exploded/,
  ],
  [
    'whose process gives no object',
    'unexpected-shape',
    ({ User }) => [User],
    [{ id: '1' }, { id: '2', name: 'text' }],
    /should be an object from User\.process, but it is "text"/,
  ],
  [
    'that is created without a key',
    'missing-primary-key',
    ({ User }, { Collection }) => new Collection([User]).push,
    [{ id: '1' }, { name: 'no id' }],
    /User has no primary key.*no id/,
  ],
  [
    'that is deleted without a key',
    'missing-primary-key',
    ({ User }, { Invalidate }) => new Invalidate(User),
    { name: 'no id' },
    /User has no primary key.*no id/,
  ],
  [
    'whose deserializer throws',
    'deserialize-failed',
    ({ User }) => [User],
    [{ id: '1' }, { id: '2', at: 'never' }],
    /deserializer of `at` of User '2' threw on "never": not a date/,
  ],
  [
    'beside a value whose deserializer throws',
    'deserialize-failed',
    ({ User }) => ({ user: User, at: User.schema.at }),
    { user: { id: '1' }, at: 'never' },
    /deserializer of `at` threw on "never": not a date/,
  ],
  [
    'instead of which stands a value whose deserializer throws',
    'deserialize-failed',
    ({ User }) => User.schema.at,
    'never',
    /the deserializer threw on "never": not a date/,
  ],
  [
    'whose schema of one’s own throws',
    'process-failed',
    ({ User }, { CustomSchema }) =>
      new (class Strict extends CustomSchema<unknown, unknown> {
        override normalize(): never {
          throw new Error('normalize exploded');
        }
        denormalize(): unknown {
          return undefined;
        }
      })(User),
    { id: '1' },
    /`normalize` of Strict threw on \{"id":"1"\}: normalize exploded/,
  ],
  [
    'that should stand in an object',
    'unexpected-shape',
    ({ User }) => ({ user: User }),
    [{ id: '1' }],
    /The response should be an object, but it is \[\{"id":"1"\}\]/,
  ],
  [
    'that should stand in an object of an object',
    'unexpected-shape',
    ({ User }) => ({ box: { user: User } }),
    { box: 'user' },
    /`box` should be an object, but it is "user"/,
  ],
  [
    'that should be assigned to a key',
    'unexpected-shape',
    ({ User }, { Collection, Values }) => new Collection(new Values(User)).assign,
    [{ id: '1' }],
    /should be an object of User, but it is \[/,
  ],
  [
    'in a union whose choice throws',
    'unexpected-shape',
    ({ User }, { Union }) => [
      new Union({ user: User }, () => {
        throw new Error('no choice');
      }),
    ],
    [{ id: '1' }],
    /the choice of a union threw on .*: no choice/,
  ],
];

describe.each(wrong)('a record %s', (_, code, schema, response, message) => {
  async function failureIn(mode: 'development' | 'production') {
    const restitch = await load(mode);
    const classes = classesOf(restitch);
    const controller = new restitch.Controller();
    const get = new restitch.Endpoint(async () => response, {
      name: 'getSomething',
      schema: schema(classes, restitch),
    });
    const failure: unknown = await controller.fetch(get).catch((error: unknown) => error);
    if (!(failure instanceof restitch.SchemaError)) throw new Error('no SchemaError');
    return {
      code: failure.code,
      status: failure.status,
      message: failure.message,
      cause: String(failure.cause),
      stored: controller.get(new restitch.All(classes.User)),
      current: controller.getResponse(get),
      error: controller.getError(get) === failure,
    };
  }

  it(`rejects with ${code}, which names the endpoint; nothing is stored; production says it shorter`, async () => {
    const found = await failureIn('development');
    expect(found).toMatchObject({ code, status: 400, error: true });
    expect(found.message).toMatch(/^getSomething: /);
    expect(found.message).toMatch(message);
    expect(found.stored).toBeUndefined();
    expect(found.current).toBeUndefined();
    const short = await failureIn('production');
    expect({ ...short, message: found.message }).toEqual(found);
    expect(short.message).toContain(`${code} getSomething`);
    expect(short.message.length).toBeLessThanOrEqual(found.message.length);
  });
});

describe('an error of one’s own', () => {
  /** Fetches a record whose class throws what the test makes. */
  async function fetchThrowing(make: (restitch: Restitch) => Error) {
    const restitch = await load('production');
    const { Controller, Endpoint, Entity } = restitch;
    const mine = make(restitch);
    class Strict extends Entity {
      id = '';
      static override key = 'Strict';
      static override process(): never {
        throw mine;
      }
    }
    const get = new Endpoint(async () => ({ id: '1' }), { name: 'getStrict', schema: Strict });
    return { mine, request: new Controller().fetch(get) };
  }

  it('is the cause of the one that says where it was thrown', async () => {
    const { mine, request } = await fetchThrowing(() => new Error('mine'));
    await expect(request).rejects.toMatchObject({ cause: mine });
  });

  it('that is a SchemaError is passed on as it is', async () => {
    const { mine, request } = await fetchThrowing(
      ({ SchemaError }) => new SchemaError('validation-failed', 'mine'),
    );
    await expect(request).rejects.toBe(mine);
  });
});
