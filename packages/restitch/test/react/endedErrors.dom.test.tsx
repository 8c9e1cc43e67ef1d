import { act, render, screen } from '@testing-library/react';
import { Activity, type ReactNode, StrictMode, startTransition } from 'react';
import { Controller, Endpoint, Entity, logout, NetworkError, resource } from 'restitch';
import { AsyncBoundary, DataProvider, useSuspense, useSuspenseAll } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import {
  counter,
  hasActivity,
  show,
  textEndpoint,
  watchConsole,
  write,
} from '../support/reactWorld.js';

watchConsole();

const missing = (): NetworkError => new NetworkError(new Response(null, { status: 404 }));
const isFailed = (): boolean => screen.queryByRole('alert') !== null;

/** A reader below a boundary that shows a 404. */
async function failedPage(strict: boolean) {
  const server = textEndpoint();
  const { getText } = server;
  const renders = counter();
  const Text = (): ReactNode => {
    renders.add();
    return <p>{useSuspense(getText, { id: '1' })}</p>;
  };
  const { controller } = show(<Text />, { strict });
  await server.fail(missing());
  expect(isFailed()).toBe(true);
  return { ...server, controller, renders };
}

describe.each([true, false])('a boundary that shows an error (Strict Mode: %s)', (strict) => {
  it('renders its children again after `invalidate`, with one request', async () => {
    const { getText, calls, respond, controller } = await failedPage(strict);
    await write(() => controller.invalidate(getText, { id: '1' }));
    expect([isFailed(), calls.length]).toEqual([false, 2]);
    expect(screen.getByText('loading')).toBeDefined();
    await respond('restored');
    expect(screen.getByText('restored')).toBeDefined();
    expect(calls).toHaveLength(2);
  });

  it('sends one request per `invalidate` while the error stays', async () => {
    const { getText, calls, fail, controller, renders } = await failedPage(strict);
    for (let count = 2; count < 5; count += 1) {
      await write(() => controller.invalidate(getText, { id: '1' }));
      await fail(missing());
      expect([isFailed(), calls.length]).toEqual([true, count]);
    }
    expect(renders.count).toBeLessThan(60);
  });

  it('renders its children again for every kind of invalidation', async () => {
    const { getText, calls, respond, fail, controller } = await failedPage(strict);
    await write(() => controller.invalidateAll(getText));
    await fail(missing());
    await write(() => controller.resetEntireStore());
    await respond('restored');
    expect(screen.getByText('restored')).toBeDefined();
    expect(calls).toHaveLength(3);
  });

  it('shows a response that the application stores, without a request', async () => {
    const { getText, calls, controller } = await failedPage(strict);
    await write(() => controller.setResponse(getText, { id: '1' }, 'stored'));
    expect(screen.getByText('stored')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('shows the response to a request of the application', async () => {
    const { getText, calls, respond, controller } = await failedPage(strict);
    await write(() => void controller.fetch(getText, { id: '1' }));
    expect(isFailed()).toBe(true);
    await respond('fetched');
    expect(screen.getByText('fetched')).toBeDefined();
    expect(calls).toHaveLength(2);
  });

  it('keeps an error that expires, and a new one of another request', async () => {
    const { getText, calls, fail, controller } = await failedPage(strict);
    await write(() => controller.expireAll(getText));
    await write(() => controller.fetch(getText, { id: '1' }).catch(() => {}));
    await fail(new Error('another'));
    expect([isFailed(), calls.length]).toEqual([true, 2]);
  });

  it('keeps the error at a sign-out, and shows the next session after it', async () => {
    const { calls, respond, controller } = await failedPage(strict);
    await write(() => logout(controller));
    expect([isFailed(), calls.length]).toEqual([true, 1]);
    await write(() => controller.resetEntireStore());
    await respond('of Bob');
    expect(screen.getByText('of Bob')).toBeDefined();
    expect(calls).toHaveLength(2);
  });

  it('keeps the error on the screen in a transition until the data is there', async () => {
    const { getText, respond, controller } = await failedPage(strict);
    await write(() => startTransition(() => void controller.invalidate(getText, { id: '1' })));
    expect(isFailed()).toBe(true);
    await respond('restored');
    expect([isFailed(), screen.queryByText('restored') !== null]).toEqual([false, true]);
  });
});

it('one error object of two boundaries resets only the boundary whose error ended', async () => {
  const [one, two] = [textEndpoint(), textEndpoint()];
  const Text = ({ of }: { of: typeof one }): ReactNode => (
    <p>{useSuspense(of.getText, { id: '1' })}</p>
  );
  const { controller } = show(
    [one, two].map((of, index) => (
      <AsyncBoundary key={index} fallback="waits">
        <Text of={of} />
      </AsyncBoundary>
    )),
  );
  const shared = new Error('No token');
  await one.fail(shared);
  await two.fail(shared);
  await write(() => controller.invalidate(two.getText, { id: '1' }));
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  await two.respond('two');
  expect(screen.getByText('two')).toBeDefined();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect([one.calls.length, two.calls.length]).toEqual([1, 2]);
});

it('an error that a component throws again after its end causes no endless loop', async () => {
  const { getText, fail, respond } = textEndpoint();
  const renders = counter();
  const kept: { error?: Error } = {};
  const Text = (): ReactNode => <p>{useSuspense(getText, { id: '1' })}</p>;
  function Page(): ReactNode {
    renders.add();
    if (kept.error) throw kept.error;
    return <Text />;
  }
  const { controller } = show(<Page />);
  kept.error = new Error('kept');
  await fail(kept.error);
  await write(() => controller.invalidate(getText, { id: '1' }));
  expect(isFailed()).toBe(true);
  await write(() => controller.setResponse(getText, { id: '1' }, 'there'));
  expect(isFailed()).toBe(true);
  expect(renders.count).toBeLessThan(20);
  await respond('late');
});

it('calls that are read together are requested again after `invalidate` of one', async () => {
  const [one, two] = [textEndpoint(), textEndpoint()];
  const Texts = (): ReactNode => {
    const [a, b] = useSuspenseAll([
      [one.getText, { id: '1' }],
      [two.getText, { id: '1' }],
    ]);
    return <p>{a + b}</p>;
  };
  const { controller } = show(<Texts />);
  await one.respond('a');
  await two.fail(missing());
  expect(isFailed()).toBe(true);
  await write(() => controller.invalidate(two.getText, { id: '1' }));
  await two.respond('b');
  expect(screen.getByText('ab')).toBeDefined();
  expect([one.calls.length, two.calls.length]).toEqual([1, 2]);
});

it.runIf(hasActivity)('a hidden boundary is reset when it is shown again', async () => {
  const { getText, calls, respond, fail } = textEndpoint();
  const controller = new Controller();
  const Text = (): ReactNode => <p>{useSuspense(getText, { id: '1' })}</p>;
  const page = (mode: 'visible' | 'hidden'): ReactNode => (
    <StrictMode>
      <DataProvider controller={controller}>
        <Activity mode={mode}>
          <AsyncBoundary fallback="loading">
            <Text />
          </AsyncBoundary>
        </Activity>
      </DataProvider>
    </StrictMode>
  );
  const { rerender } = render(page('visible'), { onCaughtError: () => {} });
  await fail(missing());
  await act(async () => rerender(page('hidden')));
  await write(() => controller.invalidate(getText, { id: '1' }));
  expect(calls).toHaveLength(1);
  await act(async () => rerender(page('visible')));
  await respond('restored');
  expect(screen.getByText('restored')).toBeDefined();
  expect(calls).toHaveLength(2);
});

it('a record that is created and restored shows after `invalidate` of its page', async () => {
  class Note extends Entity {
    id = '';
    title = '';
    static override readonly key = 'EndedNote';
  }
  let isThere = false;
  const Notes = resource({ path: '/ended-notes/:id', schema: Note });
  const get = Notes.get.extend({
    fetch: async ({ id }: { id: string }) => {
      if (!isThere) throw missing();
      return { id, title: 'Milk' };
    },
  });
  const restore = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'Milk' }), {
    name: 'restoreNote',
    sideEffect: true,
    schema: Notes.getList.schema.unshift,
  });
  const Page = (): ReactNode => <p>{useSuspense(get, { id: '1' }).title}</p>;
  const { controller } = show(<Page />);
  await act(async () => {});
  expect(isFailed()).toBe(true);
  isThere = true;
  await write(() => controller.fetch(restore, { id: '1' }));
  await write(() => controller.invalidate(get, { id: '1' }));
  expect(screen.getByText('Milk')).toBeDefined();
});
