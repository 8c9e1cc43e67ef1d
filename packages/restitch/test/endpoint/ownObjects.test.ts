/** Objects of the program stay its own, whichever step of a request hands them over. */
import { Controller, Endpoint, Entity, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = '';
  settings: { theme: string; tags: string[] } = { theme: '', tags: [] };
  static override key = 'OwnUser';
}

class Processed extends User {
  static override key = 'OwnProcessed';
  static override process(input: object): unknown {
    return { ...input, settings: shared.settings };
  }
}

const shared = { settings: { theme: 'dark', tags: ['a'] } };
const own = () => ({ id: '1', ...structuredClone(shared) });
type Own = ReturnType<typeof own>;

/** Whether a value, and everything in it, can still be written to. */
const isOpen = (value: object): boolean =>
  !Object.isFrozen(value) &&
  Object.values(value).every((part) => typeof part !== 'object' || part === null || isOpen(part));

const path = '/users/1';
const cases: readonly (readonly [string, (value: Own) => object])[] = [
  ['parseResponse', (value) => ({ parseResponse: async () => value })],
  ['process', (value) => ({ process: () => value })],
  [
    'validate',
    (value) => ({
      validate: { '~standard': { version: 1, vendor: 'own', validate: () => ({ value }) } },
    }),
  ],
  ['fetch', (value) => ({ fetch: async () => value })],
];

describe('an object of the program', () => {
  it.each(cases)(
    'that %s returns is neither frozen nor stored by reference',
    async (_, optionsFor) => {
      const value = own();
      const get = new RestEndpoint({
        urlPrefix: server.origin,
        path,
        schema: User,
        ...optionsFor(value),
      });
      const controller = new Controller();
      const user: User = await controller.fetch(get);
      expect(user.settings.theme).toBe('dark');
      expect(isOpen(value)).toBe(true);
      value.settings.theme = 'light';
      value.settings.tags.push('b');
      expect(controller.get(User, { id: '1' })?.settings).toEqual(shared.settings);
    },
  );

  it.each(cases)('that %s returns next to a record stays its own', async (_, optionsFor) => {
    const value = { user: own(), meta: { pages: [1, 2] } };
    const get = new RestEndpoint({
      urlPrefix: server.origin,
      path,
      schema: { user: User },
      ...optionsFor(value as unknown as Own),
    });
    const controller = new Controller();
    await controller.fetch(get);
    controller.getResponse(get);
    expect(isOpen(value)).toBe(true);
    value.meta.pages.push(3);
    expect(controller.getResponse(get)).toMatchObject({ meta: { pages: [1, 2] } });
  });

  it('that a function endpoint returns next to a record stays its own', async () => {
    const value = { user: own(), meta: { pages: [1, 2] } };
    const get = new Endpoint(
      async function getOwn() {
        return value;
      },
      { schema: { user: User } },
    );
    const controller = new Controller();
    await controller.fetch(get);
    expect(isOpen(value)).toBe(true);
    value.meta.pages.push(3);
    expect(controller.getResponse(get)).toMatchObject({ meta: { pages: [1, 2] } });
  });

  it('that `process` of a class puts into a record stays its own', async () => {
    server.respond(() => ({ id: '2' }));
    const get = new RestEndpoint({ urlPrefix: server.origin, path, schema: Processed });
    const controller = new Controller();
    await controller.fetch(get);
    expect(isOpen(shared)).toBe(true);
  });

  it('that a manager responds with stays its own', async () => {
    const value = own();
    const controller = new Controller({
      managers: [
        {
          middleware: () => (next) => (action) =>
            next(action.type === 'fetch' ? { ...action, fetch: async () => value } : action),
        },
      ],
    });
    const get = new RestEndpoint({ urlPrefix: server.origin, path, schema: User });
    await controller.fetch(get);
    expect(isOpen(value)).toBe(true);
  });
});
