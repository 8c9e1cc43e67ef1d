/** Changes of stored data while a component that has shown it waits for other data, behind a fallback. */
import { act, cleanup } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, Entity, logout, resource } from 'restitch';
import { useCache, useDLE, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { flush } from '../support/world.js';
import { show, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Member extends Entity {
  id = '';
  name = '';
  teamId: string | null = null;
}
class Team extends Entity {
  id = '';
  title = '';
}

function world() {
  const requests: [path: string, respond: (response: Response) => void][] = [];
  const send = (input: string): Promise<Response> =>
    new Promise((respond) => requests.push([new URL(input).pathname, respond]));
  const shared = { urlPrefix: 'http://x', send };
  const Members = resource({ ...shared, path: '/members/:id', schema: Member });
  const Teams = resource({ ...shared, path: '/teams/:id', schema: Team });
  const controller = new Controller();
  const respond = (path: string, response: Response): Promise<void> =>
    act(async () => {
      for (const [asked, resolve] of requests.splice(0)) {
        if (asked === path) resolve(response.clone());
        else requests.push([asked, resolve]);
      }
      await flush();
    });
  const set = (fields: Partial<Member>): Promise<void> =>
    act(async () => controller.set(Member, { id: '1' }, fields));
  const text = (): string =>
    [...document.querySelectorAll('p')]
      .filter((shown) => shown.style.display !== 'none')
      .map(({ textContent }) => textContent)
      .join();
  return { Members, Teams, controller, respond, set, text, requests };
}
type World = ReturnType<typeof world>;

const readers: Record<string, (app: World) => Member | undefined> = {
  useSuspense: ({ Members }) => useSuspense(Members.get, { id: '1' }),
  useDLE: ({ Members }) => useDLE(Members.get, { id: '1' }).data,
  useCache: ({ Members }) => useCache(Members.get, { id: '1' }),
  useQuery: () => useQuery(Member, { id: '1' }),
};

const pages: Record<string, (app: World, useMember: () => Member | undefined) => () => ReactNode> =
  {
    'in the same component': ({ Teams }, useMember) =>
      function Page() {
        const member = useMember();
        const id = member?.teamId ?? null;
        const team = useSuspense(
          Teams.get,
          ...(id === null ? ([null] as const) : ([{ id }] as const)),
        );
        return (
          <p>
            {member?.name} {team?.title ?? 'no team'}
          </p>
        );
      },
    'in the parent': ({ Teams }, useMember) => {
      const Title = ({ id }: { id: string }) => useSuspense(Teams.get, { id }).title;
      return function Page() {
        const member = useMember();
        const id = member?.teamId ?? null;
        return (
          <p>
            {member?.name} {id === null ? 'no team' : <Title id={id} />}
          </p>
        );
      };
    },
  };

const cases = Object.keys(readers).flatMap((reader) =>
  Object.keys(pages).flatMap((place) => [true, false].map((strict) => ({ reader, place, strict }))),
);

describe.each(cases)('$reader $place, in Strict Mode: $strict', ({ reader, place, strict }) => {
  async function open() {
    const app = world();
    const { controller, Members, respond } = app;
    controller.setResponse(Members.get, { id: '1' }, { id: '1', name: 'Ada', teamId: '1' });
    const Page = pages[place]?.(app, () => readers[reader]?.(app));
    await act(async () => show(Page ? <Page /> : null, { controller, strict }));
    await respond('/teams/1', Response.json({ id: '1', title: 'One' }));
    expect(app.text()).toBe('Ada One');
    return app;
  }

  it('a change that ends the wait shows at once', async () => {
    const { respond, set, text } = await open();
    await set({ teamId: '2' });
    expect(text()).toBe('loading');
    await set({ teamId: null });
    expect(text()).toBe('Ada no team');
    await respond('/teams/2', new Response(null, { status: 404 }));
    await set({ name: 'Eve' });
    expect(text()).toBe('Eve no team');
    cleanup();
  });

  it('a change of what the component waits for is followed', async () => {
    const { respond, set, text } = await open();
    await set({ teamId: '2' });
    await set({ teamId: '3' });
    await respond('/teams/3', Response.json({ id: '3', title: 'Three' }));
    expect(text()).toBe('Ada Three');
    await set({ teamId: '1' });
    expect(text()).toBe('Ada One');
    cleanup();
  });

  it('a sign-out during the wait sends no request', async () => {
    const { controller, set, text, requests } = await open();
    await set({ teamId: '2' });
    requests.length = 0;
    await act(async () => logout(controller));
    expect(requests).toEqual([]);
    if (reader === 'useSuspense') expect(text()).toBe('loading');
    cleanup();
  });
});
