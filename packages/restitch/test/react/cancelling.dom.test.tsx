import { screen } from '@testing-library/react';
import { Activity, type ReactNode, startTransition, Suspense, useState } from 'react';
import { Controller } from 'restitch';
import {
  AsyncBoundary,
  useCancelling,
  useController,
  useDLE,
  useFetch,
  useSuspense,
} from 'restitch/react';
import { describe, expect, it, vi } from 'vitest';
import { abortable } from '../support/abortable.js';
import { remote } from '../support/screen.js';
import { hasActivity, show, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

const text = (): string => document.body.textContent ?? '';

describe('useCancelling with arguments', () => {
  it('returns the same endpoint while they are equal, and another one when they change', async () => {
    const { getText } = abortable();
    const seen: unknown[] = [];
    function Keep({ id }: { id: string }) {
      seen.push(useCancelling(getText, { id }));
      return null;
    }
    const { rerender } = show(<Keep id="a" />, { strict: false });
    rerender(<Keep id="a" />);
    rerender(<Keep id="b" />);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  it('aborts the call sent by hand when they change: it rejects with AbortError, the next one resolves', async () => {
    const { getText, states, respond } = abortable();
    const sent: Promise<string>[] = [];
    function Ask({ id }: { id: string }) {
      const controller = useController();
      const cancelling = useCancelling(getText, { id });
      return <button onClick={() => sent.push(controller.fetch(cancelling, { id }))}>ask</button>;
    }
    const { rerender } = show(<Ask id="a" />);
    const press = (): Promise<void> => write(() => screen.getByText('ask').click());
    await press();
    expect(states()).toEqual(['a']);
    const refused = expect(sent[0]).rejects.toMatchObject({ name: 'AbortError' });
    await write(() => rerender(<Ask id="b" />));
    expect(states()).toEqual(['a aborted']);
    await refused;
    await press();
    await respond('B');
    expect(await sent[1]).toBe('B');
  });

  it('aborts a direct call too', async () => {
    const { getText, states } = abortable();
    const sent: Promise<string>[] = [];
    const ask = remote();
    function Ask({ id }: { id: string }) {
      const cancelling = useCancelling(getText, { id });
      ask.connect(() => sent.push(cancelling({ id })));
      return null;
    }
    const { rerender } = show(<Ask id="a" />);
    ask.call();
    const refused = expect(sent[0]).rejects.toMatchObject({ name: 'AbortError' });
    await write(() => rerender(<Ask id="b" />));
    expect(states()).toEqual(['a aborted']);
    await refused;
  });

  it('means "not now" by null', async () => {
    const { getText, states, respond } = abortable();
    function Text({ id }: { id: string | null }) {
      const args = id === null ? null : { id };
      return <p>{useSuspense(useCancelling(getText, args), args) ?? 'nothing'}</p>;
    }
    const { rerender } = show(<Text id={null} />);
    expect(text()).toBe('nothing');
    await write(() => rerender(<Text id="a" />));
    expect(states()).toEqual(['a']);
    await respond('A');
    expect(text()).toBe('A');
  });
});

describe.each([true, false])('a cancelling reader that suspends (Strict Mode: %s)', (strict) => {
  it('aborts its first load when its arguments change, and never the one wanted now', async () => {
    const { getText, states, respond } = abortable();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(useCancelling(getText), { id })}</p>;
    const { rerender } = show(<Text id="a" />, { strict });
    await write(() => {});
    expect(states()).toEqual(['a']);
    await write(() => rerender(<Text id="b" />));
    expect(states()).toEqual(['a aborted', 'b']);
    await write(() => rerender(<Text id="c" />));
    expect(states()).toEqual(['a aborted', 'b aborted', 'c']);
    await write(() => rerender(<Text id="c" />));
    expect(states()).toEqual(['a aborted', 'b aborted', 'c']);
    await respond('C');
    expect(text()).toBe('C');
    expect(states()).toEqual(['a aborted', 'b aborted', 'c']);
  });

  it('may go back to what it aborted, which is fetched again', async () => {
    const { getText, states, respond } = abortable();
    const Text = ({ id }: { id: string }) => (
      <p>{useSuspense(useCancelling(getText, { id }), { id })}</p>
    );
    const { rerender } = show(<Text id="a" />, { strict });
    await write(() => rerender(<Text id="b" />));
    await write(() => rerender(<Text id="a" />));
    expect(states()).toEqual(['a aborted', 'b aborted', 'a']);
    await respond('A');
    expect(text()).toBe('A');
  });

  it('aborts its later loads as well, urgent and in a transition', async () => {
    const { getText, states, respond } = abortable();
    const choose = remote<[string]>();
    function Text() {
      const [id, setId] = useState('a');
      choose.connect(setId);
      return <p>{useSuspense(useCancelling(getText), { id })}</p>;
    }
    show(<Text />, { strict });
    await respond('A');
    await write(() => choose.call('b'));
    await write(() => choose.call('c'));
    expect(states()).toEqual(['a', 'b aborted', 'c']);
    await respond('C');
    expect(text()).toBe('C');
    await write(() => startTransition(() => choose.call('d')));
    await write(() => startTransition(() => choose.call('e')));
    expect(states()).toEqual(['a', 'b aborted', 'c', 'd aborted', 'e']);
    expect(text()).toBe('C');
    await respond('E');
    expect(text()).toBe('E');
    expect(states()).toEqual(['a', 'b aborted', 'c', 'd aborted', 'e']);
  });

  it('aborts when it unmounts, before and after its first response', async () => {
    const { getText, states, respond } = abortable();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(useCancelling(getText), { id })}</p>;
    const first = show(<Text id="a" />, { strict });
    await write(() => {});
    first.unmount();
    await write(() => {});
    expect(states()).toEqual(['a aborted']);
    const second = show(<Text id="b" />, { strict });
    await respond('B');
    await write(() => second.controller.expireAll(getText));
    expect(states()).toEqual(['a aborted', 'b', 'b']);
    second.unmount();
    await write(() => {});
    expect(states()).toEqual(['a aborted', 'b', 'b aborted']);
  });

  it('refetches what it shows, and is not notified of its own aborts', async () => {
    const { getText, states, respond } = abortable();
    const Text = ({ id }: { id: string }) => {
      const { data, error } = useDLE(useCancelling(getText), { id });
      return <p>{error ? error.name : (data ?? 'loading')}</p>;
    };
    const { rerender, controller } = show(<Text id="a" />, { strict });
    await write(() => rerender(<Text id="b" />));
    expect(states()).toEqual(['a aborted', 'b']);
    await respond('B');
    await write(() => controller.expireAll(getText));
    expect(states()).toEqual(['a aborted', 'b', 'b']);
    await write(() => rerender(<Text id="a" />));
    expect(states()).toEqual(['a aborted', 'b', 'b aborted', 'a']);
    expect(text()).toBe('loading');
    expect(controller.getError(getText, { id: 'b' })).toBeUndefined();
    expect(controller.getResponse(getText, { id: 'b' })).toBe('B');
  });

  it('shares a boundary with others of its kind without taking their requests away', async () => {
    const { getText, states, respond } = abortable();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(useCancelling(getText), { id })}</p>;
    const page = (...ids: string[]): ReactNode => ids.map((id, i) => <Text key={i} id={id} />);
    const { rerender } = show(page('a', 'b', 'c'), { strict });
    await write(() => {});
    expect(states()).toEqual(['a', 'b', 'c']);
    await write(() => rerender(page('a', 'x', 'c')));
    expect(states()).toEqual(['a', 'b aborted', 'c', 'x']);
    await respond('C', 2);
    await respond('X', 3);
    await respond('A', 0);
    expect(text()).toBe('AXC');
    expect(states()).toEqual(['a', 'b aborted', 'c', 'x']);
  });
});

