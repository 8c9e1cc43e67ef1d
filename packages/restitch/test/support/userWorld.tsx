/** A page with the data of one user, below a component that resets the store after a switch. */
import { act } from '@testing-library/react';
import * as React from 'react';
import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useRef,
} from 'react';
import {
  byPage,
  Collection,
  Controller,
  Entity,
  hookifyResource,
  PollingManager,
  resource,
  StreamManager,
} from 'restitch';
import {
  AsyncBoundary,
  useController,
  useDLE,
  useFetch,
  useLive,
  useSubscription,
  useSuspense,
  useWindow,
} from 'restitch/react';
import { Clock } from './clock.js';
import { hasUse, show } from './reactWorld.js';
import { sources } from './sources.js';

export class Profile extends Entity {
  id = '';
  email = '';
}

const UserContext = createContext('');

/** As in docs/guide/sign-out.md. */
export function SessionData({
  userId,
  children,
}: {
  userId: string;
  children?: ReactNode;
}): ReactNode {
  const controller = useController();
  const lastId = useRef(userId);
  useEffect(() => {
    if (lastId.current !== userId) controller.resetEntireStore();
    lastId.current = userId;
  }, [controller, userId]);
  return children;
}

/** A server whose responses contain the user of the token, and wait until the test lets them go. */
// The return type is what the class infers from its options; naming it would repeat them.
export function world() {
  const clock = new Clock();
  const stream = sources();
  const controller = new Controller({
    managers: [
      new StreamManager({
        EventSource: stream.Source,
        // The cast: `scope` is an option of `RestEndpoint`.
        url: ({ endpoint }) =>
          endpoint.pollFrequency ? undefined : `/${(endpoint as { scope?: string }).scope}`,
        onMessage: ({ data }, { set }) => set(Profile, { id: 'me' }, data as object),
      }),
      new PollingManager(),
    ],
    environment: clock.environment,
  });
  const sent: string[] = [];
  const slow = new Set<string>();
  const held: [user: string, resolve: () => void][] = [];
  const Profiles = resource({
    path: '/profiles/:id',
    schema: Profile,
    pagination: byPage({ param: 'page', total: 'total' }),
    send: async (_: string, { headers }: RequestInit) => {
      const user = new Headers(headers).get('authorization') ?? '';
      sent.push(user);
      if (slow.has(user)) await new Promise<void>((resolve) => held.push([user, resolve]));
      return Response.json({ results: [{ id: 'me', email: `${user}@example.com` }], total: 1 });
    },
  }).extend('getList', { schema: { results: new Collection([Profile]), total: 0 } });
  const Mine = hookifyResource(Profiles, () => {
    const user = useContext(UserContext);
    return { headers: { authorization: user }, scope: user };
  });
  const usePolled = (pollFrequency = 1_000) => Mine.useGetList().extend({ pollFrequency });
  const text = (): string =>
    [...document.querySelectorAll('p')]
      .filter((shown) => shown.style.display !== 'none')
      .map(({ textContent }) => textContent)
      .join();
  const pass = (milliseconds: number): Promise<void> => act(() => clock.pass(milliseconds));
  const respond = async (user: string): Promise<void> => {
    slow.delete(user);
    await act(async () => {
      for (const [asked, resolve] of held) if (asked === user) resolve();
    });
    await pass(0);
  };
  return {
    clock,
    controller,
    sent,
    slow,
    Profiles,
    Mine,
    usePolled,
    text,
    pass,
    respond,
    ...stream,
  };
}
export type World = ReturnType<typeof world>;

export const USERS = ['ada', 'bob', 'cid'] as const;
export const mail = (user: string): string => `${user}@example.com`;

type Pages = Readonly<Record<string, (app: World) => (props: { user: string }) => ReactNode>>;

