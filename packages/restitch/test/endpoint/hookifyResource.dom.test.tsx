import { act, cleanup, render, screen } from '@testing-library/react';
import { createContext, StrictMode, useContext } from 'react';
import { Controller, Entity, hookifyResource, resource } from 'restitch';
import { AsyncBoundary, DataProvider, useSuspense } from 'restitch/react';
import { afterEach, expect, test } from 'vitest';

class Todo extends Entity {
  id = '';
  title = '';
}

interface SessionValue {
  readonly token: string;
  readonly user?: string | undefined;
}
const Session = createContext<SessionValue>({ token: '' });

/** A page that reads through the hooks of a resource, and the tokens of the requests that it sends. */
function openPage() {
  const tokens: unknown[] = [];
  const Todos = resource({
    path: '/todos/:id',
    schema: Todo,
    fetchResponse: async (_: RequestInfo, { headers }: RequestInit) => {
      tokens.push(new Headers(headers).get('authorization'));
      return Response.json({ id: '1', title: `title ${tokens.length}` });
    },
  }).extend('title', { path: '/title', schema: undefined });
  const { useGet, useTitle } = hookifyResource(Todos, function useInit() {
    const { token, user } = useContext(Session);
    return { headers: { authorization: token }, scope: user };
  });
  const endpoints = new Set<unknown>();
  function Page() {
    const getTodo = useGet();
    endpoints.add(getTodo);
    const { title } = useSuspense(getTodo, { id: '1' });
    const { title: other } = useSuspense(useTitle());
    return <p>{`${title}, ${other}`}</p>;
  }
  const controller = new Controller();
  const pageFor = (session: SessionValue) => (
    <StrictMode>
      <DataProvider controller={controller}>
        <Session.Provider value={session}>
          <AsyncBoundary fallback="…">
            <Page />
          </AsyncBoundary>
        </Session.Provider>
      </DataProvider>
    </StrictMode>
  );
  const view = render(pageFor({ token: 'one' }));
  return {
    tokens,
    endpoints,
    refetch: () => act(() => controller.invalidateAll(Todos.get)),
    change: (session: SessionValue) => act(async () => view.rerender(pageFor(session))),
  };
}

afterEach(cleanup);

test('a page reads with the token of its context; a new one neither refetches nor suspends', async () => {
  const page = openPage();
  await screen.findByText('title 1, title 2');
  expect(page.tokens).toEqual(['one', 'one']);
  expect(page.endpoints.size).toBe(1);

  await page.change({ token: 'two' });
  expect(screen.getByText('title 1, title 2')).toBeTruthy();
  expect(page.tokens).toEqual(['one', 'one']);

  await page.refetch();
  await screen.findByText('title 3, title 2');
  expect(page.tokens).toEqual(['one', 'one', 'two']);
  expect(page.endpoints.size).toBe(2);
});

test('a new scope fetches again, and going back shows the data of its user', async () => {
  const page = openPage();
  await screen.findByText('title 1, title 2');
  await page.change({ token: 'two', user: 'bob' });
  await screen.findByText(/, title [34]$/);
  const sent = page.tokens.length;
  expect(page.tokens.at(-1)).toBe('two');
  await page.change({ token: 'one' });
  await screen.findByText(/, title 2$/);
  expect(page.tokens).toHaveLength(sent);
});
