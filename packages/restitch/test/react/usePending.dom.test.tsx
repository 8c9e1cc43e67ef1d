import { act, screen } from '@testing-library/react';
import { memo, useState } from 'react';
import { Collection, Controller, Endpoint, keyOf, RestEndpoint } from 'restitch';
import { usePending, useQuery } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { counter, requests, show, User, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

function open(names: readonly string[]) {
  const controller = new Controller();
  const server = requests();
  const rename = new Endpoint(server.send, {
    name: 'rename',
    schema: User,
    sideEffect: true,
    key: () => 'rename',
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  const users = new Collection([User]);
  controller.set(
    users,
    {},
    names.map((name, index) => ({ id: `${index + 1}`, name })),
  );
  const renders = names.map(counter);
  const Row = memo(function Row({ id }: { id: string }) {
    renders[Number(id) - 1]?.add();
    const user = useQuery(User, { id });
    return (
      <p data-testid={id}>
        {user?.name} {usePending(user).length}
      </p>
    );
  });
  const save = (id: string, name: string) =>
    write(() => void controller.fetch(rename, { id, name } as never).catch(() => {}));
  const texts = () => names.map((_, index) => screen.getByTestId(`${index + 1}`).textContent);
  const counts = () => renders.map(({ count }) => count);
  return { controller, server, users, Row, save, texts, counts };
}

describe('usePending', () => {
  it('counts overlapping mutations of one row, and renders only that row', async () => {
    const { controller, server, Row, save, texts, counts } = open(['Ada', 'Grace']);
    show([<Row key="1" id="1" />, <Row key="2" id="2" />], { controller, strict: false });
    expect(texts()).toEqual(['Ada 0', 'Grace 0']);
    await save('1', 'a');
    await save('1', 'b');
    await save('1', 'c');
    expect(texts()).toEqual(['c 3', 'Grace 0']);
    await server.respond({ id: '1', name: 'b' }, 1);
    expect(texts()).toEqual(['c 2', 'Grace 0']);
    await server.fail(new Error('no'), 0);
    expect(texts()).toEqual(['c 1', 'Grace 0']);
    await server.respond({ id: '1', name: 'c' }, 2);
    expect(texts()).toEqual(['c 0', 'Grace 0']);
    // One render at first, and one for each of the six steps.
    expect(counts()).toEqual([7, 1]);
  });

  it('shows a mutation that leaves the value as it is', async () => {
    const { controller, server, Row, save, texts } = open(['Ada']);
    show(<Row id="1" />, { controller });
    await save('1', 'Ada');
    expect(texts()).toEqual(['Ada 1']);
    await server.respond({ id: '1', name: 'Ada' });
    expect(texts()).toEqual(['Ada 0']);
  });

  it('renders when an attempt fails and is repeated', async () => {
    const server = requests();
    class Saving extends RestEndpoint {
      override send(): Promise<Response> {
        return server.send({ id: '1' });
      }
    }
    const save = new Saving({
      path: '/users/:id',
      urlPrefix: 'https://example.com',
      method: 'PATCH',
      schema: User,
      body: {} as { name: string },
      retry: { limit: 1, methods: ['PATCH'], backoff: () => 1 },
      getOptimisticResponse: (_: unknown, { id }: { id: string }, body: object) => ({
        id,
        ...body,
      }),
    });
    function States() {
      const user = useQuery(User, { id: '1' });
      const states = usePending(user).map(
        ({ state, attempts, error }) => `${state} ${attempts} ${error?.message ?? ''}`,
      );
      return <p data-testid="states">{states.join()}</p>;
    }
    const { controller } = open(['Ada']);
    show(<States />, { controller });
    const states = () => screen.getByTestId('states').textContent;
    await write(() => void controller.fetch(save, { id: '1' }, { name: 'b' }));
    expect(states()).toBe('sending 0 ');
    await server.respond(new Response('', { status: 503, statusText: 'Busy' }));
    expect(states()).toMatch(/^retrying 1 .*503/);
    await expect.poll(() => server.calls.length).toBe(2);
    await server.respond(Response.json({ id: '1', name: 'b' }));
    await expect.poll(() => states()).toBe('');
  });

  it('shows an edit as queued until the create of its record has ended', async () => {
    const { controller, server, users } = open([]);
    const options = { schema: User, sideEffect: true } as const;
    const create = new Endpoint(server.send, {
      ...options,
      name: 'create',
      schema: users.push,
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    const rename = new Endpoint(server.send, {
      ...options,
      name: 'renameNew',
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    function States() {
      const user = useQuery(users, {})?.[0];
      return <p data-testid="states">{usePending(user).map(({ state }) => `${state} `)}</p>;
    }
    show(<States />, { controller });
    const states = () => screen.getByTestId('states').textContent;
    await write(() => void controller.fetch(create, { name: 'Ada' } as never));
    expect(states()).toBe('sending ');
    const id = controller.get(users, {})?.[0]?.id;
    await write(() => void controller.fetch(rename, { id, name: 'Eve' } as never));
    expect(states()).toBe('sending queued ');
    await server.respond({ id: '7', name: 'Ada' }, 0);
    expect(states()).toBe('sending ');
    await server.respond({ id: '7', name: 'Eve' }, 1);
    expect(states()).toBe('');
  });

  it('is empty after a reset', async () => {
    const { controller, Row, save, texts } = open(['Ada']);
    show(<Row id="1" />, { controller });
    await save('1', 'b');
    expect(texts()).toEqual(['b 1']);
    await write(() => controller.resetEntireStore());
    expect(texts()).toEqual([' 0']);
    await write(() => controller.set(User, { id: '1' }, { name: 'Ada' }));
    await save('1', 'c');
    expect(texts()).toEqual(['c 1']);
  });

  it('ends its notifications with the last reader', async () => {
    const { controller, server, Row, save } = open(['Ada']);
    const { unmount, rerender } = show(<Row id="1" />, { controller, strict: false });
    rerender(null);
    await save('1', 'b');
    rerender(<Row id="1" />);
    expect(screen.getByTestId('1').textContent).toBe('b 1');
    await server.respond({ id: '1', name: 'b' });
    expect(screen.getByTestId('1').textContent).toBe('b 0');
    unmount();
  });
});

describe('a list whose rows have the key of keyOf', () => {
  it('does not mount a created row again when the server names it', async () => {
    const { controller, users } = open(['Ada']);
    const creation = requests();
    const create = new Endpoint(creation.send, {
      name: 'create',
      schema: users.push,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    const mounts = counter();
    function Row({ user }: { user: User }) {
      const [mount] = useState(() => {
        mounts.add();
        return mounts.count;
      });
      return (
        <li data-testid={user.id}>
          {user.name} {mount} {usePending(user).map(({ kind }) => kind)}
        </li>
      );
    }
    function List() {
      const all = useQuery(users, {}) ?? [];
      return (
        <>
          {all.map((user) => (
            <Row key={keyOf(user)} user={user} />
          ))}
        </>
      );
    }
    show(<List />, { controller, strict: false });
    await act(async () => void controller.fetch(create, { name: 'Grace' } as never));
    const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts()).toEqual(['Ada 1 ', 'Grace 2 create']);
    await creation.respond({ id: '7', name: 'Grace' });
    expect(texts()).toEqual(['Ada 1 ', 'Grace 2 ']);
    expect(screen.getByTestId('7').textContent).toBe('Grace 2 ');
  });
});
