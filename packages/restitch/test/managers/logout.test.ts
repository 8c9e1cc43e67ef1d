import {
  Controller,
  Endpoint,
  Entity,
  LogoutManager,
  type LogoutManagerOptions,
  PollingManager,
} from 'restitch';
import { describe, expect, it, vi } from 'vitest';
import { Clock, settle } from '../support/clock.js';

let names = 0;

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** A controller that holds one text, and an endpoint that fails with a status. */
// The return type is what the class infers from its options; naming it would repeat them.
function session(options?: LogoutManagerOptions) {
  const controller = new Controller({ managers: [new LogoutManager(options)] });
  const getText = new Endpoint(async () => 'secret', { name: `getSecret${(names += 1)}` });
  const save = new Endpoint(
    async (status: number) => {
      throw new StatusError(status);
    },
    { name: 'save', sideEffect: true },
  );
  controller.setResponse(getText, 'secret');
  const fail = (status: number): Promise<void> =>
    expect(controller.fetch(save, status)).rejects.toThrow(`status ${status}`);
  return { controller, fail, text: () => controller.getResponse(getText) };
}

/** A server with a session or without, and readers that ask again whenever they are told to. */
function screen() {
  const clock = new Clock();
  const managers = [new LogoutManager(), new PollingManager()];
  const controller = new Controller({ managers, environment: clock.environment });
  const server = { isLoggedIn: true, requests: 0 };
  const ask = (name: string, isPublic = false, options: object = {}) =>
    new Endpoint(
      async (): Promise<string> => {
        server.requests += 1;
        await settle();
        if (!isPublic && !server.isLoggedIn) throw new StatusError(401);
        return name;
      },
      { name: `${name}${(names += 1)}`, ...options },
    );
  const mount = (endpoint: ReturnType<typeof ask>): (() => string) => {
    const view = controller.observe(endpoint);
    const load = (mounted: boolean): void => {
      if (view.needsLoad(mounted)) void view.load();
    };
    view.subscribe(() => load(true));
    load(false);
    return () => {
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data : snapshot.status;
    };
  };
  const login = ask('login', true, { sideEffect: true });
  return { clock, controller, server, ask, mount, login };
}

describe('LogoutManager', () => {
  it('empties the store when a request fails with 401, whose caller hears of it', async () => {
    const { fail, text } = session();
    await fail(401);
    expect(text()).toBeUndefined();
  });

  it('leaves it alone on any other error', async () => {
    const { fail, text } = session();
    await fail(403);
    expect(text()).toBe('secret');
  });

  it('may be told what ends a session, and what to do then', async () => {
    const handleLogout = vi.fn();
    const { controller, fail, text } = session({
      shouldLogout: ({ status }) => status === 419,
      handleLogout,
    });
    await fail(401);
    expect(handleLogout).not.toHaveBeenCalled();
    await fail(419);
    expect(handleLogout.mock.calls).toEqual([[controller]]);
    expect(text()).toBe('secret');
  });

  it('does not ask for ever where readers stay on the screen: they show the error', async () => {
    const { clock, controller, server, ask, mount } = screen();
    const shown = ['a', 'b', 'c'].map((name) => mount(ask(name)));
    const news = mount(ask('news', true));
    const polled = ask('polled', false, { pollFrequency: 10_000 });
    controller.subscribe(polled);
    await clock.pass(1_000);
    expect(shown.map((show) => show())).toEqual(['a', 'b', 'c']);
    server.isLoggedIn = false;
    for (let second = 0; second < 60; second += 1) await clock.pass(1_000);
    expect(shown.map((show) => show())).toEqual(['error', 'error', 'error']);
    expect(news()).toBe('news');
    expect(controller.getResponse(polled)).toBeUndefined();
    expect(server.requests).toBeLessThan(50);
  });

  it.each(['login', 'request'])(
    'empties the store again after the next session, of which a %s tells',
    async (sign) => {
      const { clock, controller, server, ask, mount, login } = screen();
      const mine = ask('mine');
      const show = mount(mine);
      await clock.pass(0);
      const logOut = async (): Promise<void> => {
        controller.set(User, { id: '1' }, { name: 'ann' });
        server.isLoggedIn = false;
        await controller.fetch(mine).catch(() => {});
        await clock.pass(0);
      };
      await logOut();
      expect([show(), controller.get(User, { id: '1' })]).toEqual(['error', undefined]);
      server.isLoggedIn = true;
      await controller.fetch(sign === 'login' ? login : mine);
      await logOut();
      expect(controller.get(User, { id: '1' })).toBeUndefined();
    },
  );
});
