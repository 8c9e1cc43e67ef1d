/**
 * What runs while a framework prerenders a page. Next.js with `cacheComponents` refuses the time and random values there, but
 * below a Suspense boundary: https://nextjs.org/docs/messages/next-prerender-current-time-client
 */
import { createElement, type ReactNode } from 'react';
import { renderToReadableStream, renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { load } from '../support/load.js';

/** What was read, in order. */
const read: string[] = [];
beforeEach(() => {
  const [now, random] = [Date.now, Math.random];
  vi.spyOn(Date, 'now').mockImplementation(() => (read.push('time'), now()));
  vi.spyOn(Math, 'random').mockImplementation(() => (read.push('random'), random()));
  read.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function declared() {
  const [restitch, react, ssr] = await Promise.all([
    load(),
    import('restitch/react'),
    import('restitch/ssr'),
  ]);
  class User extends restitch.Entity {
    id = '';
    name = '';
    static override key = 'User';
  }
  const Users = restitch.resource({ path: '/users/:id', schema: User, optimistic: true });
  const getUser = new restitch.Endpoint(async ({ id }: { id: string }) => ({ id, name: 'Ada' }), {
    name: 'getUser',
    schema: User,
  });
  return { User, Users, getUser, ...react, ...ssr };
}

type Declared = Awaited<ReturnType<typeof declared>>;

describe('neither the time nor a random value is read', () => {
  it('by modules, declarations and a controller', async () => {
    const { hydrateController, stateSource } = await declared();
    stateSource(hydrateController());
    expect(read).toEqual([]);
  });

  it('by a component whose hooks send nothing', async () => {
    const { User, Users, hydrateController, ...react } = await declared();
    const controller = hydrateController();
    const one = { id: '1' };
    function Shell(): ReactNode {
      react.useController();
      react.useCancelling(Users.get);
      react.useError(Users.get, one);
      react.useIsFetching();
      react.useLoading(async () => {});
      react.useSubscription(Users.get, one);
      react.useSuspense(Users.getList, null);
      react.useDebounce('a', 100);
      const known = react.useCache(Users.get, one) ?? react.useQuery(User, one);
      return createElement(
        'p',
        null,
        String(known?.name),
        String(react.useDLE(Users.get, one).loading),
      );
    }
    const page = createElement(react.DataProvider, { controller }, createElement(Shell));
    expect(renderToString(page)).toMatch(/undefined.*true/);
    expect(read).toEqual([]);
  });

  it.each<[string, (world: Declared) => ReturnType<Declared['hydrateController']>]>([
    ['a request', ({ hydrateController }) => hydrateController()],
    [
      'a stored response',
      ({ getUser, hydrateController }) => {
        const controller = hydrateController();
        controller.setResponse(getUser, { id: '1' }, { id: '1', name: 'Ada' });
        return controller;
      },
    ],
    [
      'state from elsewhere',
      ({ getUser, hydrate, dehydrate, hydrateController }) => {
        const [other, controller] = [hydrateController(), hydrateController()];
        other.setResponse(getUser, { id: '1' }, { id: '1', name: 'Ada' });
        hydrate(controller, dehydrate(other));
        return controller;
      },
    ],
  ])('by %s that a component waits for, and by the script of the state', async (_, open) => {
    const world = await declared();
    const controller = open(world);
    const next = world.stateSource(controller);
    const names: unknown[] = [];
    function Name(): ReactNode {
      world.useSuspense(world.getUser, { id: '1' });
      const { data } = world.useDLE(world.getUser, { id: '1' });
      names.push(data?.name);
      return createElement('script', { dangerouslySetInnerHTML: { __html: next() } }, null);
    }
    const page = createElement(world.DataProvider, { controller }, createElement(Name));
    const html = await new Response(await renderToReadableStream(page)).text();
    expect(names.at(-1)).toBe('Ada');
    expect(html).toContain('Ada');
    expect(read).toEqual([]);
  });

  it('although the clock of a page runs as the others do, from the same time', async () => {
    const { hydrateController } = await declared();
    const { environment } = hydrateController();
    expect(Math.abs(environment.now() - Date.now())).toBeLessThan(10_000);
    const from = environment.now();
    await expect.poll(() => environment.now() > from).toBe(true);
    const now = () => 5;
    expect(hydrateController({ environment: { now } }).environment.now()).toBe(5);
  });
});
