import { act, screen } from '@testing-library/react';
import { Controller, Endpoint, Invalidate } from 'restitch';
import { useCache, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import {
  counter,
  requests,
  show,
  User,
  userEndpoint,
  watchConsole,
} from '../support/reactWorld.js';

watchConsole();

describe('deleting the row that a mounted detail reads', () => {
  it('keeps it on the screen without a request or an error, while lists and lookups drop it', async () => {
    const { getUser, calls, respond } = userEndpoint();
    const server = requests();
    const deleteUser = new Endpoint(server.send, {
      name: 'deleteUser',
      schema: new Invalidate(User),
      sideEffect: true as const,
    });
    const getUsers = new Endpoint(
      async () => [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Bob' },
      ],
      {
        name: 'getUsers',
        schema: [User],
      },
    );
    const details = counter();
    function Detail() {
      details.add();
      return <p>detail: {useSuspense(getUser, { id: '1' }).name}</p>;
    }
    const List = () => (
      <p>
        list:{' '}
        {useSuspense(getUsers)
          .map((user) => user.name)
          .join(', ')}
      </p>
    );
    const Lookup = () => <p>lookup: {useQuery(User, { id: '1' })?.name ?? 'none'}</p>;
    const Cached = () => <p>cached: {useCache(getUser, { id: '1' })?.name ?? 'none'}</p>;
    const controller = new Controller();
    await controller.fetch(getUsers);
    const { rerender } = show(
      <>
        <Detail />
        <List />
        <Lookup />
        <Cached />
      </>,
      { controller, strict: false },
    );
    expect(screen.getByText('detail: Ada')).toBeDefined();
    const [requestsBefore, rendersBefore] = [calls.length, details.count];
    await act(async () => void controller.fetch(deleteUser, { id: '1' }));
    await server.respond({ id: '1' });
    expect(screen.getByText('list: Bob')).toBeDefined();
    expect(screen.getByText('lookup: none')).toBeDefined();
    expect(screen.getByText('cached: none')).toBeDefined();
    expect(screen.getByText('detail: Ada')).toBeDefined();
    expect([calls.length, details.count]).toEqual([requestsBefore, rendersBefore]);

    rerender(<Detail key="later" />);
    expect(screen.getByText('loading')).toBeDefined();
    expect(calls).toHaveLength(requestsBefore + 1);
    await respond({ id: '1', name: 'Ada again' });
    expect(screen.getByText('detail: Ada again')).toBeDefined();
  });
});
