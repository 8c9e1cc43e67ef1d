import { act, screen } from '@testing-library/react';
import { type ReactNode, useState, useTransition } from 'react';
import { useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import {
  counter,
  show,
  textEndpoint,
  User,
  userEndpoint,
  watchConsole,
  write,
} from '../support/reactWorld.js';

watchConsole();

/** A page that shows one id at a time and switches in the way the button says. */
function Switch({ children }: { children: (id: string) => ReactNode }) {
  const [id, setId] = useState('a');
  const [isPending, start] = useTransition();
  return (
    <>
      {['a', 'b'].map((next) => (
        <span key={next}>
          <button onClick={() => setId(next)}>{`urgent ${next}`}</button>
          <button onClick={() => start(() => setId(next))}>{`transition ${next}`}</button>
        </span>
      ))}
      {isPending && <i>pending</i>}
      {children(id)}
    </>
  );
}

const press = (name: string): Promise<void> => act(async () => screen.getByText(name).click());
const shownNow = (text: string): boolean => {
  const element = screen.queryByText(text);
  // What Suspense hides stays in the document without being displayed.
  return element !== null && element.style.display !== 'none';
};

describe('changing the parameters', () => {
  it('inside a transition keeps the old screen, with isPending and one request', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
    show(<Switch>{(id) => <Text id={id} />}</Switch>);
    await respond('A');
    await press('transition b');
    expect([shownNow('A'), shownNow('pending'), shownNow('loading')]).toEqual([true, true, false]);
    expect(calls).toHaveLength(2);
    await respond('B');
    expect([shownNow('B'), shownNow('A'), shownNow('pending')]).toEqual([true, false, false]);
    expect(calls).toHaveLength(2);
  });

  it('inside a transition lets an update of the old data through meanwhile', async () => {
    const { getUser, calls, respond } = userEndpoint();
    const Name = ({ id }: { id: string }) => <p>{useSuspense(getUser, { id }).name}</p>;
    const { controller } = show(<Switch>{(id) => <Name id={id} />}</Switch>);
    await respond({ id: 'a', name: 'Ada' });
    await press('transition b');
    await write(() => controller.set(User, { id: 'a' }, { id: 'a', name: 'Ada L.' }));
    expect([shownNow('Ada L.'), shownNow('pending'), shownNow('loading')]).toEqual([
      true,
      true,
      false,
    ]);
    await respond({ id: 'b', name: 'Bob' });
    expect([shownNow('Bob'), shownNow('pending')]).toEqual([true, false]);
    expect(calls).toHaveLength(2);
  });

  it('shows no fallback when they change back before the response, and caches that response', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
    const { controller } = show(<Switch>{(id) => <Text id={id} />}</Switch>);
    await respond('A');
    await press('transition b');
    await press('transition a');
    expect([shownNow('A'), shownNow('pending'), shownNow('loading')]).toEqual([true, false, false]);
    await respond('B', 1);
    expect(shownNow('A')).toBe(true);
    expect(controller.getResponse(getText, { id: 'b' })).toBe('B');
    await press('urgent b');
    expect([shownNow('B'), shownNow('loading')]).toEqual([true, false]);
    expect(calls).toHaveLength(2);
  });

  it('urgently shows the fallback, then the new data, never the old data under new parameters', async () => {
    const { getText, calls, respond } = textEndpoint();
    const rendered: string[] = [];
    function Text({ id }: { id: string }) {
      const text = useSuspense(getText, { id });
      rendered.push(`${id}: ${text}`);
      return <p>{text}</p>;
    }
    show(<Switch>{(id) => <Text id={id} />}</Switch>);
    await respond('A');
    await press('urgent b');
    expect([shownNow('A'), shownNow('loading')]).toEqual([false, true]);
    await respond('B');
    expect([shownNow('B'), shownNow('loading')]).toEqual([true, false]);
    expect(new Set(rendered)).toEqual(new Set(['a: A', 'b: B']));
    expect(calls).toHaveLength(2);
  });

  it('to a cached key never shows a fallback', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
    const { controller } = show(<Switch>{(id) => <Text id={id} />}</Switch>);
    await respond('A');
    await write(() => controller.setResponse(getText, { id: 'b' }, 'B'));
    await press('urgent b');
    expect([shownNow('B'), shownNow('loading')]).toEqual([true, false]);
    await press('urgent a');
    expect([shownNow('A'), shownNow('loading')]).toEqual([true, false]);
    expect(calls).toHaveLength(1);
  });

  it('to null keeps quiet, and from null starts one request', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = ({ id }: { id: string }) => (
      <p>{useSuspense(getText, id === 'a' ? null : { id }) ?? 'nothing'}</p>
    );
    show(<Switch>{(id) => <Text id={id} />}</Switch>);
    expect(shownNow('nothing')).toBe(true);
    expect(calls).toHaveLength(0);
    await press('transition b');
    await respond('B');
    expect(shownNow('B')).toBe(true);
    expect(calls).toHaveLength(1);
    await press('urgent a');
    expect(shownNow('nothing')).toBe(true);
  });
});

describe('a component that suspends again', () => {
  it('resumes with exactly one request', async () => {
    const { getText, calls, respond } = textEndpoint();
    const renders = counter();
    function Text({ id }: { id: string }) {
      renders.add();
      return <p>{useSuspense(getText, { id })}</p>;
    }
    const { controller } = show(<Text id="a" />, { strict: false });
    await respond('first');
    const before = renders.count;
    await act(async () => void controller.invalidate(getText, { id: 'a' }));
    expect(shownNow('loading')).toBe(true);
    expect(calls).toHaveLength(2);
    await respond('second');
    expect([shownNow('second'), shownNow('loading')]).toEqual([true, false]);
    expect(calls).toHaveLength(2);
    expect(renders.count - before).toBeLessThan(8);
  });
});
