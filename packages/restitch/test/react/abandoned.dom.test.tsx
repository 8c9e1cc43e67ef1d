import { act, render, screen } from '@testing-library/react';
import { type ReactNode, startTransition, useState } from 'react';
import { Controller, Endpoint, logout } from 'restitch';
import { AsyncBoundary, DataProvider, useLive, useSuspense, useSuspenseAll } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { remote } from '../support/screen.js';
import { watchConsole } from '../support/reactWorld.js';

watchConsole();

type GetPage = Endpoint<(params: { id: string }) => Promise<string>>;
type Read = (getPage: GetPage, id: string) => string;

/** Pages that wait for their data, on a clock moved by hand. */
function application(read: Read) {
  const asked: string[] = [];
  let waiting: (() => void)[] = [];
  const getPage = new Endpoint(
    async ({ id }: { id: string }): Promise<string> => {
      asked.push(id);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return `page ${id}`;
    },
    { name: 'getPage', pollFrequency: 60_000 },
  );
  const respond = () =>
    act(async () => {
      const settled = waiting;
      waiting = [];
      settled.forEach((resolve) => resolve());
    });
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment });
  const show = remote<[string]>();
  function Page({ id }: { id: string }): ReactNode {
    return <p>{read(getPage, id)}</p>;
  }
  function Pages(): ReactNode {
    const [id, set] = useState('home');
    show.connect(set);
    return id === 'sign in' ? <p>sign in</p> : <Page id={id} />;
  }
  const open = () =>
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback={<p>waiting</p>}>
          <Pages />
        </AsyncBoundary>
      </DataProvider>,
    );
  const go = (id: string) => act(async () => startTransition(() => show.call(id)));
  return { asked, respond, clock, controller, show, open, go };
}

type Application = ReturnType<typeof application>;

describe.each<[string, Read]>([
  ['useSuspense', (getPage, id) => useSuspense(getPage, { id })],
  ['useLive', (getPage, id) => useLive(getPage, { id })],
  ['useSuspenseAll', (getPage, id) => useSuspenseAll([[getPage, { id }]])[0]],
])('a page that %s waited for in a transition', (_, read) => {
  it.each<[string, (app: Application) => Promise<void>]>([
    [
      'abandoned before the sign-out',
      async ({ go, show, controller }) => {
        await go('secret');
        await act(async () => show.call('sign in'));
        await act(async () => logout(controller));
      },
    ],
    [
      'abandoned by a transition before the sign-out',
      async ({ go, controller }) => {
        await go('secret');
        await go('sign in');
        await act(async () => logout(controller));
      },
    ],
    [
      'abandoned with the sign-out',
      async ({ go, show, controller }) => {
        await go('secret');
        await act(async () => {
          logout(controller);
          show.call('sign in');
        });
      },
    ],
    [
      'abandoned after the sign-out',
      async ({ go, show, controller }) => {
        await go('secret');
        await act(async () => logout(controller));
        await act(async () => show.call('sign in'));
      },
    ],
    [
      'abandoned for another before the sign-out',
      async ({ go, show, controller }) => {
        await go('secret');
        await go('other');
        await act(async () => logout(controller));
        await act(async () => show.call('sign in'));
      },
    ],
  ])('%s is not requested for the next user', async (__, leave) => {
    const app = application(read);
    app.open();
    await app.respond();
    await leave(app);
    await act(() => app.clock.pass(5_000));
    app.asked.length = 0;
    await act(async () => app.controller.resetEntireStore());
    await act(async () => app.show.call('home'));
    await app.respond();
    await act(() => app.clock.pass(5_000));
    expect(screen.getByText('page home')).toBeTruthy();
    expect(app.asked).toEqual(['home']);
  });
});
