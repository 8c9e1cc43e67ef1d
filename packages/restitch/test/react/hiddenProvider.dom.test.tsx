import { act, render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { Activity, type ReactNode, StrictMode, useLayoutEffect } from 'react';
import {
  coalesced,
  type Controller,
  Endpoint,
  type Manager,
  PollingManager,
  serial,
  undoable,
} from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useLive,
  useMutation,
  useQuery,
  useSuspense,
} from 'restitch/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasActivity, requests, textEndpoint, User, watchConsole } from '../support/reactWorld.js';

watchConsole();

type Mode = 'visible' | 'hidden' | 'unmounted';

/** A provider with its own controller, in an `<Activity>` that can be hidden and removed. */
function open(children: ReactNode, managers: readonly Manager[] = [], strict = false) {
  const seen = new Set<Controller>();
  function Seen() {
    seen.add(useController());
    return null;
  }
  const page = (mode: Mode): ReactNode => {
    const tree = (
      <DataProvider managers={managers} retry={0}>
        <Seen />
        <AsyncBoundary fallback="loading">{children}</AsyncBoundary>
      </DataProvider>
    );
    const shown = hasActivity ? (
      <Activity mode={mode === 'hidden' ? 'hidden' : 'visible'}>{tree}</Activity>
    ) : (
      tree
    );
    const all = mode === 'unmounted' ? null : shown;
    return strict ? <StrictMode>{all}</StrictMode> : all;
  };
  const { rerender } = render(page('visible'));
  return { seen, turnTo: (mode: Mode) => act(async () => rerender(page(mode))) };
}

const ways: Mode[] = hasActivity ? ['hidden', 'unmounted'] : ['unmounted'];

function rename() {
  const server = requests();
  const sent: string[] = [];
  const endpoint = new Endpoint(
    ({ id }: { id: string }, { name }: { name: string }): Promise<{ id: string; name: string }> => {
      sent.push(name);
      return server.send({ id }).then(() => ({ id, name }));
    },
    {
      name: 'renameUser',
      sideEffect: true,
      schema: User,
      getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
    },
  );
  return { ...server, sent, endpoint };
}

type Rename = ReturnType<typeof rename>['endpoint'];

/** A component that sends edits, and the calls of its callbacks. */
function editor(wrap: (endpoint: Rename) => Rename) {
  const server = rename();
  const wrapped = wrap(server.endpoint);
  const ends: string[] = [];
  const edits: { type?: (name: string) => void; isPending?: boolean } = {};
  function Editor() {
    const { mutate, isPending } = useMutation(wrapped, {
      onSuccess: ({ name }) => ends.push(`saved ${name}`),
      onError: ({ message }) => ends.push(`failed ${message}`),
    });
    useLayoutEffect(() => {
      Object.assign(edits, { isPending, type: (name: string) => mutate({ id: '1' }, { name }) });
    });
    return null;
  }
  const type = (...names: string[]): void => act(() => names.forEach((name) => edits.type?.(name)));
  return { ...server, ends, edits, Editor, type };
}

const kinds: [string, (endpoint: Rename) => Rename][] = [
  ['plain', (endpoint) => endpoint],
  ['coalesced', coalesced],
  ['serial', serial],
];

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

