/** React readers of endpoint classes whose `urlPrefix`, `service` or `scope` is a getter. */
import { act, fireEvent, screen } from '@testing-library/react';
import {
  byCursor,
  byOffset,
  Collection,
  Controller,
  PollingManager,
  type ReadEndpoint,
} from 'restitch';
import { useInfinite, useLive, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { show, watchConsole } from '../support/reactWorld.js';
import { computed, Note, openTenants } from './tenants.js';

watchConsole();

const text = (): string => document.body.textContent ?? '';

describe.each(computed)('a reader of an endpoint class whose %s is a getter', (option) => {
  it.each([
    ['resetEntireStore', 'a list', { schema: new Collection([Note]) }],
    ['resetEntireStore', 'an array', { schema: [Note] }],
    ['expireAll', 'a response without a schema', {}],
    ['resetEntireStore', 'a response without a schema', {}],
  ] as const)(
    'shows the data of the current value after a change, %s, and a change back: useSuspense of %s',
    async (method, _, own) => {
      const { Api, current, quiet, sent } = openTenants(option);
      const getNotes = new Api({ path: '/notes', ...own }) as ReadEndpoint<[], { text: string }[]>;
      const List = () => <p>{useSuspense(getNotes).map((note) => note.text)}</p>;
      const { controller, rerender } = show(<List />, { strict: false });
      await act(quiet);
      expect(text()).toBe('one');
      current.tenant = 'two';
      if (method === 'expireAll') controller.expireAll(getNotes);
      else controller.resetEntireStore();
      rerender(<List />);
      await act(quiet);
      expect(text()).toBe('two');
      current.tenant = 'one';
      rerender(<List />);
      await act(quiet);
      expect(text()).toBe('one');
      rerender(<List key="other" />);
      await act(quiet);
      expect(text()).toBe('one');
      expect(sent.length).toBeLessThanOrEqual(3);
    },
  );

  it('never shows a response that was in flight when the value changed: useSuspense', async () => {
    const { Api, current, held, quiet } = openTenants(option);
    const getNotes = new Api({ path: '/notes', schema: new Collection([Note]) });
    const List = () => <p>{useSuspense(getNotes).map((note: Note) => note.text)}</p>;
    const { rerender } = show(<List key="one" />, { strict: false });
    await act(async () => {});
    current.tenant = 'two';
    rerender(<List key="two" />);
    await act(async () => {});
    expect(held.map(({ tenant }) => tenant)).toEqual(['one', 'two']);
    await act(async () => held.shift()?.end());
    expect(text()).toBe('loading');
    await act(quiet);
    expect(text()).toBe('two');
  });

  it('ends its poll if the value changed: useLive', async () => {
    const { Api, current, quiet, sent } = openTenants(option);
    const clock = new Clock();
    const controller = new Controller({
      managers: [new PollingManager()],
      environment: clock.environment,
    });
    const getMe = new Api({ path: '/me', pollFrequency: 1_000 });
    const Me = () => <p>{(useLive(getMe) as { text: string }).text}</p>;
    const { rerender, unmount } = show(<Me />, { controller, strict: false });
    const pass = () => act(() => clock.pass(1_000).then(quiet));
    await act(quiet);
    await pass();
    expect(text()).toBe('one');
    current.tenant = 'two';
    rerender(<Me />);
    await act(quiet);
    await pass();
    expect(text()).toBe('two');
    unmount();
    const before = sent.length;
    for (let period = 0; period < 3; period += 1) await pass();
    expect(sent).toHaveLength(before);
    expect([clock.timers, clock.reported]).toEqual([0, []]);
  });

  it('loads the first page once if the value changed while it was in flight: useInfinite', async () => {
    const { Api, current, quiet, sent } = openTenants(option);
    const getAll = new Api({
      path: '/all',
      searchParams: {},
      schema: { results: new Collection([Note]), total: 0 },
      pagination: byOffset({ param: 'offset', total: 'total' }),
    });
    const List = () => <p>{useInfinite(getAll, {}).items.map(({ text: content }) => content)}</p>;
    const { unmount } = show(<List />, { strict: false });
    await act(async () => {});
    current.tenant = 'two';
    for (let render = 0; render < 3; render += 1) await act(quiet);
    expect(text()).toBe('two');
    unmount();
    await act(quiet);
    expect(sent).toEqual(['one', 'two']);
  });

  it('loads further pages as long as the value stays: useInfinite', async () => {
    const { Api, quiet, sent } = openTenants(option);
    const getPages = new Api({
      path: '/pages',
      searchParams: {},
      schema: { results: new Collection([Note]), next: null },
      pagination: byCursor({ param: 'cursor', next: 'next' }),
    });
    function List() {
      const { items, hasNext, loadNext } = useInfinite(getPages, {});
      const ids = items.map(({ id }) => id).join(', ');
      return <button onClick={() => void loadNext()}>{`${ids}${hasNext ? ' …' : ''}`}</button>;
    }
    show(<List />, { strict: false });
    await act(quiet);
    expect(text()).toBe('one first …');
    fireEvent.click(screen.getByRole('button'));
    await act(quiet);
    expect(text()).toBe('one first, one second');
    expect(sent).toHaveLength(2);
  });
});
