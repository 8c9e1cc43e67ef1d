import { act, cleanup, render, screen } from '@testing-library/react';
import { type ReactNode, startTransition, useState, version } from 'react';
import { Controller, Endpoint, logout, LogoutManager, PollingManager } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useDLE,
  useLive,
  useSuspense,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { remote } from '../support/screen.js';
import { watchConsole } from '../support/reactWorld.js';

watchConsole();

const READERS = 40;

class StatusError extends Error {
  readonly status = 401;
}

let names = 0;

/** A page of readers, and a sign-in page that takes its place on demand. */
function application() {
  const server = { isLoggedIn: true, requests: 0, isOpen: true };
  let waiting: (() => void)[] = [];
  const name = `panel${(names += 1)}`;
  const getPanel = new Endpoint(
    async ({ id }: { id: string }): Promise<string> => {
      server.requests += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (!server.isLoggedIn) throw new StatusError('The session has ended');
      return `panel ${id}`;
    },
    { name, pollFrequency: 60_000 },
  );
  /** Responds to everything that was asked so far, in one go or one request in each job. */
  const respond = async (inTurn = false): Promise<void> => {
    const settled = waiting;
    waiting = [];
    if (inTurn) for (const resolve of settled) await act(async () => resolve());
    else await act(async () => settled.forEach((resolve) => resolve()));
  };
  const clock = new Clock();
  const controller = new Controller({
    managers: [new LogoutManager(), new PollingManager()],
    environment: clock.environment,
  });
  const signIn = remote<[boolean]>();
  function Panel({ id }: { id: string }): ReactNode {
    return <p>{useSuspense(getPanel, { id })}</p>;
  }
  function LivePanel({ id }: { id: string }): ReactNode {
    return <p>{useLive(getPanel, { id })}</p>;
  }
  function PlainPanel({ id }: { id: string }): ReactNode {
    const { data, loading, error } = useDLE(getPanel, { id });
    return <p>{loading ? 'loading' : error ? 'failed' : data}</p>;
  }
  const kinds = [Panel, LivePanel, PlainPanel];
  function Page(): ReactNode {
    const [showsSignIn, show] = useState(false);
    const [, renderAgain] = useState(0);
    signIn.connect(show);
    again.connect(() => renderAgain((count) => count + 1));
    if (showsSignIn) return <h1>Sign in</h1>;
    return Array.from({ length: READERS }, (_, index) => {
      const Kind = kinds[index % kinds.length] ?? Panel;
      return (
        <AsyncBoundary key={index} fallback={<p>loading</p>}>
          <Kind id={`${index}`} />
        </AsyncBoundary>
      );
    });
  }
  const again = remote<[]>();
  const open = (): void => {
    render(
      <DataProvider controller={controller}>
        <Page />
      </DataProvider>,
      { onCaughtError: () => {} },
    );
  };
  // React hides what waits again.
  const count = (text: string): number =>
    screen.queryAllByText(text, { exact: false }).filter(({ style }) => style.display !== 'none')
      .length;
  return { server, getPanel, respond, clock, controller, signIn, again, open, count };
}

/** Lets a while pass in which the page renders again and again. */
async function wait({ clock, again }: ReturnType<typeof application>): Promise<void> {
  for (let second = 0; second < 10; second += 1) {
    await act(async () => again.call());
    await act(() => clock.pass(1_000));
  }
}

