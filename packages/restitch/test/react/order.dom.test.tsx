import { act, screen } from '@testing-library/react';
import { startTransition, useState } from 'react';
import { Controller } from 'restitch';
import { useController, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { show, textEndpoint, User, watchConsole, write } from './support.js';

watchConsole();

const shown = (text: string): boolean => {
  const element = screen.queryByText(text);
  return element !== null && element.style.display !== 'none';
};

/** A page whose transition writes user 1 and then waits for a request: the write is pending until that is answered. */
function pendingWrite() {
  const { getText, answer } = textEndpoint();
  const controller = new Controller();
  controller.set(User, { id: '1' }, { id: '1', name: 'Ada 0' });
  controller.set(User, { id: '2' }, { id: '2', name: 'Bob 0' });
  const Name = ({ id }: { id: string }) => <p>{useQuery(User, { id })?.name}</p>;
  const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
  function Page() {
    const [waiting, wait] = useState(false);
    const [extra, setExtra] = useState<string>();
    const start = (): void =>
      startTransition(() => {
        controller.set(User, { id: '1' }, { id: '1', name: 'Ada 1' });
        wait(true);
      });
    return (
      <>
        <button onClick={start}>start</button>
        <button onClick={() => setExtra('1')}>mount</button>
        <Name id="1" />
        <Name id="2" />
        {extra && <b>{<Name id={extra} />}</b>}
        {waiting && <Text id="1" />}
      </>
    );
  }
  show(<Page />, { controller });
  return {
    controller,
    answer,
    start: () => act(async () => screen.getByText('start').click()),
    mount: () => act(async () => screen.getByText('mount').click()),
  };
}

describe('a write that waits in a transition', () => {
  it('is not shown before the transition ends', async () => {
    const { start, answer } = pendingWrite();
    await start();
    expect([shown('Ada 0'), shown('Ada 1'), shown('loading')]).toEqual([true, false, false]);
    await answer('done');
    expect([shown('Ada 1'), shown('done')]).toEqual([true, true]);
  });

  it('is carried along by a later urgent write of another row: never one without the other', async () => {
    const { start, answer, controller } = pendingWrite();
    await start();
    await write(() => controller.set(User, { id: '2' }, { id: '2', name: 'Bob 1' }));
    expect([shown('Ada 1'), shown('Bob 1'), shown('done')]).toEqual([true, true, false]);
    await answer('done');
    expect([shown('Ada 1'), shown('Bob 1'), shown('done')]).toEqual([true, true, true]);
  });

  it('is shown everywhere once a reader of that row is mounted urgently', async () => {
    const { start, answer, mount } = pendingWrite();
    await start();
    await mount();
    expect(screen.queryAllByText('Ada 0')).toHaveLength(0);
    expect(screen.getAllByText('Ada 1')).toHaveLength(2);
    await answer('done');
    expect(screen.getAllByText('Ada 1')).toHaveLength(2);
  });

  it('is not shown early by an urgent write that came before it', async () => {
    const { answer, controller } = pendingWrite();
    await act(async () => {
      controller.set(User, { id: '2' }, { id: '2', name: 'Bob 1' });
      screen.getByText('start').click();
    });
    expect([shown('Bob 1'), shown('Ada 0'), shown('Ada 1')]).toEqual([true, true, false]);
    await answer('done');
    expect([shown('Bob 1'), shown('Ada 1'), shown('done')]).toEqual([true, true, true]);
  });

  it('is shown by its transition after an urgent write of the same row', async () => {
    const { start, answer, controller } = pendingWrite();
    await start();
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada 2' }));
    expect(shown('Ada 2')).toBe(true);
    await answer('done');
    expect([shown('Ada 2'), shown('done')]).toEqual([true, true]);
  });
});

describe('data taken away in a transition', () => {
  it('stays on the screen when an urgent write of something else comes', async () => {
    const { getText, calls, answer } = textEndpoint();
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
    await answer('old');
    await act(async () => screen.getByText('refresh').click());
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Ada' }));
    expect([shown('old'), shown('Ada'), shown('loading')]).toEqual([true, true, false]);
    await answer('new');
    expect([shown('new'), shown('Ada')]).toEqual([true, true]);
    expect(calls).toHaveLength(2);
  });
});
