/** A component calls `useFetch`, and a child in a boundary of its own reads the promise. */
import { act, screen } from '@testing-library/react';
import * as React from 'react';
import type { ReactNode } from 'react';
import { Controller, logout, LogoutManager } from 'restitch';
import { AsyncBoundary, useFetch } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { hasUse, show, textEndpoint, watchConsole, write } from '../support/reactWorld.js';
import { SessionData } from '../support/userWorld.js';

watchConsole();

const Child = ({ text }: { text: Promise<string> }): ReactNode => <p>{React.use(text)}</p>;

async function page(strict: boolean) {
  const server = textEndpoint();
  const controller = new Controller({ managers: [new LogoutManager()] });
  const Page = (): ReactNode => {
    const text = useFetch(server.getText, { id: '1' });
    return (
      <AsyncBoundary fallback="inner">
        <Child text={text} />
      </AsyncBoundary>
    );
  };
  await act(async () => show(<Page />, { controller, strict }));
  return { ...server, controller };
}

describe.runIf(hasUse).each([
  ['', false],
  [' in Strict Mode', true],
])('a child that waits for the promise of useFetch%s', (_, strict) => {
  it('waits for the next response after a reset', async () => {
    const { calls, respond, controller } = await page(strict);
    await write(() => controller.resetEntireStore());
    expect(screen.queryByRole('alert')).toBeNull();
    expect([screen.getByText('inner') !== null, calls.length]).toEqual([true, 2]);
    await write(() => controller.resetEntireStore());
    await respond('Bob');
    expect([screen.getByText('Bob') !== null, calls.length]).toEqual([true, 3]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('waits for the sign-in after a logout', async () => {
    const { calls, respond, controller } = await page(strict);
    await write(() => logout(controller));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(calls).toHaveLength(1);
    await write(() => controller.resetEntireStore());
    expect(calls).toHaveLength(2);
    await respond('Bob');
    expect(screen.getByText('Bob')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('waits for the next response if a child resets the store at its sign-in', async () => {
    const server = textEndpoint();
    const Page = ({ user }: { user: string }): ReactNode => {
      const text = useFetch(server.getText, { id: user });
      return (
        <AsyncBoundary fallback="inner">
          <Child text={text} />
          <SessionData userId={user} />
        </AsyncBoundary>
      );
    };
    const { rerender } = await act(async () => show(<Page user="1" />, { strict }));
    await act(async () => rerender(<Page user="2" />));
    await server.respond('Bob');
    expect(screen.getByText('Bob')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