describe('an expired session with forty readers on the screen', { tags: 'scale' }, () => {
  it.each([
    ['that load for the first time', false, false],
    ['that load for the first time, refused one by one', false, true],
    ['that refetch', true, false],
    ['that refetch, refused one by one', true, true],
  ])(
    '%s costs forty requests, and none before or after the sign-in page stands',
    async (_, refetches, inTurn) => {
      const app = application();
      const { server, controller, getPanel, respond, signIn } = app;
      if (refetches) {
        app.open();
        await respond();
        expect(app.count('panel')).toBe(READERS);
        server.requests = 0;
        server.isLoggedIn = false;
        await act(async () => controller.expireAll(getPanel));
      } else {
        server.isLoggedIn = false;
        app.open();
      }
      expect(server.requests).toBe(READERS);
      await respond(inTurn);
      await respond();
      await wait(app);
      expect(app.count('panel')).toBe(0);
      expect(app.count('loading')).toBe(READERS - 1);
      expect(server.requests).toBe(READERS);
      await act(async () => signIn.call(true));
      await wait(app);
      expect(screen.getByText('Sign in')).toBeTruthy();
      expect(server.requests).toBe(READERS);
    },
  );

  it('loads them once when the page is opened again, without a reset too', async () => {
    const app = application();
    const { server, respond, clock, signIn } = app;
    server.isLoggedIn = false;
    app.open();
    await respond();
    await act(async () => signIn.call(true));
    await act(() => clock.pass(5_000));
    server.isLoggedIn = true;
    await act(async () => signIn.call(false));
    await respond();
    expect(app.count('panel')).toBe(READERS);
    expect(server.requests).toBe(2 * READERS);
  });

  it('loads those that stayed under a sign-in dialog by a reset after it', async () => {
    const app = application();
    const { server, respond, controller } = app;
    app.open();
    await respond();
    await act(async () => logout(controller));
    await wait(app);
    expect([app.count('panel'), app.count('loading')]).toEqual([0, READERS]);
    expect(server.requests).toBe(READERS);
    await act(async () => controller.resetEntireStore());
    expect(server.requests).toBe(2 * READERS);
    await respond();
    expect(app.count('panel')).toBe(READERS);
  });

  it.each<[string, (app: ReturnType<typeof application>) => unknown]>([
    ['expireAll', ({ controller, getPanel }) => controller.expireAll(getPanel)],
    ['invalidateAll', ({ controller, getPanel }) => controller.invalidateAll(getPanel)],
    [
      'fetches of its own',
      ({ controller, getPanel }) => {
        for (let index = 0; index < READERS; index += 1) {
          void controller.fetch(getPanel, { id: `${index}` });
        }
      },
    ],
  ])('loads those that stayed by %s', async (_, release) => {
    const app = application();
    const { server, respond, controller } = app;
    app.open();
    await respond();
    await act(async () => logout(controller));
    await act(async () => void release(app));
    expect(server.requests).toBe(2 * READERS);
    await respond();
    expect(app.count('panel')).toBe(READERS);
    expect(server.requests).toBe(2 * READERS);
    cleanup();
  });
});

type How = 'plain' | 'transition' | 'action';

const getSignedIn = new Endpoint(async () => 'Ada', { name: 'getSignedIn' });

function Profile(): ReactNode {
  return <p>{useSuspense(getSignedIn)}</p>;
}

function SignOut({ how }: { how: How }): ReactNode {
  const controller = useController();
  const leave = (): void => logout(controller);
  return (
    <form action={how === 'action' ? leave : undefined}>
      <button
        type={how === 'action' ? 'submit' : 'button'}
        onClick={() => {
          if (how === 'plain') leave();
          if (how === 'transition') startTransition(leave);
        }}
      >
        Sign out
      </button>
    </form>
  );
}

// React 18 has no form actions.
const hows: readonly How[] = ['plain', 'transition', 'action'];

it.each(version.startsWith('18') ? hows.slice(0, 2) : hows)(
  'a sign-out clears the screen: %s',
  async (how) => {
    render(
      <DataProvider>
        <AsyncBoundary fallback={<p>loading</p>}>
          <Profile />
        </AsyncBoundary>
        <SignOut how={how} />
      </DataProvider>,
    );
    expect(await screen.findByText('Ada')).toBeDefined();
    await act(async () => screen.getByRole('button').click());
    expect(screen.getByText('loading')).toBeDefined();
    expect(screen.queryByText('Ada')?.style.display ?? 'none').toBe('none');
  },
);
