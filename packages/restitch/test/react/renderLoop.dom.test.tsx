import { act, render, screen } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { byPage, Collection, Controller, Endpoint, Entity, RestEndpoint } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useCancelling,
  useInfinite,
  useLive,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { counter, watchConsole } from '../support/reactWorld.js';

const logged = watchConsole();

class Row extends Entity {
  id = '';
}

function application() {
  const answers: ((value: unknown) => void)[] = [];
  const send = (): Promise<any> => new Promise((resolve) => answers.push(resolve));
  const getText = new Endpoint(send, { name: 'getText', pollFrequency: 60_000 });
  const getList = new RestEndpoint({
    path: '/rows',
    schema: { results: new Collection([Row]), total: 0 },
    pagination: byPage({ param: 'page', total: 'total' }),
    fetch: send,
  });
  const kinds = {
    useSuspense: (): unknown => useSuspense(getText),
    useSuspenseAll: (): unknown => useSuspenseAll([[getText]]),
    useLive: (): unknown => useLive(getText),
    useCancelling: (): unknown => useSuspense(useCancelling(getText)),
    useInfinite: (): unknown => useInfinite(getList),
  };
  const respond = (): Promise<void> =>
    act(async () => {
      for (const answer of answers.splice(0)) answer({ results: [], total: 0 });
    });
  return { kinds, respond };
}

type Kind = keyof ReturnType<typeof application>['kinds'];

describe('three readers below a boundary each', () => {
  it.each<Kind[]>([
    ['useSuspense', 'useSuspense', 'useSuspense'],
    ['useSuspenseAll', 'useSuspenseAll', 'useSuspenseAll'],
    ['useLive', 'useLive', 'useLive'],
    ['useCancelling', 'useCancelling', 'useCancelling'],
    ['useInfinite', 'useSuspense', 'useSuspense'],
    ['useInfinite', 'useInfinite', 'useInfinite'],
  ])('load again after a reset without endless renders: %s, %s, %s', async (...kinds) => {
    const app = application();
    const controller = new Controller();
    const renders = counter();
    const page: ReactNode = kinds.map((kind, index) => {
      const useData = app.kinds[kind];
      const Reader = (): ReactNode => {
        renders.add();
        if (renders.count > 5_000) throw new Error('renders without an end');
        return useData() ? <p>shown</p> : undefined;
      };
      return (
        <AsyncBoundary key={index} fallback={<p>loading</p>}>
          <Reader />
        </AsyncBoundary>
      );
    });
    render(<DataProvider controller={controller}>{page}</DataProvider>);
    await act(async () => controller.resetEntireStore());
    expect(screen.getAllByText('loading')).toHaveLength(3);
    await app.respond();
    expect(screen.getAllByText('shown')).toHaveLength(3);
    // React logs once that a reader that was shown called `use()` only while it waited.
    expect(logged.splice(0).every((text) => text.includes('did not call use()'))).toBe(true);
  });
});

it('three readers with new arguments, reset in an effect, render only a few times', async () => {
  const controller = new Controller();
  const answers: (() => void)[] = [];
  const getText = new Endpoint(
    ({ user }: { user: string }) =>
      new Promise<string>((resolve) => answers.push(() => resolve(user))),
    { name: 'getTextOfUser' },
  );
  const renders = counter();
  const Reader = ({ user }: { user: string }): ReactNode => {
    renders.add();
    return <p>{useSuspense(getText, { user })}</p>;
  };
  const Session = ({ user }: { user: string }): null => {
    const { resetEntireStore } = useController();
    useEffect(() => resetEntireStore(), [resetEntireStore, user]);
    return null;
  };
  const page = (user: string): ReactNode => (
    <DataProvider controller={controller}>
      {[1, 2, 3].map((key) => (
        <AsyncBoundary key={key} fallback={<b>loading</b>}>
          <Reader user={user} />
        </AsyncBoundary>
      ))}
      <Session user={user} />
    </DataProvider>
  );
  const respond = (): Promise<void> => act(async () => answers.splice(0).forEach((go) => go()));
  const { rerender } = render(page('ada'));
  await act(async () => {});
  await respond();
  expect(screen.getAllByText('ada')).toHaveLength(3);
  const before = renders.count;
  await act(async () => rerender(page('bob')));
  await respond();
  expect(screen.getAllByText('bob')).toHaveLength(3);
  expect(renders.count - before).toBeLessThan(60);
});
