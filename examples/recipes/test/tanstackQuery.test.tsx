// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Controller, Entity, resource } from 'restitch';
import { DataProvider, useQuery as useRow, useSuspense, AsyncBoundary } from 'restitch/react';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { controllerQuery } from '../src/tanstackQuery.js';
import { startServer } from './support/server.js';

class User extends Entity {
  id = '';
  name = '';
  static override readonly key = 'User';
}

afterEach(cleanup);

async function openApplication() {
  const names = new Map([['1', 'Ada']]);
  const server = await startServer(({ method, url, body }) => {
    const id = url.split('/').at(-1) ?? '';
    if (method === 'PATCH') names.set(id, (JSON.parse(body) as { name: string }).name);
    return names.has(id) ? { body: { id, name: names.get(id) } } : { status: 404, body: {} };
  });
  const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });
  const controller = new Controller();
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  onTestFinished(() => queryClient.clear());
  const show = (children: ReactNode) =>
    render(
      <QueryClientProvider client={queryClient}>
        <DataProvider controller={controller}>{children}</DataProvider>
      </QueryClientProvider>,
    );
  return { server, Users, controller, queryClient, names, show };
}
type Application = Awaited<ReturnType<typeof openApplication>>;

function OldScreen({ app, id }: { app: Application; id: string }) {
  const { data, error } = useQuery(controllerQuery(app.controller, app.Users.get, { id }));
  return <p>old: {error ? error.message : (data?.name ?? 'loading')}</p>;
}

function NewRow({ id }: { id: string }) {
  return <p>new: {useRow(User, { id })?.name ?? 'nothing'}</p>;
}

it('fills the normalized cache from a query of the other library', async () => {
  const app = await openApplication();
  app.show(
    <>
      <OldScreen app={app} id="1" />
      <NewRow id="1" />
    </>,
  );
  await screen.findByText('old: Ada');
  await screen.findByText('new: Ada');
  expect(app.controller.get(User, { id: '1' })).toBeInstanceOf(User);
  expect(app.server.seen).toHaveLength(1);
});

it('lets a new screen show what an old one has loaded, without a request', async () => {
  const app = await openApplication();
  const New = () => <p>new: {useSuspense(app.Users.get, { id: '1' }).name}</p>;
  const view = app.show(<OldScreen app={app} id="1" />);
  await screen.findByText('old: Ada');
  view.unmount();
  app.show(
    <AsyncBoundary>
      <New />
    </AsyncBoundary>,
  );
  await screen.findByText('new: Ada');
  expect(app.server.seen).toHaveLength(1);
});

it('updates new readers at once, and old ones when their query is invalidated', async () => {
  const app = await openApplication();
  app.show(
    <>
      <OldScreen app={app} id="1" />
      <NewRow id="1" />
    </>,
  );
  await screen.findByText('old: Ada');
  await act(async () => {
    await app.controller.fetch(app.Users.partialUpdate, { id: '1' }, { name: 'Grace' });
  });
  await screen.findByText('new: Grace');
  const { queryKey } = controllerQuery(app.controller, app.Users.get, { id: '1' });
  await act(() => app.queryClient.invalidateQueries({ queryKey }));
  await screen.findByText('old: Grace');
});

it('hands failures over', async () => {
  const app = await openApplication();
  app.show(<OldScreen app={app} id="9" />);
  await screen.findByText(/^old: .*\/users\/9: 404/);
});
