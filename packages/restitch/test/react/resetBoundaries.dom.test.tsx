import { act, render, screen } from '@testing-library/react';
import { type ReactNode, useLayoutEffect } from 'react';
import { Controller, logout, LogoutManager, NetworkError } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  ErrorBoundary,
  useController,
  useSuspense,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { textEndpoint, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

const refused = (): NetworkError => new NetworkError(new Response(null, { status: 401 }));

/** A reader below one kind of boundary. */
function page(boundary: (children: ReactNode) => ReactNode, controller = new Controller()) {
  const server = textEndpoint();
  const Text = (): ReactNode => <p>{useSuspense(server.getText, { id: '1' })}</p>;
  const { unmount } = render(
    <DataProvider controller={controller}>{boundary(<Text />)}</DataProvider>,
    { onCaughtError: () => {} },
  );
  return { ...server, controller, unmount };
}

const boundaries: [string, (children: ReactNode) => ReactNode][] = [
  ['AsyncBoundary', (children) => <AsyncBoundary fallback="loading">{children}</AsyncBoundary>],
  [
    'ErrorBoundary',
    (children) => (
      <AsyncBoundary fallback="loading">
        <ErrorBoundary>{children}</ErrorBoundary>
      </AsyncBoundary>
    ),
  ],
];

describe.each(boundaries)('an %s that shows an error', (_, boundary) => {
  it('renders its children anew after resetEntireStore, with one request', async () => {
    const { calls, fail, respond, controller } = page(boundary);
    await fail(refused());
    expect(screen.getByRole('alert')).toBeDefined();
    await write(() => controller.resetEntireStore());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('loading')).toBeDefined();
    await respond('Bob');
    expect(screen.getByText('Bob')).toBeDefined();
    expect(calls).toHaveLength(2);
  });

  it('renders its children anew after a reset that comes before its effects', async () => {
    const { getText, calls, respond } = textEndpoint();
    const controller = new Controller();
    controller.setError(getText, { id: '1' }, refused());
    const Text = (): ReactNode => <p>{useSuspense(getText, { id: '1' })}</p>;
    // Layout effects run between the commit of the boundary and its effects.
    const SignIn = (): ReactNode => {
      const { resetEntireStore } = useController();
      useLayoutEffect(() => resetEntireStore(), [resetEntireStore]);
      return null;
    };
    render(
      <DataProvider controller={controller}>
        {boundary(<Text />)}
        <SignIn />
      </DataProvider>,
      { onCaughtError: () => {} },
    );
    await write(() => {});
    expect(screen.queryByRole('alert')).toBeNull();
    await respond('Bob');
    expect(screen.getByText('Bob')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('keeps it at the end of a session, and shows the next one after the sign-in', async () => {
    const controller = new Controller({ managers: [new LogoutManager()] });
    const { calls, fail, respond } = page(boundary, controller);
    await fail(refused());
    await write(() => logout(controller));
    expect(screen.getByRole('alert').textContent).toContain('401');
    expect(calls).toHaveLength(1);
    await write(() => controller.resetEntireStore());
    await respond('Bob');
    expect(screen.getByText('Bob')).toBeDefined();
  });
});

describe('a boundary of the library', () => {
  it('forgets what a component threw by itself, too', async () => {
    const controller = new Controller();
    let isBroken = true;
    const Broken = (): ReactNode => {
      if (isBroken) throw new Error('of the session before');
      return <p>whole</p>;
    };
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary>
          <Broken />
        </AsyncBoundary>
      </DataProvider>,
      { onCaughtError: () => {} },
    );
    expect(screen.getByRole('alert')).toBeDefined();
    isBroken = false;
    await write(() => controller.resetEntireStore());
    expect(screen.getByText('whole')).toBeDefined();
  });

  it('follows a new controller of its provider', async () => {
    const { getText, fail, respond } = textEndpoint();
    const Text = (): ReactNode => <p>{useSuspense(getText, { id: '1' })}</p>;
    const tree = (controller: Controller): ReactNode => (
      <DataProvider controller={controller}>
        <AsyncBoundary>
          <Text />
        </AsyncBoundary>
      </DataProvider>
    );
    const next = new Controller();
    const { rerender } = render(tree(new Controller()), { onCaughtError: () => {} });
    await fail(refused());
    await act(async () => rerender(tree(next)));
    await write(() => next.resetEntireStore());
    await respond('Bob');
    expect(screen.getByText('Bob')).toBeDefined();
  });
});
