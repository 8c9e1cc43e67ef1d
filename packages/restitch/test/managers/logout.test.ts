import { runInNewContext } from 'node:vm';
import {
  type Action,
  Controller,
  Endpoint,
  Entity,
  logout,
  LogoutManager,
  type LogoutManagerOptions,
  type Manager,
  PollingManager,
} from 'restitch';
import { describe, expect, it, vi } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { collectUnhandled } from '../support/unhandled.js';

const unhandled = collectUnhandled();

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
function screen(options?: LogoutManagerOptions, others: readonly Manager[] = []) {
  const clock = new Clock();
  const managers = [...others, new LogoutManager(options), new PollingManager()];
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
  it('empties the store when a request fails with 401, and rejects for its caller', async () => {
    const { fail, text } = session();
    await fail(401);
    expect(text()).toBeUndefined();
  });

  it('leaves it alone on any other error', async () => {
    const { fail, text } = session();
    await fail(403);
    expect(text()).toBe('secret');
  });

  it('has options for the errors that end a session, and for the reaction', async () => {
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

  it('lets readers on the screen wait, and polls rest, until the application says so', async () => {
    const { clock, controller, server, ask, mount } = screen();
    const asked = ['a', 'b', 'c'].map((name) => ask(name));
    const current = asked.map(mount);
    const polled = ask('polled', false, { pollFrequency: 10_000 });
    controller.subscribe(polled);
    await clock.pass(1_000);
    expect(current.map((show) => show())).toEqual(['a', 'b', 'c']);
    server.isLoggedIn = false;
    await clock.pass(10_000);
    const { requests } = server;
    for (let minute = 0; minute < 60; minute += 1) await clock.pass(60_000);
    expect(current.map((show) => show())).toEqual(['pending', 'pending', 'pending']);
    expect(controller.getError(polled)).toMatchObject({ status: 401 });
    expect(server.requests).toBe(requests);
    server.isLoggedIn = true;
    const [a, b, c] = asked;
    if (a) controller.expireAll(a);
    if (b) await controller.invalidateAll(b);
    if (c) await controller.fetch(c);
    await clock.pass(0);
    expect(current.map((show) => show())).toEqual(['a', 'b', 'c']);
    expect(server.requests).toBe(requests + 3);
    controller.resetEntireStore();
    await clock.pass(10_000);
    expect(controller.getResponse(polled)).toMatch('polled');
    expect(server.requests).toBe(requests + 8);
  });

  it('lets a poll that begins on paused data wait for its readers', async () => {
    const { clock, controller, server, ask, mount } = screen();
    const polled = ask('polled', false, { pollFrequency: 10_000 });
    const show = mount(polled);
    await clock.pass(1_000);
    logout(controller);
    const { requests } = server;
    controller.subscribe(polled);
    await clock.pass(60_000);
    expect([show(), server.requests]).toEqual(['pending', requests]);
    controller.expireAll(polled);
    await clock.pass(1_000);
    expect([show(), server.requests]).toEqual(['polled', requests + 1]);
    await clock.pass(10_000);
    expect(server.requests).toBe(requests + 2);
    controller.unsubscribe(polled);
  });

  it('may let readers ask once more, by a reset of its handler: those refused show the error', async () => {
    const handleLogout = vi.fn(({ resetEntireStore }: Controller) => resetEntireStore());
    const { clock, server, ask, mount } = screen({ handleLogout });
    const current = ['a', 'b', 'c'].map((name) => mount(ask(name)));
    const news = mount(ask('news', true));
    await clock.pass(1_000);
    server.isLoggedIn = false;
    mount(ask('d'));
    for (let second = 0; second < 10; second += 1) await clock.pass(1_000);
    expect(current.map((show) => show())).toEqual(['error', 'error', 'error']);
    expect(news()).toBe('news');
    expect(handleLogout).toHaveBeenCalledTimes(1);
    // Four at first, the one that is refused, and each once more, that one too.
    expect(server.requests).toBe(4 + 1 + 5);
  });

  const { Promise: Foreign } = runInNewContext('({ Promise })') as { Promise: typeof Promise };
  const reset = async ({ resetEntireStore }: Controller): Promise<void> => {
    await settle();
    resetEntireStore();
  };

  it.each<readonly [name: string, handle: (controller: Controller) => Promise<void>]>([
    ['a handler that is async', reset],
    [
      'a promise of another realm',
      (controller) => new Foreign((resolve) => void reset(controller).then(resolve)),
    ],
  ])('waits for %s: its reset is no sign of the next session', async (_, handle) => {
    const handleLogout = vi.fn(handle);
    const { clock, server, ask, mount } = screen({ handleLogout });
    server.isLoggedIn = false;
    for (const name of ['a', 'b', 'c']) mount(ask(name));
    for (let second = 0; second < 10; second += 1) await clock.pass(1_000);
    expect(handleLogout).toHaveBeenCalledTimes(1);
    expect(server.requests).toBe(6);
  });

  it.each<readonly [name: string, fail: (error: Error) => Promise<void>]>([
    [
      'throws',
      (error) => {
        throw error;
      },
    ],
    ['rejects', (error) => Promise.reject(error)],
  ])('reports a handler that %s, and shows the refused reader its error', async (_, fail) => {
    const mistake = new Error('no session to end');
    const handleLogout = vi.fn((controller: Controller) => {
      logout(controller);
      return fail(mistake);
    });
    const { clock, controller, server, ask, mount, login } = screen({ handleLogout });
    server.isLoggedIn = false;
    const current = mount(ask('a'));
    await clock.pass(1_000);
    expect(clock.reported).toEqual([mistake]);
    expect(unhandled).toEqual([]);
    expect(current()).toBe('error');
    await controller.fetch(login);
    mount(ask('b'));
    await clock.pass(1_000);
    expect(handleLogout).toHaveBeenCalledTimes(2);
  });

  it('is reset once for several requests that are refused in one tick', async () => {
    const handleLogout = vi.fn(logout);
    const { clock, controller, server, ask } = screen({ handleLogout });
    server.isLoggedIn = false;
    const asked = Array.from({ length: 40 }, (_, index) => ask(`text${index}`));
    const outcomes = asked.map((endpoint) => controller.fetch(endpoint).catch((e: Error) => e));
    await clock.pass(0);
    expect(handleLogout).toHaveBeenCalledTimes(1);
    const names = (await Promise.all(outcomes)).map((error) => (error as Error).name);
    expect(names).toEqual(['Error', ...Array.from({ length: 39 }, () => 'AbortError')]);
  });

  it.each(['answered', 'refused'])(
    'does not take a request of the last session, %s after its end, for a sign of the next one',
    async (end) => {
      const handleLogout = vi.fn(logout);
      const actions: Action[] = [];
      const log: Manager = {
        middleware: () => (next) => (action) => (actions.push(action), next(action)),
      };
      const { clock, controller, server, ask } = screen({ handleLogout }, [log]);
      const late: { end?: () => void } = {};
      const save = new Endpoint(
        () =>
          new Promise<string>((resolve, reject) => {
            late.end = () => (end === 'answered' ? resolve('') : reject(new StatusError(401)));
          }),
        { name: 'save', sideEffect: true },
      );
      const saved = controller.fetch(save).catch((error: Error) => error.name);
      server.isLoggedIn = false;
      await controller.fetch(ask('a')).catch(() => {});
      late.end?.();
      expect(await saved).toBe('AbortError');
      await clock.pass(0);
      await controller.fetch(ask('b')).catch(() => {});
      expect(handleLogout).toHaveBeenCalledTimes(1);
      expect(actions.filter(({ type }) => type === 'receive')).toEqual([]);
      const failed = actions.filter((action) => action.type === 'fail');
      expect(failed.map(({ endpoint: { name }, aborted }) => [name.slice(0, 1), aborted])).toEqual([
        ['a', undefined],
        ['s', 'reset'],
        ['b', undefined],
      ]);
    },
  );

  it.each(['login', 'request'])(
    'empties the store again after the next session, which a %s shows',
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
