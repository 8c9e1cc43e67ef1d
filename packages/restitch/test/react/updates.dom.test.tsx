import { act, screen } from '@testing-library/react';
import { memo, useLayoutEffect } from 'react';
import { Controller, Endpoint, Entity } from 'restitch';
import { useCache, useController, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import {
  counter,
  show,
  textEndpoint,
  User,
  userEndpoint,
  watchConsole,
  write,
} from '../support/reactWorld.js';

watchConsole();

const people = (count: number): { id: string; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `user ${index}` }));

describe('a write', () => {
  it(
    'renders exactly one of 5 000 mounted rows when one row changes',
    { tags: 'scale' },
    async () => {
      const getUsers = new Endpoint(async () => people(5_000), {
        name: 'getUsers',
        schema: [User],
      });
      const renders = counter();
      const Row = memo(({ id }: { id: string }) => {
        renders.add();
        return <li>{useQuery(User, { id })?.name}</li>;
      });
      const controller = new Controller();
      await controller.fetch(getUsers);
      show(
        people(5_000).map(({ id }) => <Row key={id} id={id} />),
        { controller, strict: false },
      );
      expect(renders.count).toBe(5_000);
      await write(() => controller.set(User, { id: '500' }, { id: '500', name: 'renamed' }));
      expect(renders.count).toBe(5_001);
      expect(screen.getByText('renamed')).toBeDefined();
    },
  );

  it('renders the list and the one changed row when memoized rows get their user from a list', async () => {
    const getUsers = new Endpoint(async () => people(1000), { name: 'getUsers', schema: [User] });
    const rows = counter();
    const lists = counter();
    const Row = memo(({ user }: { user: User }) => {
      rows.add();
      return <li>{user.name}</li>;
    });
    function List() {
      lists.add();
      return useSuspense(getUsers).map((user) => <Row key={user.id} user={user} />);
    }
    const controller = new Controller();
    await controller.fetch(getUsers);
    show(<List />, { controller, strict: false });
    expect([lists.count, rows.count]).toEqual([1, 1000]);
    await write(() => controller.set(User, { id: '500' }, { id: '500', name: 'renamed' }));
    expect([lists.count, rows.count]).toEqual([2, 1001]);
  });

  it('renders each reader of the row exactly once, from timers, promises and events alike', async () => {
    const renders = { a: counter(), b: counter(), other: counter() };
    const counts = () => [renders.a.count, renders.b.count, renders.other.count];
    function Reader({ name, id }: { name: keyof typeof renders; id: string }) {
      renders[name].add();
      return <p>{useQuery(User, { id })?.name}</p>;
    }
    function Rename() {
      const controller = useController();
      return (
        <button onClick={() => controller.set(User, { id: '1' }, { id: '1', name: 'by event' })}>
          rename
        </button>
      );
    }
    const { controller } = show(
      <>
        <Reader name="a" id="1" />
        <Reader name="b" id="1" />
        <Reader name="other" id="2" />
        <Rename />
      </>,
      { strict: false },
    );
    expect(counts()).toEqual([1, 1, 1]);
    await act(async () => screen.getByText('rename').click());
    expect(screen.getAllByText('by event')).toHaveLength(2);
    expect(counts()).toEqual([2, 2, 1]);
    await act(async () => {
      await Promise.resolve();
      controller.set(User, { id: '1' }, { id: '1', name: 'by promise' });
    });
    expect(screen.getAllByText('by promise')).toHaveLength(2);
    expect(counts()).toEqual([3, 3, 1]);
    await act(
      () =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            controller.set(User, { id: '1' }, { id: '1', name: 'by timer' });
            resolve();
          });
        }),
    );
    expect(screen.getAllByText('by timer')).toHaveLength(2);
    expect(counts()).toEqual([4, 4, 1]);
  });

  it('gives all readers of one entity the same object after any commit', async () => {
    const seen = new Map<string, unknown>();
    const { getUser, respond } = userEndpoint();
    function Query() {
      const user = useQuery(User, { id: '1' });
      useLayoutEffect(() => void seen.set('query', user));
      return null;
    }
    function Suspense() {
      const user = useSuspense(getUser, { id: '1' });
      useLayoutEffect(() => void seen.set('suspense', user));
      return null;
    }
    function Cache() {
      const user = useCache(getUser, { id: '1' });
      useLayoutEffect(() => void seen.set('cache', user));
      return null;
    }
    const { controller } = show(
      <>
        <Query />
        <Suspense />
        <Cache />
      </>,
    );
    await respond({ id: '1', name: 'Ada' });
    const first = seen.get('query');
    expect(first).toBeInstanceOf(User);
    expect([...seen.values()]).toEqual([first, first, first]);
    expect(new Set(seen.values()).size).toBe(1);
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada Lovelace' }));
    expect(new Set(seen.values()).size).toBe(1);
    expect(seen.get('query')).not.toBe(first);
  });

  it('renders nothing when the content stays equal, and leaves siblings their identity', async () => {
    const renders = counter();
    const lists: (readonly User[])[] = [];
    const getUsers = new Endpoint(async () => people(3), { name: 'getUsers', schema: [User] });
    function List() {
      renders.add();
      lists.push(useSuspense(getUsers));
      return null;
    }
    const controller = new Controller();
    await controller.fetch(getUsers);
    show(<List />, { controller, strict: false });
    expect(renders.count).toBe(1);
    await act(() => controller.fetch(getUsers).then(() => {}));
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'user 1' }));
    expect(renders.count).toBe(1);
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'other' }));
    expect(renders.count).toBe(2);
    const [before, after] = lists;
    expect(after?.[0]).toBe(before?.[0]);
    expect(after?.[1]).not.toBe(before?.[1]);
    expect(after?.[2]).toBe(before?.[2]);
  });

  it('to an instance that a reader was given throws in development, and changes nothing', async () => {
    class Tagged extends Entity {
      id = '';
      name = '';
      tags: string[] = [];
      static override readonly key = 'Tagged';
    }
    const getTagged = new Endpoint(async () => ({ id: '1', name: 'Ada', tags: ['a'] }), {
      name: 'getTagged',
      schema: Tagged,
    });
    const seen: Tagged[] = [];
    function Reader() {
      const user = useSuspense(getTagged);
      seen.push(user);
      return <p>{user.name}</p>;
    }
    const controller = new Controller();
    await controller.fetch(getTagged);
    show(<Reader />, { controller });
    const [user] = seen;
    expect(() => Object.assign(user ?? {}, { name: 'mutated' })).toThrow(TypeError);
    expect(() => user?.tags.push('b')).toThrow(TypeError);
    expect(controller.get(Tagged, { id: '1' })).toMatchObject({ name: 'Ada', tags: ['a'] });
  });

  it('is not lost between a render and its layout effect', async () => {
    const { getText, respond } = textEndpoint();
    function Writer() {
      const controller = useController();
      // The effects of a child run before those of its parent, which is not subscribed yet.
      useLayoutEffect(
        () => controller.setResponse(getText, { id: '1' }, 'written by a child'),
        [controller],
      );
      return null;
    }
    const renders = counter();
    function Reader() {
      renders.add();
      const text = useSuspense(getText, { id: '1' });
      return (
        <p>
          {text}
          <Writer />
        </p>
      );
    }
    const { controller } = show(<Reader />);
    await respond('fetched');
    expect(screen.getByText('written by a child')).toBeDefined();
    const before = renders.count;
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' }));
    expect(renders.count).toBe(before);
  });

  it('in the effect of a child, while everything mounts, renders its reader once more and no more', async () => {
    function Writer() {
      const controller = useController();
      useLayoutEffect(
        () => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' }),
        [controller],
      );
      return null;
    }
    const renders = counter();
    function Name() {
      renders.add();
      return (
        <p>
          {useQuery(User, { id: '1' })?.name}
          <Writer />
        </p>
      );
    }
    const Other = () => <p>{useQuery(User, { id: '2' })?.name}</p>;
    const { controller } = show(
      <>
        <Name />
        <Other />
      </>,
      { strict: false },
    );
    expect(screen.getByText('Ada')).toBeDefined();
    expect(renders.count).toBe(2);
    await write(() => controller.set(User, { id: '2' }, { id: '2', name: 'Bob' }));
    expect(screen.getByText('Bob')).toBeDefined();
    expect(renders.count).toBe(2);
  });

  it('shows several writes of one batch in one render', async () => {
    const renders = counter();
    function Reader() {
      renders.add();
      return (
        <p>
          {useQuery(User, { id: '1' })?.name} {useQuery(User, { id: '2' })?.name}
        </p>
      );
    }
    const { controller } = show(<Reader />, { strict: false });
    await write(() =>
      controller.batch(() => {
        controller.set(User, { id: '1' }, { id: '1', name: 'Ada' });
        controller.set(User, { id: '2' }, { id: '2', name: 'Bob' });
      }),
    );
    expect(screen.getByText('Ada Bob')).toBeDefined();
    expect(renders.count).toBe(2);
  });
});
