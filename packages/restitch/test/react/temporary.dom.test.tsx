import { act, screen } from '@testing-library/react';
import { memo, useLayoutEffect, useState } from 'react';
import { Collection, Controller, Endpoint } from 'restitch';
import { useCache, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { counter, requests, show, User, watchConsole } from '../support/reactWorld.js';

watchConsole();

/** A list of users on the screen, and creates and renames that the test responds to. */
function openList(rowKey: (user: User, index: number) => string) {
  const users = new Collection([User]);
  const getUsers = new Endpoint(async (): Promise<unknown> => [{ id: '1', name: 'Ada' }], {
    name: 'getUsers',
    schema: users,
  });
  const creation = requests();
  const create = new Endpoint(creation.send, {
    name: 'create',
    schema: users.push,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  const renames = requests();
  const rename = new Endpoint(renames.send, {
    name: 'rename',
    schema: User,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  const frames: string[] = [];
  const first = counter();
  const First = memo(({ user }: { user: User }) => {
    first.add();
    return <li>{user.name}</li>;
  });
  let mounted = 0;
  function Row({ user }: { user: User }) {
    const [number] = useState(() => (mounted += 1));
    return (
      <li data-testid="created" data-mount={number}>
        {user.name}
      </li>
    );
  }
  function List() {
    const list = useSuspense(getUsers);
    useLayoutEffect(() => {
      frames.push(list.map(({ name }) => name).join(' '));
    });
    return list.map((user, index) =>
      index === 0 ? (
        <First key={rowKey(user, index)} user={user} />
      ) : (
        <Row key={rowKey(user, index)} user={user} />
      ),
    );
  }
  const controller = new Controller();
  return { controller, create, creation, rename, renames, frames, first, List, getUsers };
}

describe('a created row', () => {
  it('keeps its place on the screen: no frame with two of it or none, and nothing else renders', async () => {
    const { controller, create, creation, frames, first, List, getUsers } = openList(
      (_, index) => `${index}`,
    );
    await controller.fetch(getUsers);
    show(<List />, { controller, strict: false });
    await act(async () => void controller.fetch(create, { name: 'Grace' } as never));
    const before = screen.getByTestId('created');
    await creation.respond({ id: '7', name: 'Grace' });
    expect(frames).toEqual(['Ada', 'Ada Grace', 'Ada Grace']);
    expect(first.count).toBe(1);
    // Keyed by its place, it is even the same element; its key changes once.
    expect(screen.getByTestId('created')).toBe(before);
    expect(before.dataset['mount']).toBe('1');
  });

  it('that is edited before its response arrives never shows its old name again', async () => {
    const { controller, create, creation, rename, renames, frames, List, getUsers } = openList(
      ({ id }) => id,
    );
    await controller.fetch(getUsers);
    show(<List />, { controller, strict: false });
    await act(async () => void controller.fetch(create, { name: 'Grace' } as never));
    const id = controller.getResponse(getUsers)?.[1]?.id ?? '';
    await act(async () => void controller.fetch(rename, { id, name: 'Hopper' } as never));
    await creation.respond({ id: '7', name: 'Grace' });
    expect(renames.calls.at(-1)?.args).toEqual([{ id: '7', name: 'Hopper' }]);
    await renames.respond({ id: '7', name: 'Hopper' });
    expect(new Set(frames)).toEqual(new Set(['Ada', 'Ada Grace', 'Ada Hopper']));
    expect(frames.lastIndexOf('Ada Grace')).toBeLessThan(frames.indexOf('Ada Hopper'));
  });

  it('is found by a reader that still asks by its temporary key', async () => {
    const { controller, create, creation, List, getUsers } = openList(({ id }) => id);
    await controller.fetch(getUsers);
    const getUser = new Endpoint(async ({ id }: { id: string }): Promise<unknown> => ({ id }), {
      name: 'getUser',
      schema: User,
    });
    function Detail({ id }: { id: string }) {
      return <p data-testid="detail">{useCache(getUser, { id })?.name ?? 'nobody'}</p>;
    }
    await act(async () => void controller.fetch(create, { name: 'Grace' } as never));
    const id = controller.getResponse(getUsers)?.[1]?.id ?? '';
    show(
      <>
        <List />
        <Detail id={id} />
      </>,
      { controller, strict: false },
    );
    expect(screen.getByTestId('detail').textContent).toBe('Grace');
    await creation.respond({ id: '7', name: 'Grace H' });
    expect(screen.getByTestId('detail').textContent).toBe('Grace H');
  });
});