describe('a cancelling reader that is mounted while it waits', () => {
  it('aborts when its arguments change, as one of useFetch', async () => {
    const { getText, states } = abortable();
    function Fetch({ id }: { id: string }) {
      void useFetch(useCancelling(getText), { id });
      return null;
    }
    const { rerender } = show(<Fetch id="a" />);
    await write(() => {});
    await write(() => rerender(<Fetch id="b" />));
    expect(states()).toEqual(['a aborted', 'b']);
  });

  it('aborts when it unmounts, also if the component that handed it the endpoint stays', async () => {
    const { getText, states } = abortable();
    const Text = ({ endpoint }: { endpoint: typeof getText }) => (
      <p>{useDLE(endpoint, { id: 'a' }).data}</p>
    );
    function Owner({ isOpen }: { isOpen: boolean }) {
      const endpoint = useCancelling(getText);
      return isOpen ? <Text endpoint={endpoint} /> : null;
    }
    const { rerender } = show(<Owner isOpen />);
    await write(() => rerender(<Owner isOpen />));
    expect(states()).toEqual(['a']);
    await write(() => rerender(<Owner isOpen={false} />));
    expect(states()).toEqual(['a aborted']);
  });
});

describe('a cancelling reader whose screen waits for one thing and a transition for another', () => {
  it('ends with one request under way for each, not with requests without end', async () => {
    const { getText, calls, states, respond } = abortable();
    const blocked = abortable();
    const move = remote<[string]>();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(useCancelling(getText), { id })}</p>;
    const Beside = ({ id }: { id: string }) => <b>{useSuspense(blocked.getText, { id })}</b>;
    function Page() {
      const [id, setId] = useState('a');
      move.connect(setId);
      return (
        <>
          <AsyncBoundary fallback="first">
            <Text id={id} />
          </AsyncBoundary>
          <AsyncBoundary fallback="second">
            <Beside id={id === 'c' ? 'never' : 'a'} />
          </AsyncBoundary>
        </>
      );
    }
    show(<Page />, { strict: false });
    await blocked.respond('beside');
    await write(() => move.call('b'));
    // The transition cannot end: what stands beside, and is on the screen, waits as well.
    await write(() => startTransition(() => move.call('c')));
    await write(() => {});
    expect(text()).toContain('beside');
    expect(calls.length).toBeLessThan(20);
    const wanted = states().filter((state) => !state.endsWith('aborted'));
    expect(wanted).toContain('c');
    expect(new Set(wanted).size).toBe(wanted.length);
    await blocked.respond('beside c');
    await respond('C', states().lastIndexOf('c'));
    expect(text()).toBe('Cbeside c');
  });
});

