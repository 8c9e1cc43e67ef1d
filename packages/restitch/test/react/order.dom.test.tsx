import { act, screen } from '@testing-library/react';
import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { Controller, Endpoint, Invalidate } from 'restitch';
import { useController, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { show, textEndpoint, User, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

const shownNow = (text: string): boolean => {
  const element = screen.queryByText(text);
  return element !== null && element.style.display !== 'none';
};

/** A page whose transition writes user 1 and then waits for a request: the write is pending until the response to that arrives. */
function pendingWrite(extra: ReactNode = <Name id="1" />, more: ReactNode = null) {
  const { getText, respond } = textEndpoint();
  const controller = new Controller();
  controller.set(User, { id: '1' }, { id: '1', name: 'Ada 0' });
  controller.set(User, { id: '2' }, { id: '2', name: 'Bob 0' });
  const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
  function Page() {
    const [waiting, wait] = useState(false);
    const [mounted, mount] = useState(false);
    const start = (): void =>
      startTransition(() => {
        controller.set(User, { id: '1' }, { id: '1', name: 'Ada 1' });
        wait(true);
      });
    return (
      <>
        <button onClick={start}>start</button>
        <button onClick={() => mount(true)}>mount</button>
        <Name id="1" />
        <Name id="2" />
        {more}
        {mounted && extra}
        {waiting && <Text id="1" />}
      </>
    );
  }
  const page = show(<Page />, { controller });
  return {
    ...page,
    controller,
    respond,
    start: () => act(async () => screen.getByText('start').click()),
    mount: () => act(async () => screen.getByText('mount').click()),
  };
}

const Name = ({ id }: { id: string }) => <p>{useQuery(User, { id })?.name}</p>;

describe('a write that waits in a transition', () => {
  it('is not shown before the transition ends', async () => {
    const { start, respond } = pendingWrite();
    await start();
    expect([shownNow('Ada 0'), shownNow('Ada 1'), shownNow('loading')]).toEqual([
      true,
      false,
      false,
    ]);
    await respond('done');
    expect([shownNow('Ada 1'), shownNow('done')]).toEqual([true, true]);
  });

  it('is carried along by a later urgent write of another row: never one without the other', async () => {
    const { start, respond, controller } = pendingWrite();
    await start();
    await write(() => controller.set(User, { id: '2' }, { id: '2', name: 'Bob 1' }));
    expect([shownNow('Ada 1'), shownNow('Bob 1'), shownNow('done')]).toEqual([true, true, false]);
    await respond('done');
    expect([shownNow('Ada 1'), shownNow('Bob 1'), shownNow('done')]).toEqual([true, true, true]);
  });

  const texts = (): (string | null)[] =>
    screen.queryAllByText(/^(Ada|Bob) /).map(({ textContent }) => textContent);

  it('is shown everywhere in the commit in which a reader of that row is mounted urgently', async () => {
    const { start, respond, mount } = pendingWrite();
    await start();
    await mount();
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Ada 1']);
    await respond('done');
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Ada 1']);
  });

  it('is shown everywhere, too, when a reader of something else is mounted urgently', async () => {
    const { start, respond, mount } = pendingWrite(<Name id="2" />);
    await start();
    await mount();
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Bob 0']);
    await respond('done');
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Bob 0']);
  });

  it('is shown in the same objects by a result that no reader has read before', async () => {
    const seen = new Map<string, unknown>();
    const getUsers = new Endpoint(async () => [], { name: 'getUsers', schema: { all: [User] } });
    const First = () => {
      const user = useQuery(User, { id: '1' });
      useLayoutEffect(() => void seen.set('row', user));
      return null;
    };
    const List = () => {
      const { all } = useSuspense(getUsers);
      useLayoutEffect(() => void seen.set('list', all[0]));
      return all.map(({ id, name }) => <p key={id}>{name}</p>);
    };
    const { controller, start, respond, mount } = pendingWrite(
      <>
        <List />
        <List />
      </>,
      <First />,
    );
    await write(() =>
      controller.setResponse(getUsers, {
        all: [
          { id: '1', name: 'Ada 0' },
          { id: '2', name: 'Bob 0' },
        ],
      }),
    );
    await start();
    expect(texts()).toEqual(['Ada 0', 'Bob 0']);
    await mount();
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Ada 1', 'Bob 0', 'Ada 1', 'Bob 0']);
    expect(seen.get('list')).toBe(seen.get('row'));
    await respond('done');
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Ada 1', 'Bob 0', 'Ada 1', 'Bob 0']);
    expect(seen.get('list')).toBe(seen.get('row'));
  });

  it('that deletes a row is shown everywhere once a reader is mounted urgently', async () => {
    const { controller, start, respond, mount } = pendingWrite();
    const gone = new Endpoint(async () => ({ id: '1' }), {
      name: 'deleteUser',
      sideEffect: true,
      schema: new Invalidate(User),
    });
    await start();
    await act(async () => {
      startTransition(() => controller.setResponse(gone, { id: '1' }));
    });
    expect(texts()).toEqual(['Ada 0', 'Bob 0']);
    await mount();
    expect(texts()).toEqual(['Bob 0']);
    await respond('done');
    expect(texts()).toEqual(['Bob 0']);
  });

  it('shows an unknown row at once to its first reader, and then everywhere', async () => {
    const { controller, start, respond, mount } = pendingWrite(<Name id="3" />);
    await start();
    await act(async () => {
      startTransition(() => controller.set(User, { id: '3' }, { id: '3', name: 'Bob 3' }));
    });
    expect(texts()).toEqual(['Ada 0', 'Bob 0']);
    await mount();
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Bob 3']);
    await respond('done');
    expect(texts()).toEqual(['Ada 1', 'Bob 0', 'Bob 3']);
  });

  it('lets a reader that was mounted later unmount, and another one come after it', async () => {
    const { start, respond, mount, unmount } = pendingWrite();
    await start();
    await mount();
    unmount();
    await respond('done');
    expect(texts()).toEqual([]);
  });

  it('is not shown early by an urgent write that came before it', async () => {
    const { respond, controller } = pendingWrite();
    await act(async () => {
      controller.set(User, { id: '2' }, { id: '2', name: 'Bob 1' });
      screen.getByText('start').click();
    });
    expect([shownNow('Bob 1'), shownNow('Ada 0'), shownNow('Ada 1')]).toEqual([true, true, false]);
    await respond('done');
    expect([shownNow('Bob 1'), shownNow('Ada 1'), shownNow('done')]).toEqual([true, true, true]);
  });

  it('is shown by its transition after an urgent write of the same row', async () => {
    const { start, respond, controller } = pendingWrite();
    await start();
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada 2' }));
    expect(shownNow('Ada 2')).toBe(true);
    await respond('done');
    expect([shownNow('Ada 2'), shownNow('done')]).toEqual([true, true]);
  });
});

describe('a reader that is mounted together with a write', () => {
  const together = async (start: (work: () => void) => void) => {
    const controller = new Controller();
    controller.set(User, { id: '1' }, { id: '1', name: 'Ada 0' });
    const names: unknown[] = [];
    function Late() {
      const name = useQuery(User, { id: '1' })?.name;
      names.push(name);
      return <p>{name}</p>;
    }
    function Page() {
      const [mounted, mount] = useState(false);
      const click = (): void =>
        start(() => {
          controller.set(User, { id: '1' }, { id: '1', name: 'Ada 1' });
          mount(true);
        });
      return (
        <>
          <button onClick={click}>both</button>
          <Name id="1" />
          {mounted && <Late />}
        </>
      );
    }
    show(<Page />, { controller, strict: false });
    await act(async () => screen.getByText('both').click());
    expect(screen.getAllByText('Ada 1')).toHaveLength(2);
    return names;
  };

  it('in one event shows the written value in its first and only render', async () => {
    expect(await together((work) => work())).toEqual(['Ada 1']);
  });

  it('in one transition shows the written value in its first and only render', async () => {
    expect(await together((work) => startTransition(work))).toEqual(['Ada 1']);
  });
});

describe('data taken away in a transition', () => {
  it('stays on the screen when an urgent write of something else comes', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const Name = () => <p>{useQuery(User, { id: '1' })?.name}</p>;
    function Refresh() {
      const controller = useController();
      return (
        <button
          onClick={() => startTransition(() => void controller.invalidate(getText, { id: '1' }))}
        >
          refresh
        </button>
      );
    }
    const { controller } = show(
      <>
        <Text />
        <Name />
        <Refresh />
      </>,
    );
    await respond('old');
    await act(async () => screen.getByText('refresh').click());
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' }));
    expect([shownNow('old'), shownNow('Ada'), shownNow('loading')]).toEqual([true, true, false]);
    await respond('new');
    expect([shownNow('new'), shownNow('Ada')]).toEqual([true, true]);
    expect(calls).toHaveLength(2);
  });
});
