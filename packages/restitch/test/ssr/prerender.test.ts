/**
 * What runs while a framework prerenders a page. Next.js with `cacheComponents` refuses the time and random values there, but
 * below a Suspense boundary: https://nextjs.org/docs/messages/next-prerender-current-time-client
 */
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** What was read, in order. */
const read: string[] = [];
beforeEach(() => {
  vi.resetModules();
  const [now, random] = [Date.now, Math.random];
  vi.spyOn(Date, 'now').mockImplementation(() => (read.push('time'), now()));
  vi.spyOn(Math, 'random').mockImplementation(() => (read.push('random'), random()));
  read.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const load = () =>
  Promise.all([import('restitch'), import('restitch/react'), import('restitch/ssr')]);

async function declared() {
  const [restitch, react, ssr] = await load();
  class User extends restitch.Entity {
    id = '';
    name = '';
    static override key = 'User';
  }
  const Users = restitch.resource({ path: '/users/:id', schema: User, optimistic: true });
  return { User, Users, ...react, ...ssr };
}

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
});