describe('a request that another reader waits for', () => {
  it('goes on when the cancelling reader asks for something else', async () => {
    const { getText, states, respond } = abortable();
    const Cancelling = ({ id }: { id: string }) => (
      <p>{useSuspense(useCancelling(getText), { id })}</p>
    );
    const Plain = () => <b>{useDLE(getText, { id: 'a' }).data}</b>;
    const page = (id: string): ReactNode => (
      <>
        <Suspense fallback="waiting">
          <Cancelling id={id} />
        </Suspense>
        <Plain />
      </>
    );
    const { rerender, controller } = show(page('a'));
    await write(() => rerender(page('b')));
    expect(states()).toEqual(['a', 'b']);
    await respond('A', 0);
    expect(screen.getByText('A')).toBeDefined();
    await respond('B', 1);
    expect(controller.getResponse(getText, { id: 'b' })).toBe('B');
  });

  it('goes on for a caller who joined it, and for another cancelling reader', async () => {
    const { getText, states, respond } = abortable();
    const Text = ({ id }: { id: string }) => <p>{useDLE(useCancelling(getText), { id }).data}</p>;
    const page = (first: string, second: string): ReactNode => (
      <>
        <Text id={first} />
        <Text id={second} />
      </>
    );
    const { rerender, controller } = show(page('a', 'a'));
    await write(() => rerender(page('b', 'a')));
    expect(states()).toEqual(['a', 'b']);
    const waiting = controller.fetch(getText, { id: 'b' });
    await write(() => rerender(page('c', 'c')));
    expect(states()).toEqual(['a aborted', 'b', 'c']);
    await respond('B', 1);
    expect(await waiting).toBe('B');
  });

  it('is aborted for a plain reader that comes after a cancelling one only by its own signal', async () => {
    const { getText, states, respond } = abortable();
    const Cancelling = () => <p>{useDLE(useCancelling(getText), { id: 'a' }).data}</p>;
    const Plain = () => <b>{useDLE(getText, { id: 'a' }).data}</b>;
    const { rerender } = show(<Cancelling />);
    await write(() => rerender(<Plain />));
    await respond('A');
    expect(text()).toBe('A');
    expect(states().at(-1)).toBe('a');
  });
});

