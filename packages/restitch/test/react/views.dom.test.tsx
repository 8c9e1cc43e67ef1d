import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Collection, Controller, Endpoint } from 'restitch';
import { AsyncBoundary, DataProvider, useCache, useSuspense } from 'restitch/react';
import { afterEach, expect, it } from 'vitest';
import { Item } from '../support/world.js';

afterEach(cleanup);

const inProvider = (controller: Controller, children: ReactNode): ReactNode => (
  <DataProvider controller={controller}>
    <AsyncBoundary fallback={<p>loading</p>}>{children}</AsyncBoundary>
  </DataProvider>
);

it('the screen shows a write although it was read back inside its batch', async () => {
  const controller = new Controller();
  const getItem = new Endpoint(async (_: { id: string }) => ({ id: '1', name: 'server' }), {
    name: 'getItem',
    schema: Item,
  });
  controller.setResponse(getItem, { id: '1' }, { id: '1', name: 'a' });
  const Show = () => <p>{useCache(getItem, { id: '1' })?.name}</p>;
  render(inProvider(controller, <Show />));
  expect(screen.getByText('a')).toBeTruthy();
  await act(async () => {
    controller.batch(() => {
      controller.set(Item, { id: '1' }, { name: 'b' });
      controller.getResponse(getItem, { id: '1' });
    });
  });
  expect(screen.getByText('b')).toBeTruthy();
});

it('a refetch uses the endpoint of the last render, with its headers', async () => {
  const controller = new Controller();
  const seen: string[] = [];
  const makeGetMe = (token: string) =>
    new Endpoint(
      async (_: { id: string }) => {
        seen.push(token);
        return { id: '1', name: token };
      },
      { key: ({ id }: { id: string }) => `getMe ${id}`, schema: Item },
    );
  const Show = ({ token }: { token: string }) => (
    <p>{useSuspense(makeGetMe(token), { id: '1' }).name}</p>
  );
  const { rerender } = render(inProvider(controller, <Show token="old" />));
  expect(await screen.findByText('old')).toBeTruthy();
  rerender(inProvider(controller, <Show token="new" />));
  await act(() => controller.invalidate(makeGetMe('new'), { id: '1' }));
  expect(await screen.findByText('new')).toBeTruthy();
  expect(seen).toEqual(['old', 'new']);
});

it('an endpoint that is made anew in each render, with its list, is asked once', async () => {
  const controller = new Controller();
  let requests = 0;
  const makeGetList = () =>
    new Endpoint(
      async () => {
        requests += 1;
        // Without an end to it the screen would never come to rest.
        if (requests > 30) await new Promise(() => {});
        return { results: [{ id: '1', name: 'one' }] };
      },
      {
        key: () => 'getList',
        schema: { results: new Collection([Item], { name: 'items' }) },
      },
    );
  const Show = () => <p>{useSuspense(makeGetList()).results[0]?.name}</p>;
  render(inProvider(controller, <Show />));
  expect(await screen.findByText('one')).toBeTruthy();
  await act(async () => {});
  expect(requests).toBe(1);
});
