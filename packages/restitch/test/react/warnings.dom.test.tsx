import { act, screen } from '@testing-library/react';
import { type ReactNode, startTransition, useState } from 'react';
import { byCursor, byPage, Collection, Controller, Endpoint } from 'restitch';
import * as binding from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { remote } from '../support/screen.js';
import { show, User, watchConsole, write } from '../support/reactWorld.js';

const logged = watchConsole();

type Hook = Extract<keyof typeof binding, `use${string}`>;

const getUser = new Endpoint(async ({ id }: { id: string }) => ({ id, name: `name ${id}` }), {
  name: 'getUser',
  schema: User,
  pollFrequency: 60_000,
});

const getNames = new Endpoint(
  async ({ id }: { id: string }) => ({ users: [{ id, name: `name ${id}` }], next: null }),
  {
    name: 'getNames',
    schema: { users: new Collection([User]), next: null },
    pagination: byCursor({ param: 'cursor', next: 'next' }),
  },
);

const getNumbered = new Endpoint(
  async ({ id }: { id: string }) => ({ users: [{ id, name: `name ${id}` }], total: 1 }),
  {
    name: 'getNumbered',
    schema: { users: new Collection([User]), total: 0 },
    pagination: byPage({ param: 'page', total: 'total' }),
  },
);

type Asked = { readonly id: string } | null;

/** Every hook there is, in a component of its own, beside one that sees to it that there is something to read. */
const readers: Record<Hook, (props: { asked: Asked }) => ReactNode> = {
  useCache: function Reader({ asked }) {
    return binding.useCache(getUser, asked)?.name;
  },
  useCancelling: function Reader({ asked }) {
    const cancelling = binding.useCancelling(getUser, asked);
    return binding.useSuspense(cancelling, asked)?.name;
  },
  useController: function Reader({ asked }) {
    const controller = binding.useController();
    return asked && controller.get(User, asked)?.name;
  },
  useDebounce: function Reader({ asked }) {
    const [rested] = binding.useDebounce(asked, 0);
    return rested?.id;
  },
  useDLE: function Reader({ asked }) {
    const { data, loading } = binding.useDLE(getUser, asked);
    return loading ? 'loading' : data?.name;
  },
  useError: function Reader({ asked }) {
    return binding.useError(getUser, asked)?.message;
  },
  useFetch: function Reader({ asked }) {
    const response = binding.useFetch(getUser, asked);
    return response ? 'asked' : 'not asked';
  },
  useInfinite: function Reader({ asked }) {
    return binding.useInfinite(getNames, asked).items[0]?.name;
  },
  useInfiniteDLE: function Reader({ asked }) {
    const { items, loading } = binding.useInfiniteDLE(getNames, asked);
    return loading ? 'loading' : items[0]?.name;
  },
  useIsFetching: function Reader({ asked }) {
    return binding.useIsFetching(getUser, asked) > 0 ? 'busy' : 'idle';
  },
  useIsMutating: function Reader({ asked }) {
    return binding.useIsMutating(getUser, asked) > 0 ? 'busy' : 'idle';
  },
  useLive: function Reader({ asked }) {
    return binding.useLive(getUser, asked)?.name;
  },
  useLoading: function Reader({ asked }) {
    const controller = binding.useController();
    const [run, loading] = binding.useLoading(
      async () => asked && controller.fetch(getUser, asked),
    );
    return <button onClick={() => void run()}>{loading ? 'loading' : 'load'}</button>;
  },
  useMutation: function Reader({ asked }) {
    const { mutate, isPending } = binding.useMutation(getUser);
    return <button onClick={() => asked && mutate(asked)}>{isPending ? 'loading' : 'load'}</button>;
  },
  usePending: function Reader({ asked }) {
    const user = binding.useQuery(User, asked);
    return binding.usePending(user).length;
  },
  useQuery: function Reader({ asked }) {
    return binding.useQuery(User, asked)?.name;
  },
  useSubscription: function Reader({ asked }) {
    binding.useSubscription(getUser, asked);
    return asked?.id;
  },
  useWindow: function Reader({ asked }) {
    return binding.useWindow(getNumbered, [asked], { start: 0, end: 1 }).at(0)?.name;
  },
  useSuspense: function Reader({ asked }) {
    return binding.useSuspense(getUser, asked)?.name;
  },
  useSuspenseAll: function Reader({ asked }) {
    const [user] = binding.useSuspenseAll([[getUser, asked]]);
    return user?.name;
  },
};

/** A page with one reader, in Strict Mode. */
function open(Reader: (props: { asked: Asked }) => ReactNode) {
  const ask = remote<[Asked | 'nothing']>();
  function Page() {
    const [asked, setAsked] = useState<Asked | 'nothing'>('nothing');
    ask.connect(setAsked);
    if (asked === 'nothing') return <p>nothing</p>;
    return (
      <>
        <p>{asked ? `asked ${asked.id}` : 'asked null'}</p>
        <Reader asked={asked} />
      </>
    );
  }
  const page = show(<Page />, { controller: new Controller() });
  return { ...page, ask: ask.call };
}

const toItem = (text: string): ReactNode => <i>{text}</i>;

describe('React in development', () => {
  it('warns here of mistakes', () => {
    show(['a', 'b'].map(toItem));
    expect(logged.splice(0).join()).toContain('"key"');
  });

  it.each(Object.entries(readers))('has nothing to say of %s in Strict Mode', async (_, Reader) => {
    const { controller, ask, unmount } = open(Reader);
    const rename = (id: string, name: string): void => controller.set(User, { id }, { id, name });
    await write(() => ask({ id: '1' }));
    await write(() => rename('1', 'urgent'));
    await write(() => startTransition(() => rename('1', 'in a transition')));
    await write(() => ask({ id: '2' }));
    await write(() => ask(null));
    await write(() => startTransition(() => ask({ id: '3' })));
    await write(() => {
      startTransition(() => rename('3', 'in a transition'));
      rename('2', 'at the same time');
    });
    await write(() => controller.expireAll(getUser));
    await write(() => controller.invalidate(getUser, { id: '3' }));
    await write(() => startTransition(() => void controller.invalidateAll(getUser)));
    await write(() => controller.setError(getUser, { id: '3' }, new Error('failed')));
    await write(() => controller.setResponse(getUser, { id: '3' }, { id: '3', name: 'again' }));
    await act(async () => screen.queryByRole('button')?.click());
    await write(() => ask(null));
    expect(screen.getByText('asked null')).toBeDefined();
    await write(() => ask('nothing'));
    await write(() => ask({ id: '4' }));
    await write(() => controller.resetEntireStore());
    await write(() => ask({ id: '5' }));
    unmount();
    await write(() => rename('5', 'after it was left'));
  });
});
