import { Controller, DevToolsManager, Endpoint, Entity, type DevToolsMessage } from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

const getUser = new Endpoint(async ({ id }: { id: string }) => ({ id, name: 'ann' }), {
  name: 'getUser',
  schema: User,
});

/** What the browser's extension does, with a record of it. */
function openTools() {
  const notified: { action: { type: string }; state: any }[] = [];
  const inits: any[] = [];
  let listener: ((message: DevToolsMessage) => void) | undefined;
  let name = '';
  const extension = {
    connect: (options: { name: string }) => {
      name = options.name;
      return {
        init: (state: unknown) => void inits.push(state),
        send: (action: { type: string }, state: unknown) => void notified.push({ action, state }),
        subscribe: (listen: (message: DevToolsMessage) => void) => {
          listener = listen;
          return () => (listener = undefined);
        },
      };
    },
  };
  return {
    extension,
    notified,
    inits,
    click: (type: string) => listener?.({ type: 'DISPATCH', payload: { type } }),
    isListening: () => listener !== undefined,
    name: () => name,
  };
}

it('shows each action and the state after it', async () => {
  const tools = openTools();
  const managers = [new DevToolsManager({ name: 'shop', extension: tools.extension })];
  const controller = new Controller({ managers });
  await controller.fetch(getUser, { id: '1' });
  controller.set(User, { id: '1' }, { name: 'bob' });
  controller.setError(getUser, { id: '2' }, new Error('no'));
  controller.set(User, { id: '1' }, (user) => ({ name: `${user?.name}!` }));
  expect([tools.name(), tools.inits.length]).toEqual(['shop', 1]);
  expect(tools.notified.map(({ action }) => action.type)).toEqual([
    'fetch getUser [{"id":"1"}]',
    'receive getUser [{"id":"1"}]',
    'set User',
    'setError getUser [{"id":"2"}]',
    'set User',
  ]);
  const last = tools.notified[2];
  expect(last?.state.entities.User[0].fields.name).toBe('bob');
  expect(last?.action).toMatchObject({ args: [{ id: '1' }], value: { name: 'bob' } });
  // The tools copy what they show: nothing in it may be more than plain data.
  expect(() => structuredClone(tools.notified)).not.toThrow();
  controller.dispose();
  expect(tools.isListening()).toBe(false);
});

it('its reset empties the store, its commit begins a new history', async () => {
  const tools = openTools();
  const controller = new Controller({
    managers: [new DevToolsManager({ extension: tools.extension })],
  });
  controller.set(User, { id: '1' }, { name: 'ann' });
  tools.click('COMMIT');
  expect(tools.inits[1].entities.User.length).toBe(1);
  tools.click('RESET');
  expect(tools.inits[2].entities).toEqual({});
  expect(controller.get(User, { id: '1' })).toBeUndefined();
  tools.click('JUMP_TO_STATE');
  await settle();
  expect(tools.inits.length).toBe(3);
});

it('leaves out what is skipped', () => {
  const tools = openTools();
  const skip = ({ type }: { type: string }): boolean => type === 'set';
  const controller = new Controller({
    managers: [new DevToolsManager({ skip, extension: tools.extension })],
  });
  controller.set(User, { id: '1' }, { name: 'ann' });
  controller.expireStale();
  expect(tools.notified.map(({ action }) => action.type)).toEqual(['expireStale']);
});

it('does nothing without the extension', () => {
  const controller = new Controller({ managers: [new DevToolsManager()] });
  controller.set(User, { id: '1' }, { name: 'ann' });
  expect(controller.get(User, { id: '1' })?.name).toBe('ann');
  controller.dispose();
});
