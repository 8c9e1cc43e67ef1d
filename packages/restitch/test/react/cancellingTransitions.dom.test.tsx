import { act, render } from '@testing-library/react';
import { startTransition, Suspense, useState } from 'react';
import { Controller } from 'restitch';
import { DataProvider, useCancelling, useSuspense } from 'restitch/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortable } from '../support/abortable.js';
import { remote } from '../support/screen.js';
import { show, watchConsole, write } from '../support/reactWorld.js';

watchConsole();
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const text = (): string => document.body.textContent ?? '';
const pass = (milliseconds: number): Promise<void> =>
  act(() => vi.advanceTimersByTimeAsync(milliseconds).then(() => {}));

describe('a cancelling reader below a bare Suspense, before it is mounted', () => {
  /** Readers, each in a place and below a `Suspense` of its own or all below one. */
  function world() {
    const texts = abortable();
    const Text = ({ id }: { id: string }) => (
      <p>{useSuspense(useCancelling(texts.getText), { id })} </p>
    );
    const place = remote<[readonly string[]]>();
    function Page({ together }: { together: boolean }) {
      const [ids, setIds] = useState<readonly string[]>([]);
      place.connect(setIds);
      const readers = ids.map((id, index) => <Text key={index} id={id} />);
      return together ? (
        <Suspense fallback="waiting">{readers}</Suspense>
      ) : (
        readers.map((reader, index) => (
          <Suspense key={index} fallback="waiting">
            {reader}
          </Suspense>
        ))
      );
    }
    const open = (together: boolean): void => {
      const controller = new Controller({ sweep: false });
      render(
        <DataProvider controller={controller}>
          <Page together={together} />
        </DataProvider>,
      );
    };
    const ask = (...ids: string[]): Promise<void> => write(() => place.call(ids));
    const askLater = (...ids: string[]): Promise<void> =>
      write(() => startTransition(() => place.call(ids)));
    return { ...texts, open, ask, askLater };
  }

  it('aborts its previous request, urgent and in a transition', async () => {
    const { open, ask, askLater, states, respond } = world();
    open(true);
    await ask('a');
    await pass(300);
    await ask('b');
    await pass(300);
    expect(states()).toEqual(['a aborted', 'b']);
    await askLater('c');
    await pass(300);
    await askLater('d');
    await pass(300);
    expect(states()).toEqual(['a aborted', 'b aborted', 'c aborted', 'd']);
    await respond('D');
    expect(text()).toContain('D');
    expect(states()).toEqual(['a aborted', 'b aborted', 'c aborted', 'd']);
  });

  it.each([true, false])(
    'takes no requests of others of its kind away, which are each sent once (one Suspense: %s)',
    async (together) => {
      const { open, ask, askLater, states, respond, calls } = world();
      open(together);
      await ask('a', 'b');
      await pass(300);
      await ask('a', 'b', 'c');
      await pass(300);
      await askLater('z', 'a', 'b', 'c', 'd');
      await pass(300);
      expect(states().toSorted()).toEqual(['a', 'b', 'c', 'd', 'z']);
      await askLater('z', 'a', 'x', 'c', 'd');
      await pass(300);
      expect(states().toSorted()).toEqual(['a', 'b aborted', 'c', 'd', 'x', 'z']);
      for (const [index, { id }] of calls.entries()) {
        if (id !== 'b') await respond(id.toUpperCase(), index);
      }
      await pass(300);
      expect(text()).toContain('Z A X C D');
      expect(calls).toHaveLength(6);
    },
  );

  it('leaves no timer behind, nor anything to be withdrawn later', async () => {
    const { open, ask, states, respond } = world();
    open(true);
    await ask('a');
    await ask('b');
    await respond('B');
    await pass(300);
    expect(states()).toEqual(['a aborted', 'b']);
    await ask('c');
    await pass(5_000);
    expect(states()).toEqual(['a aborted', 'b', 'c']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a cancelling reader that shows something while a transition waits', () => {
  it('is rendered urgently without an end to the requests of the transition', async () => {
    const { getText, states, respond } = abortable();
    const choose = remote<[string]>();
    const press = remote<[number]>();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(useCancelling(getText), { id })}</p>;
    function Page() {
      const [id, setId] = useState('a');
      const [count, setCount] = useState(0);
      choose.connect(setId);
      press.connect(setCount);
      return (
        <>
          <Text id={id} />
          <i>{count}</i>
        </>
      );
    }
    show(<Page />);
    await respond('A');
    await write(() => startTransition(() => choose.call('b')));
    for (let count = 1; count < 10; count += 1) {
      await write(() => press.call(count));
      await pass(300);
    }
    expect(text()).toBe('A9');
    expect(states()).toEqual(['a', 'b']);
    await respond('B');
    expect(text()).toBe('B9');
  });

  it('gives up the request of a transition that goes back to the cached data', async () => {
    const { getText, states, respond } = abortable();
    const choose = remote<[string]>();
    function Text() {
      const [id, setId] = useState('a');
      choose.connect(setId);
      return <p>{useSuspense(useCancelling(getText), { id })}</p>;
    }
    show(<Text />, { controller: new Controller({ sweep: false }) });
    await respond('A');
    await write(() => startTransition(() => choose.call('b')));
    await write(() => startTransition(() => choose.call('a')));
    await pass(2_000);
    expect(states()).toEqual(['a', 'b aborted']);
    expect(text()).toBe('A');
    expect(vi.getTimerCount()).toBe(0);
  });
});
