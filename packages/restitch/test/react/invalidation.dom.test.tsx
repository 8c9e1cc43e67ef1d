import { act, screen } from '@testing-library/react';
import { startTransition, useTransition } from 'react';
import { Controller, Endpoint } from 'restitch';
import {
  AsyncBoundary,
  useCache,
  useController,
  useDLE,
  useQuery,
  useSuspense,
} from 'restitch/react';
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

const shownNow = (text: string): boolean => {
  const element = screen.queryByText(text);
  return element !== null && element.style.display !== 'none';
};

describe('invalidate', () => {
  it('urgently shows one fallback and sends one request', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { controller } = show(<Text />);
    await respond('old');
    await write(() => void controller.invalidate(getText, { id: '1' }));
    expect([shownNow('old'), shownNow('loading')]).toEqual([false, true]);
    await respond('new');
    expect([shownNow('new'), shownNow('loading')]).toEqual([true, false]);
    expect(calls).toHaveLength(2);
  });

  it('inside a transition keeps the old screen and isPending until the refetch lands', async () => {
    const { getText, calls, respond } = textEndpoint();
    function Text() {
      const controller = useController();
      const [isPending, start] = useTransition();
      const text = useSuspense(getText, { id: '1' });
      return (
        <button onClick={() => start(() => void controller.invalidate(getText, { id: '1' }))}>
          {text} {isPending ? 'pending' : 'idle'}
        </button>
      );
    }
    show(<Text />);
    await respond('old');
    await act(async () => screen.getByText('old idle').click());
    expect([shownNow('old pending'), shownNow('loading')]).toEqual([true, false]);
    await respond('new');
    expect(shownNow('new idle')).toBe(true);
    expect(calls).toHaveLength(2);
  });

  it('gives a promise for an async transition that settles with the refetch of mounted readers', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { controller } = show(<Text />);
    await respond('old');
    let settled = false;
    await act(async () => {
      startTransition(async () => {
        await controller.invalidate(getText, { id: '1' });
        settled = true;
      });
    });
    expect([settled, shownNow('old')]).toEqual([false, true]);
    await respond('new');
    expect([settled, shownNow('new')]).toEqual([true, true]);
    expect(calls).toHaveLength(2);
  });

  it('empties useCache without a request', async () => {
    const { getText, calls } = textEndpoint();
    const Text = () => <p>{useCache(getText, { id: '1' }) ?? 'nothing'}</p>;
    const { controller } = show(<Text />);
    await write(() => controller.setResponse(getText, { id: '1' }, 'there'));
    expect(shownNow('there')).toBe(true);
    await write(() => void controller.invalidate(getText, { id: '1' }));
    expect(shownNow('nothing')).toBe(true);
    expect(calls).toHaveLength(0);
  });
});

describe('expireAll', () => {
  it('shows no fallback and sends one request', async () => {
    const { getText, calls, respond } = textEndpoint();
    const renders = counter();
    function Text() {
      renders.add();
      return <p>{useSuspense(getText, { id: '1' })}</p>;
    }
    const { controller } = show(<Text />, { strict: false });
    await respond('old');
    const before = renders.count;
    await write(() => controller.expireAll(getText));
    expect([shownNow('old'), shownNow('loading')]).toEqual([true, false]);
    expect(calls).toHaveLength(2);
    expect(renders.count).toBe(before);
    await respond('new');
    expect([shownNow('new'), shownNow('loading')]).toEqual([true, false]);
    expect(calls).toHaveLength(2);
    expect(renders.count).toBe(before + 1);
  });

  it('leaves useCache as it is, without a request', async () => {
    const { getText, calls } = textEndpoint();
    const Text = () => <p>{useCache(getText, { id: '1' })}</p>;
    const { controller } = show(<Text />);
    await write(() => controller.setResponse(getText, { id: '1' }, 'there'));
    await write(() => controller.expireAll(getText));
    expect(shownNow('there')).toBe(true);
    expect(calls).toHaveLength(0);
  });
});

describe('an endpoint that is fetched again', () => {
  it('a write to its entity is shown', async () => {
    const { getUser, calls, respond } = userEndpoint();
    const Name = () => <p>{useSuspense(getUser, { id: '1' }).name}</p>;
    const { controller } = show(<Name />);
    await respond({ id: '1', name: 'Ada' });
    await write(() => controller.expireAll(getUser));
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada L.' }));
    expect([shownNow('Ada L.'), shownNow('loading')]).toEqual([true, false]);
    // The request started before the write: its response does not hide it.
    await respond({ id: '1', name: 'Ada' });
    expect(shownNow('Ada L.')).toBe(true);
    expect(calls).toHaveLength(2);
  });

  it('a hard error is thrown to the boundary', async () => {
    const { getText, respond, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { controller } = show(<Text />);
    await respond('old');
    await write(() => controller.expireAll(getText));
    await fail(new Error('it broke'));
    expect(screen.getByRole('alert').textContent).toContain('it broke');
    expect(screen.queryByText('old')).toBeNull();
  });

  it('a soft error keeps the data', async () => {
    let broken = false;
    const getText = new Endpoint(
      async () => {
        if (broken) throw new Error('it broke');
        return 'old';
      },
      { name: 'getSoftText', errorPolicy: () => 'soft' as const },
    );
    const Text = () => <p>{useSuspense(getText)}</p>;
    const controller = new Controller();
    await controller.fetch(getText);
    show(<Text />, { controller });
    broken = true;
    await write(() => controller.expireAll(getText));
    expect([shownNow('old'), screen.queryByRole('alert')]).toEqual([true, null]);
  });
});

describe('resetEntireStore', () => {
  it('drops everything at once, and readers start again with one request each', async () => {
    const { getUser, calls, respond } = userEndpoint();
    const Name = () => <p>{useSuspense(getUser, { id: '1' }).name}</p>;
    const Row = () => <p>{useQuery(User, { id: '1' })?.name ?? 'no row'}</p>;
    const { controller } = show(
      <>
        <AsyncBoundary fallback={<p>waiting</p>}>
          <Name />
        </AsyncBoundary>
        <Row />
      </>,
    );
    await respond({ id: '1', name: 'Ada' });
    expect(screen.getAllByText('Ada')).toHaveLength(2);
    await write(() => controller.resetEntireStore());
    expect([shownNow('no row'), shownNow('waiting')]).toEqual([true, true]);
    expect(calls).toHaveLength(2);
    await respond({ id: '1', name: 'Bob' });
    expect(screen.getAllByText('Bob')).toHaveLength(2);
    expect(calls).toHaveLength(2);
  });

  it('makes a reader that still waits start again with one request, and takes its response only', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { controller } = show(<Text />);
    await write(() => controller.resetEntireStore());
    expect(calls).toHaveLength(2);
    await respond('before the reset', 0);
    expect(shownNow('loading')).toBe(true);
    await respond('after the reset', 1);
    expect(shownNow('after the reset')).toBe(true);
    expect(calls).toHaveLength(2);
  });

  it('makes a mounted reader that still waits start again with one request', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => {
      const { data, loading } = useDLE(getText, { id: '1' });
      return <p>{loading ? 'waiting' : data}</p>;
    };
    const { controller } = show(<Text />);
    await write(() => controller.resetEntireStore());
    expect([shownNow('waiting'), calls.length]).toEqual([true, 2]);
    await respond('before the reset', 0);
    expect(shownNow('waiting')).toBe(true);
    await respond('after the reset', 1);
    expect([shownNow('after the reset'), calls.length]).toEqual([true, 2]);
  });
});
