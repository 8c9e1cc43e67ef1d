import { act, render, screen } from '@testing-library/react';
import { Activity, type ReactNode, StrictMode, useState } from 'react';
import { Controller, Endpoint, PollingManager, type View } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useController,
  useLive,
  useQuery,
  useSuspense,
} from 'restitch/react';
import { describe, expect, it, vi } from 'vitest';
import { Clock } from '../support/clock.js';
import {
  counter,
  hasActivity,
  show,
  textEndpoint,
  User,
  watchConsole,
  write,
} from '../support/reactWorld.js';

const logged = watchConsole();

/** A controller that counts who listens to its views and who holds them. */
function counting(): { controller: Controller; listeners: () => number; leases: () => number } {
  const controller = new Controller();
  const counted = new WeakSet<View<unknown>>();
  let listeners = 0;
  let leases = 0;
  const count = <T,>(view: View<T>): View<T> => {
    if (counted.has(view)) return view;
    counted.add(view);
    const [subscribe, retain] = [view.subscribe.bind(view), view.retain.bind(view)];
    view.subscribe = (listener) => {
      listeners += 1;
      const stop = subscribe(listener);
      return () => {
        listeners -= 1;
        stop();
      };
    };
    view.retain = () => {
      leases += 1;
      const stop = retain();
      return () => {
        leases -= 1;
        stop();
      };
    };
    return view;
  };
  const { observe, observeQuery } = controller;
  Object.assign(controller, {
    observe: (...args: Parameters<typeof observe>) => count(observe(...args)),
    observeQuery: (...args: Parameters<typeof observeQuery>) => count(observeQuery(...args)),
  });
  return { controller, listeners: () => listeners, leases: () => leases };
}