describe.each([true, false])('a provider with its own controller (Strict Mode: %s)', (strict) => {
  describe.each(kinds)('with edits that are %s', (_, wrap) => {
    it.each(ways)('sends calls that wait, and calls back, after it is %s', async (mode) => {
      const { Editor, type, respond, sent, ends, edits } = editor(wrap);
      const { turnTo } = open(<Editor />, [], strict);
      type('n', 'ne', 'new');
      await turnTo(mode);
      for (let index = 0; index < sent.length; index += 1) await respond(null, index);
      expect(sent.at(-1)).toBe('new');
      expect(ends).toHaveLength(3);
      expect(ends.at(-1)).toBe('saved new');
      await turnTo('visible');
      expect(edits.isPending).toBe(false);
    });
  });

  it.each(ways)('sends an undoable call at the end of its delay after it is %s', async (mode) => {
    const { Editor, type, respond, sent, ends } = editor(
      // The cast: the test cancels no call.
      (endpoint) => undoable(endpoint, 5_000) as Rename,
    );
    const { turnTo } = open(<Editor />, [], strict);
    type('new');
    await turnTo(mode);
    expect(sent).toEqual([]);
    await act(async () => vi.advanceTimersByTime(5_000));
    await respond(null);
    expect([sent, ends]).toEqual([['new'], ['saved new']]);
  });

  it('leaves no timer and no listener of the page after its unmount', async () => {
    const [add, remove] = [
      vi.spyOn(document, 'addEventListener'),
      vi.spyOn(document, 'removeEventListener'),
    ];
    const getText = new Endpoint(async () => 'text', {
      name: 'getPolledText',
      pollFrequency: 1_000,
    });
    const Text = () => <p>{useLive(getText)}</p>;
    const { turnTo } = open(<Text />, [], strict);
    await act(async () => {});
    expect(screen.getByText('text')).toBeDefined();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await turnTo('unmounted');
    const watching = (calls: readonly unknown[][]): number =>
      calls.filter(([type]) => type === 'visibilitychange').length;
    expect(watching(add.mock.calls)).toBeGreaterThan(0);
    expect(watching(remove.mock.calls)).toBe(watching(add.mock.calls));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts no manager for a callback that uses the controller after the unmount', async () => {
    const { endpoint, respond } = rename();
    const { getText, calls } = textEndpoint();
    const [init, cleanup] = [vi.fn(), vi.fn()];
    const latest: { send?: () => void } = {};
    function Editor() {
      const { mutate } = useMutation(endpoint, {
        onSuccess: (_, __, controller) => controller.fetch(getText, { id: '1' }),
      });
      useLayoutEffect(() => {
        latest.send = () => mutate({ id: '1' }, { name: 'new' });
      });
      return null;
    }
    const { turnTo } = open(<Editor />, [{ init, cleanup }], strict);
    act(() => latest.send?.());
    await turnTo('unmounted');
    await respond(null);
    expect(calls).toHaveLength(1);
    expect([init.mock.calls.length, cleanup.mock.calls.length]).toEqual([1, 1]);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.runIf(hasActivity)('keeps its data and controller while it is hidden', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { turnTo, seen } = open(<Text />, [], strict);
    await respond('first');
    await turnTo('hidden');
    await turnTo('visible');
    expect(screen.getByText('first')).toBeDefined();
    expect([calls.length, seen.size]).toEqual([1, 1]);
  });

  it.runIf(hasActivity)('takes over a response that arrives while it is hidden', async () => {
    const { getText, calls, respond } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const { turnTo } = open(<Text />, [], strict);
    await turnTo('hidden');
    await respond('first');
    await turnTo('visible');
    expect(screen.getByText('first')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it.runIf(hasActivity)(
    'stops its managers while it is hidden, and polls again later',
    async () => {
      let count = 0;
      const getCount = new Endpoint(async () => (count += 1), {
        name: 'getPolledCount',
        pollFrequency: 1_000,
      });
      const Live = () => <p>count {useLive(getCount)}</p>;
      const log: string[] = [];
      const manager: Manager = {
        init: () => void log.push('init'),
        middleware: () => (next) => (action) => {
          if (action.type.includes('subscribe')) log.push(action.type);
          next(action);
        },
        cleanup: () => void log.push('cleanup'),
      };
      const { turnTo } = open(<Live />, [manager, new PollingManager()], false);
      await act(async () => {});
      await turnTo('hidden');
      const before = count;
      await turnTo('hidden');
      await act(async () => vi.advanceTimersByTime(60_000));
      expect([count, vi.getTimerCount()]).toEqual([before, 0]);
      await turnTo('visible');
      await act(async () => vi.advanceTimersByTime(60_000));
      expect(count).toBeGreaterThan(before);
      // A manager may open a connection in `init` and use it at `subscribe`.
      const session = ['init', 'subscribe', 'unsubscribe', 'cleanup'];
      expect(log).toEqual([...session, 'init', 'subscribe']);
    },
  );
});

type Step =
  | { readonly type: 'edit'; readonly id: string; readonly text: string }
  | { readonly type: 'respond' | 'fail'; readonly index: number }
  | { readonly type: 'toggle' };

const nat = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('edit' as const),
    id: fc.constantFrom('1', '2'),
    text: nat.map(String),
  }),
  fc.record({ type: fc.constantFrom('respond' as const, 'fail' as const), index: nat }),
  fc.constant({ type: 'toggle' as const }),
);

/** All that users and the server notice of a program. */
async function outcome(steps: readonly Step[], wrap: (endpoint: Rename) => Rename, hides: boolean) {
  const server = rename();
  const wrapped = wrap(server.endpoint);
  const ends: string[] = [];
  const settled = new Set<number>();
  const latest: { edit?: (id: string, name: string) => void } = {};
  const names = (): string => screen.getByTestId('names').textContent ?? '';
  function Editor(): ReactNode {
    const { mutate } = useMutation(wrapped, {
      onSuccess: ({ id, name }) => ends.push(`${id} saved ${name}`),
      onError: (_, [{ id }, { name }]) => ends.push(`${id} failed ${name}`),
    });
    const [one, two] = [useQuery(User, { id: '1' }), useQuery(User, { id: '2' })];
    useLayoutEffect(() => {
      latest.edit = (id, name) => mutate({ id }, { name });
    });
    return <p data-testid="names">{`${one?.name}, ${two?.name}`}</p>;
  }
  const page = (mode: 'visible' | 'hidden'): ReactNode => (
    <Activity mode={mode}>
      <DataProvider retry={0}>
        <Editor />
      </DataProvider>
    </Activity>
  );
  const { rerender, unmount } = render(page('visible'));
  const turnTo = (mode: 'visible' | 'hidden'): Promise<void> =>
    act(async () => rerender(page(hides ? mode : 'visible')));
  const settle = async (index: number, how: 'respond' | 'fail'): Promise<void> => {
    const all = [...server.calls.keys()].filter((call) => !settled.has(call));
    const call = all[index % Math.max(all.length, 1)];
    if (call === undefined) return;
    settled.add(call);
    await (how === 'respond' ? server.respond(null, call) : server.fail(new Error('no'), call));
  };
  let isHidden = false;
  for (const next of steps) {
    if (next.type === 'edit') {
      await act(async () => latest.edit?.(next.id, next.text));
    } else if (next.type === 'toggle') {
      isHidden = !isHidden;
      await turnTo(isHidden ? 'hidden' : 'visible');
    } else await settle(next.index, next.type);
  }
  await turnTo('visible');
  while (settled.size < server.calls.length) await settle(0, 'respond');
  const result = { sent: server.sent, ends, names: names() };
  unmount();
  return result;
}

describe.runIf(hasActivity)('a random program', () => {
  it.each(kinds)('of edits that are %s has the same outcome if it is hidden', async (_, wrap) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        expect(await outcome(steps, wrap, true)).toEqual(await outcome(steps, wrap, false));
      }),
      { numRuns: Number(process.env['FUZZ'] ?? 40) },
    );
  });
});
