import { act, screen } from '@testing-library/react';
import { useDebounce, useSuspense } from 'restitch/react';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { counter, show, textEndpoint, watchConsole } from '../support/reactWorld.js';

watchConsole();
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number): Promise<void> =>
  act(() => vi.advanceTimersByTimeAsync(milliseconds).then(() => {}));
const text = (): string => document.body.textContent ?? '';

function Debounced({ value, ms = 100, updatable }: Props) {
  const [rested, isPending] = useDebounce(value, ms, updatable);
  return (
    <p>
      {rested}
      {isPending && ' …'}
    </p>
  );
}

interface Props {
  value: string;
  ms?: number;
  updatable?: boolean;
}

describe('useDebounce', () => {
  it('begins with the value, and follows it once it has rested', async () => {
    const { rerender } = show(<Debounced value="a" />);
    expect(text()).toBe('a');
    rerender(<Debounced value="ab" />);
    await pass(60);
    rerender(<Debounced value="abc" />);
    await pass(99);
    expect(text()).toBe('a …');
    await pass(1);
    expect(text()).toBe('abc');
  });

  it.each([30 * 24 * 3_600_000, Infinity])('may wait for %s ms', async (ms) => {
    const { rerender } = show(<Debounced value="a" ms={ms} />);
    rerender(<Debounced value="ab" ms={ms} />);
    await pass(30 * 24 * 3_600_000 - 1);
    expect(text()).toBe('a …');
    await pass(1);
    expect(text()).toBe(ms === Infinity ? 'a …' : 'ab');
  });

  it('is not pending any more when the value is again what it was', async () => {
    const { rerender } = show(<Debounced value="a" />);
    rerender(<Debounced value="ab" />);
    expect(text()).toBe('a …');
    rerender(<Debounced value="a" />);
    expect(text()).toBe('a');
    await pass(1_000);
    expect(text()).toBe('a');
  });

  it('stays as it is while not updatable', async () => {
    const { rerender } = show(<Debounced value="a" updatable={false} />);
    rerender(<Debounced value="b" updatable={false} />);
    await pass(1_000);
    expect(text()).toBe('a');
    rerender(<Debounced value="b" updatable />);
    await pass(100);
    expect(text()).toBe('b');
  });

  it('keeps the old screen, pending, while the new value loads', async () => {
    const { getText, calls } = textEndpoint();
    function Search({ value }: { value: string }) {
      const [id, isPending] = useDebounce(value, 100);
      return (
        <p>
          {useSuspense(getText, { id })}
          {isPending && ' …'}
        </p>
      );
    }
    const { controller, rerender } = show(<p>before</p>);
    controller.setResponse(getText, { id: 'a' }, 'A');
    rerender(<Search value="a" />);
    rerender(<Search value="b" />);
    await pass(100);
    expect(calls).toHaveLength(1);
    expect(screen.getByText('A …').style.display).toBe('');
    await act(async () => calls[0]?.resolve('B'));
    await pass(0);
    expect(text()).toBe('B');
  });

  it('leaves no timer behind', () => {
    const { rerender, unmount } = show(<Debounced value="a" />);
    const before = vi.getTimerCount();
    rerender(<Debounced value="b" ms={77} />);
    expect(vi.getTimerCount()).toBe(before + 1);
    unmount();
    expect(vi.getTimerCount()).toBe(before);
  });

  it('holds functions as values', async () => {
    const renders = counter();
    const [first, second] = [() => 'first', () => 'second'];
    function Call({ fn }: { fn: () => string }) {
      renders.add();
      const [rested] = useDebounce(fn, 10);
      expectTypeOf(rested).toEqualTypeOf<() => string>();
      return <p>{rested()}</p>;
    }
    const { rerender } = show(<Call fn={first} />);
    expect(text()).toBe('first');
    rerender(<Call fn={second} />);
    await pass(10);
    expect(text()).toBe('second');
  });
});