describe('a mounted reader', () => {
  it('has one listener and one lease in Strict Mode, sends one request, and leaves none behind', async () => {
    const { controller, listeners, leases } = counting();
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const Row = () => <p>{useQuery(User, { id: '1' })?.name}</p>;
    const { unmount } = show(
      <>
        <Text />
        <Text />
        <Row />
      </>,
      { controller },
    );
    expect(calls).toHaveLength(1);
    await respond('there');
    expect(screen.getAllByText('there')).toHaveLength(2);
    expect([listeners(), leases()]).toEqual([3, 3]);
    unmount();
    expect([listeners(), leases()]).toEqual([0, 0]);
    expect(calls).toHaveLength(1);
  });

  it('may unmount during a request: the response is cached and nothing is logged', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { controller, rerender } = show(<Text />);
    rerender(null);
    await respond('late');
    expect(controller.getResponse(getText, { id: '1' })).toBe('late');
    rerender(<Text />);
    expect(screen.getByText('late')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('that is unmounted when its request fails causes no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { getText, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />).unmount();
    await fail(new Error('late'));
    await new Promise((resolve) => setTimeout(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe.runIf(hasActivity)('a reader in a hidden <Activity>', () => {
  it('neither renders nor fetches, and shows the current value as soon as it is shown again', async () => {
    const { controller, listeners } = counting();
    const { getText, calls, respond } = textEndpoint();
    const renders = counter();
    function Text() {
      renders.add();
      return <p>{useSuspense(getText, { id: '1' })}</p>;
    }
    const page = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Text />
      </Activity>
    );
    const { rerender } = show(page('visible'), { controller, strict: false });
    await respond('old');
    rerender(page('hidden'));
    expect(listeners()).toBe(0);
    const before = renders.count;
    await write(() => controller.setResponse(getText, { id: '1' }, 'new'));
    await write(() => controller.expireAll(getText));
    expect([renders.count, calls.length]).toEqual([before, 1]);
    rerender(page('visible'));
    expect(screen.getByText('new')).toBeDefined();
    expect(calls).toHaveLength(2);
    expect(listeners()).toBe(1);
  });
});

describe.runIf(hasActivity)('a polling reader in a hidden <Activity>', () => {
  it('neither renders nor polls until it is shown again', async () => {
    const clock = new Clock();
    const controller = new Controller({
      managers: [new PollingManager()],
      environment: clock.environment,
    });
    let count = 0;
    const getCount = new Endpoint(async () => (count += 1), {
      name: 'getPolled',
      pollFrequency: 1_000,
    });
    const renders = counter();
    function Live() {
      renders.add();
      return <p>count {useLive(getCount)}</p>;
    }
    const page = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Live />
      </Activity>
    );
    const { rerender } = show(page('visible'), { controller, strict: false });
    await act(() => clock.pass(1_000));
    expect(screen.getByText('count 2')).toBeDefined();
    rerender(page('hidden'));
    const before = [renders.count, count];
    await act(() => clock.pass(5_000));
    expect([renders.count, count]).toEqual(before);
    rerender(page('visible'));
    await act(() => clock.pass(1_000));
    expect(screen.queryByText('count 2')).toBeNull();
    expect(count).toBeGreaterThan(2);
  });
});

describe('a reader that suspends and never commits', () => {
  it('leaves no listener and no lease', async () => {
    const { controller, listeners, leases } = counting();
    const { getText, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { rerender } = show(<Text />, { controller });
    expect([listeners(), leases()]).toEqual([0, 0]);
    rerender(<p>something else</p>);
    await respond('late');
    expect([listeners(), leases()]).toEqual([0, 0]);
    expect(screen.getByText('something else')).toBeDefined();
  });

  it('leaves no view either after a garbage collection, which one that still waits outlives', async () => {
    const clock = new Clock();
    const controller = new Controller({ environment: clock.environment });
    const { getText, calls, respond } = textEndpoint();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
    const { rerender, unmount } = show(<Text id="1" />, { controller });
    rerender(<Text id="2" />);
    await act(() => clock.pass(1_200_000));
    await respond('text of two');
    expect(screen.getByText('text of two')).toBeDefined();
    await respond('late', 0);
    unmount();
    await act(() => clock.pass(1_200_000));
    // A controller that knows of nothing waits for no further sweep.
    expect([calls.length, clock.idleWaits]).toEqual([2, 0]);
  });
});

describe('a controller', () => {
  it('shared by two React roots keeps them consistent', async () => {
    const controller = new Controller();
    const Row = () => <p>{useQuery(User, { id: '1' })?.name}</p>;
    show(<Row />, { controller });
    show(<Row />, { controller });
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' }));
    expect(screen.getAllByText('Ada')).toHaveLength(2);
  });

  it('keeps its cache when the provider is mounted again, and writes before and between', async () => {
    const controller = new Controller();
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const Row = () => <b>{useQuery(User, { id: '1' })?.name}</b>;
    const page = (
      <>
        <Text />
        <Row />
      </>
    );
    controller.set(User, { id: '1' }, { id: '1', name: 'before' });
    const first = show(page, { controller });
    await respond('text');
    expect(screen.getByText('before')).toBeDefined();
    first.unmount();
    controller.set(User, { id: '1' }, { id: '1', name: 'between' });
    show(page, { controller });
    expect(screen.getByText('between')).toBeDefined();
    expect(screen.getByText('text')).toBeDefined();
    expect(calls).toHaveLength(1);
  });
});

describe('DataProvider that is given another controller', () => {
  it('shows the data of that one, and is notified of its writes only', async () => {
    const [first, second] = [new Controller(), new Controller()];
    first.set(User, { id: '1' }, { id: '1', name: 'of the first' });
    second.set(User, { id: '1' }, { id: '1', name: 'of the second' });
    const Row = () => <p>{useQuery(User, { id: '1' })?.name}</p>;
    const page = (controller: Controller) => (
      <DataProvider controller={controller}>
        <Row />
      </DataProvider>
    );
    const { rerender } = render(page(first));
    await write(() => first.set(User, { id: '1' }, { id: '1', name: 'of the first, changed' }));
    rerender(page(second));
    expect(screen.getByText('of the second')).toBeDefined();
    await write(() => first.set(User, { id: '1' }, { id: '1', name: 'unheard' }));
    expect(screen.getByText('of the second')).toBeDefined();
    await write(() => second.set(User, { id: '1' }, { id: '1', name: 'notified' }));
    expect(screen.getByText('notified')).toBeDefined();
  });
});

describe('DataProvider without props', () => {
  const strict = (children: ReactNode): ReactNode => (
    <StrictMode>
      <DataProvider>{children}</DataProvider>
    </StrictMode>
  );

  it('makes one controller that lasts, in Strict Mode too', async () => {
    const seen = new Set<Controller>();
    const { getText, calls, respond } = textEndpoint();
    function Text() {
      seen.add(useController());
      return <p>{useSuspense(getText, { id: '1' })}</p>;
    }
    const page = (
      <AsyncBoundary fallback="loading">
        <Text />
      </AsyncBoundary>
    );
    const { rerender } = render(strict(page));
    await respond('there');
    rerender(strict(page));
    expect(screen.getByText('there')).toBeDefined();
    expect(seen.size).toBe(1);
    expect(calls).toHaveLength(1);
  });

  it('starts its managers once, and stops them when it unmounts and only then', async () => {
    const [init, cleanup] = [vi.fn(), vi.fn()];
    const managers = [{ init, cleanup }];
    const page = (text: string): ReactNode => (
      <StrictMode>
        <DataProvider managers={managers}>
          <UseIt />
          {text}
        </DataProvider>
      </StrictMode>
    );
    const { getText } = textEndpoint();
    const UseIt = () => <p>{useCache(getText, { id: '1' })}</p>;
    const { rerender, unmount } = render(page('here'));
    await act(async () => {});
    rerender(page('still here'));
    await act(async () => {});
    expect(cleanup).not.toHaveBeenCalled();
    unmount();
    await act(async () => {});
    expect([init.mock.calls.length, cleanup.mock.calls.length]).toEqual([1, 1]);
  });

  it('warns about a reader without a boundary, and shows its data all the same', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    render(strict(<Text />));
    await respond('there');
    expect(screen.getByText('there')).toBeDefined();
    expect(calls).toHaveLength(1);
    expect(logged.splice(0).join()).toMatch(/without an <AsyncBoundary> or <Suspense>/);
  });

  it('keeps its controller through renders with other props and state', async () => {
    const seen = new Set<Controller>();
    function Inner() {
      seen.add(useController());
      return null;
    }
    function Page() {
      const [count, setCount] = useState(0);
      return (
        <DataProvider>
          <button onClick={() => setCount(count + 1)}>count {count}</button>
          <Inner />
        </DataProvider>
      );
    }
    render(<Page />);
    await act(async () => screen.getByText('count 0').click());
    expect(seen.size).toBe(1);
  });
});

describe('a hook outside of DataProvider', () => {
  it('throws what to do, and logs it', () => {
    const Lost = () => <p>{useQuery(User, { id: '1' })?.name}</p>;
    expect(() => render(<Lost />)).toThrow(/Wrap your application once: <DataProvider>/);
    const own = logged.splice(0).filter((text) => text.startsWith('restitch: '));
    expect(own[0]).toMatch(/Wrap your application once: <DataProvider>/);
  });
});
