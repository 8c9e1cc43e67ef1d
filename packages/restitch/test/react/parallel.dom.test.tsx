import { act, screen } from '@testing-library/react';
import { startTransition, useState } from 'react';
import { Controller, Endpoint, Invalidate } from 'restitch';
import { AsyncBoundary, useCancelling, useQuery, useSuspenseAll } from 'restitch/react';
import { describe, expect, it, vi } from 'vitest';
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

describe.each([true, false])('useSuspenseAll (Strict Mode: %s)', (strict) => {
  it('starts every request before the first response, and shows all results at once', async () => {
    const first = textEndpoint();
    const second = textEndpoint();
    function Both() {
      const [one, two] = useSuspenseAll([
        [first.getText, { id: '1' }],
        [second.getText, { id: '2' }],
      ]);
      return (
        <p>
          {one} {two}
        </p>
      );
    }
    show(<Both />, { strict });
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
    await second.respond('two');
    expect(screen.getByText('loading')).toBeDefined();
    await first.respond('one');
    expect(screen.getByText('one two')).toBeDefined();
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  });
});

describe('useSuspenseAll', () => {
  it('renders once with cached data, once for each change of it, and not where nothing changed', async () => {
    const { getUser } = userEndpoint();
    const controller = new Controller();
    for (const id of ['1', '2'])
      controller.setResponse(getUser, { id }, { id, name: `user ${id}` });
    const renders = counter();
    const seen = new Set<unknown>();
    function Both() {
      renders.add();
      const users = useSuspenseAll([
        [getUser, { id: '1' }],
        [getUser, { id: '2' }],
      ]);
      seen.add(users);
      return <p>{users.map((user) => user.name).join()}</p>;
    }
    const { rerender } = show(<Both />, { controller, strict: false });
    expect(renders.count).toBe(1);
    rerender(<Both />);
    expect([renders.count, seen.size]).toEqual([2, 1]);
    await write(() =>
      controller.batch(() => {
        controller.set(User, { id: '1' }, { id: '1', name: 'Ada' });
        controller.set(User, { id: '2' }, { id: '2', name: 'Bob' });
      }),
    );
    expect(screen.getByText('Ada,Bob')).toBeDefined();
    expect(renders.count).toBe(3);
    await write(() => controller.set(User, { id: '3' }, { id: '3', name: 'Eve' }));
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' }));
    expect(renders.count).toBe(3);
  });

  it('takes null for "not now", and another number of questions in another render', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Texts = ({ ids }: { ids: readonly (string | null)[] }) => {
      // The React Compiler would move the callback out of this test, where there is no `getText`.
      'use no memo';
      const questions = ids.map((id) => [getText, id === null ? null : { id }] as const);
      return <p>{useSuspenseAll(questions).join('-')}</p>;
    };
    const { rerender } = show(<Texts ids={['1', null]} />);
    await respond('one');
    expect(screen.getByText('one-')).toBeDefined();
    rerender(<Texts ids={['1', '2', '3']} />);
    expect(calls.map(({ args }) => args)).toEqual([[{ id: '1' }], [{ id: '2' }], [{ id: '3' }]]);
    await respond('two', 1);
    await respond('three', 2);
    expect(screen.getByText('one-two-three')).toBeDefined();
    rerender(<Texts ids={[]} />);
    expect(screen.queryByText(/one/)).toBeNull();
    expect(calls).toHaveLength(3);
  });

  it('keeps the old screen in a transition that changes one question', async () => {
    const { getText, respond } = textEndpoint();
    function Page() {
      const [id, setId] = useState('2');
      const texts = useSuspenseAll([
        [getText, { id: '1' }],
        [getText, { id }],
      ]);
      return <button onClick={() => startTransition(() => setId('3'))}>{texts.join('-')}</button>;
    }
    show(<Page />);
    await respond('one', 0);
    await respond('two', 1);
    await act(async () => screen.getByText('one-two').click());
    expect(screen.getByText('one-two')).toBeDefined();
    expect(screen.queryByText('loading')).toBeNull();
    await respond('three', 2);
    expect(screen.getByText('one-three')).toBeDefined();
  });

  it('throws the error of one, and asks for that one again after a reset', async () => {
    const first = textEndpoint();
    const second = textEndpoint();
    const Both = () => (
      <p>
        {useSuspenseAll([
          [first.getText, { id: '1' }],
          [second.getText, { id: '2' }],
        ]).join('-')}
      </p>
    );
    show(<Both />);
    await first.respond('one');
    await second.fail(new Error('it broke'));
    expect(screen.getByRole('alert').textContent).toContain('it broke');
    await act(async () => screen.getByText('Try again').click());
    await second.respond('two');
    expect(screen.getByText('one-two')).toBeDefined();
    expect([first.calls.length, second.calls.length]).toEqual([1, 2]);
  });

  it('keeps a deleted row on the screen, and shows changes of the other results', async () => {
    const { getUser, calls } = userEndpoint();
    const remove = new Endpoint(async () => null, {
      name: 'remove',
      sideEffect: true,
      schema: new Invalidate(User),
    });
    const controller = new Controller();
    for (const id of ['1', '2'])
      controller.setResponse(getUser, { id }, { id, name: `user ${id}` });
    const Both = () => (
      <p>
        {useSuspenseAll([
          [getUser, { id: '1' }],
          [getUser, { id: '2' }],
        ])
          .map((user) => user.name)
          .join()}
      </p>
    );
    const Row = () => <b>{useQuery(User, { id: '1' })?.name ?? 'gone'}</b>;
    show([<Both key="both" />, <Row key="row" />], { controller });
    await write(() => controller.setResponse(remove, { id: '1' }));
    expect(screen.getByText('gone')).toBeDefined();
    await write(() => controller.set(User, { id: '2' }, { id: '2', name: 'Bob' }));
    expect(screen.getByText('user 1,Bob')).toBeDefined();
    expect(calls).toHaveLength(0);
  });

  it('cancels requests that an endpoint of useCancelling no longer needs, and nothing else', async () => {
    const aborted = vi.fn();
    const plain = textEndpoint();
    const getText = new Endpoint(
      function getText(this: { signal?: () => AbortSignal }, { id }: { id: string }) {
        return new Promise<string>((resolve, reject) => {
          this.signal?.().addEventListener('abort', () => {
            aborted(id);
            reject(new DOMException('gone', 'AbortError'));
          });
          if (id === '2') resolve('two');
        });
      },
      { name: 'cancellable' },
    );
    const Both = ({ id }: { id: string }) => (
      <p>
        {useSuspenseAll([
          [useCancelling(getText, { id }), { id }],
          [plain.getText, { id: 'plain' }],
        ]).join('-')}
      </p>
    );
    const { rerender } = show(<Both id="1" />);
    await act(async () => rerender(<Both id="2" />));
    await plain.respond('plain');
    expect(screen.getByText('two-plain')).toBeDefined();
    expect(aborted.mock.calls).toEqual([['1']]);
    expect(plain.calls).toHaveLength(1);
  });

  it('shares its boundary with others without asking twice', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Both = () => (
      <i>
        {useSuspenseAll([
          [getText, { id: '1' }],
          [getText, { id: '2' }],
        ]).join('-')}
      </i>
    );
    show(
      <AsyncBoundary fallback="inner">
        <Both />
        <Both />
      </AsyncBoundary>,
    );
    await respond('one', 0);
    await respond('two', 1);
    expect(screen.getAllByText('one-two')).toHaveLength(2);
    expect(calls).toHaveLength(2);
  });
});