describe('useCancelling without arguments, and controller.fetch', () => {
  it('aborts the search before as soon as the next one is sent', async () => {
    const { getText, states, respond } = abortable();
    const sent: Promise<string>[] = [];
    const ask = remote<[string]>();
    function Search() {
      const controller = useController();
      const search = useCancelling(getText);
      ask.connect((id) => {
        const sending = controller.fetch(search, { id });
        sending.catch(() => {});
        sent.push(sending);
      });
      return null;
    }
    const { unmount } = show(<Search />);
    await write(() => ask.call('a'));
    await write(() => ask.call('ab'));
    expect(states()).toEqual(['a aborted', 'ab']);
    await expect(sent[0]).rejects.toMatchObject({ name: 'AbortError' });
    await write(() => ask.call('a'));
    await write(() => ask.call('ab'));
    expect(states()).toEqual(['a aborted', 'ab aborted', 'a aborted', 'ab']);
    await respond('AB');
    expect(await sent[3]).toBe('AB');
    await write(() => ask.call('abc'));
    unmount();
    await write(() => {});
    expect(states().at(-1)).toBe('abc aborted');
  });

  it('keeps the signal that the endpoint had', async () => {
    const own = new AbortController();
    const { getText, states } = abortable({ signal: () => own.signal });
    const sent: Promise<string>[] = [];
    const ask = remote();
    function Search() {
      const search = useCancelling(getText);
      const controller = useController();
      ask.connect(() => sent.push(controller.fetch(search, { id: 'a' })));
      return null;
    }
    show(<Search />);
    ask.call();
    const refused = expect(sent[0]).rejects.toThrow('mine');
    own.abort(new Error('mine'));
    await refused;
    expect(states()).toEqual(['a aborted']);
  });
});

describe.runIf(hasActivity)('a cancelling reader in a hidden <Activity>', () => {
  it('withdraws, and asks again when it is shown', async () => {
    const { getText, states, respond } = abortable();
    const controller = new Controller();
    const Text = () => <p>{useDLE(useCancelling(getText), { id: 'a' }).data}</p>;
    const page = (mode: 'visible' | 'hidden'): ReactNode => (
      <Activity mode={mode}>
        <Text />
      </Activity>
    );
    const { rerender } = show(page('visible'), { controller });
    await write(() => rerender(page('hidden')));
    expect(states()).toEqual(['a aborted']);
    await write(() => rerender(page('visible')));
    expect(states()).toEqual(['a aborted', 'a']);
    await write(() => rerender(page('hidden')));
    expect(states()).toEqual(['a aborted', 'a aborted']);
    await write(() => rerender(page('visible')));
    await respond('A');
    expect(text()).toBe('A');
  });
});

describe('an aborted request', () => {
  it('causes no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { getText } = abortable();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(useCancelling(getText), { id })}</p>;
    const { rerender, unmount } = show(<Text id="a" />);
    await write(() => rerender(<Text id="b" />));
    unmount();
    await new Promise((resolve) => setTimeout(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