/** React 18 has no `use`. */
const fetchers: Pages = {
  'useSubscription and useFetch': ({ usePolled }) =>
    function Page() {
      useSubscription(usePolled());
      return <p>{React.use(useFetch(usePolled())).results[0]?.email}</p>;
    },
  'useFetch in a parent': ({ usePolled }) => {
    const Email = ({ loaded }: { loaded: ReturnType<typeof useList> }) => (
      <p>{React.use(loaded).results[0]?.email}</p>
    );
    const useList = () => useFetch(usePolled());
    return function Page() {
      useSubscription(usePolled());
      return <Email loaded={useList()} />;
    };
  },
  'useFetch above a boundary': ({ usePolled }) => {
    const Email = ({ loaded }: { loaded: ReturnType<typeof useList> }) => (
      <p>{React.use(loaded).results[0]?.email}</p>
    );
    const useList = () => useFetch(usePolled());
    return function Page() {
      useSubscription(usePolled());
      const loaded = useList();
      return (
        <AsyncBoundary fallback={<p>loading</p>}>
          <Email loaded={loaded} />
        </AsyncBoundary>
      );
    };
  },
};

/** Components that keep a request of their own going, each with the data of its user. */
export const pages: Pages = {
  useLive: ({ usePolled }) =>
    function Page() {
      return <p>{useLive(usePolled()).results[0]?.email}</p>;
    },
  'useLive in a keyed page': ({ usePolled }) => {
    const Email = () => <p>{useLive(usePolled()).results[0]?.email}</p>;
    return ({ user }) => <Email key={user} />;
  },
  'two components with useLive': ({ usePolled }) => {
    const Live = () => <b>{useLive(usePolled()).results[0]?.email}</b>;
    const Email = () => <p>{useLive(usePolled()).results[0]?.email}</p>;
    return () => [<Live key="1" />, <Email key="2" />];
  },
  'useSubscription and useSuspense': ({ usePolled }) =>
    function Page() {
      useSubscription(usePolled());
      return <p>{useSuspense(usePolled()).results[0]?.email}</p>;
    },
  'useSubscription next to a component that waits': ({ usePolled }) => {
    const Live = () => {
      useSubscription(usePolled());
      return null;
    };
    const Email = () => <p>{useSuspense(usePolled()).results[0]?.email}</p>;
    return () => [<Live key="1" />, <Email key="2" />];
  },
  'useDLE that does not wait': ({ usePolled }) =>
    function Page() {
      useSubscription(usePolled());
      return <p>{useDLE(usePolled()).data?.results?.[0]?.email ?? 'loading'}</p>;
    },
  'useWindow next to a component that waits': ({ Mine, usePolled }) => {
    const Window = () => {
      useWindow(Mine.useGetList(), [], { start: 0, end: 1 });
      return null;
    };
    const Email = () => <p>{useLive(usePolled()).results[0]?.email}</p>;
    return () => [<Window key="1" />, <Email key="2" />];
  },
  ...(hasUse ? fetchers : {}),
};

/** Renders the page below `SessionData`. With `beside`, `SessionData` is rendered before it. */
export async function open(
  app: World,
  Page: (props: { user: string }) => ReactNode,
  { beside = false, resets = true, strict = false } = {},
) {
  const tree = (user: string): ReactNode => {
    const page = (
      <AsyncBoundary fallback={<p>loading</p>}>
        <Page user={user} />
      </AsyncBoundary>
    );
    return (
      <UserContext.Provider value={user}>
        <SessionData userId={resets ? user : ''}>{beside ? null : page}</SessionData>
        {beside ? page : null}
      </UserContext.Provider>
    );
  };
  const { rerender, unmount } = await act(async () =>
    show(tree('ada'), { controller: app.controller, strict }),
  );
  return {
    unmount,
    signIn: (user: string) => act(async () => rerender(tree(user))),
    /** React renders the user in a transition, so the page of the last user can stay meanwhile. */
    signInLater: (user: string) => act(async () => startTransition(() => rerender(tree(user)))),
  };
}
