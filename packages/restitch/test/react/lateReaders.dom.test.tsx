import { act, cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { startTransition, Suspense, useState } from 'react';
import { Controller, Endpoint } from 'restitch';
import { DataProvider, useCache, useQuery, useSuspense } from 'restitch/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { remote } from '../support/screen.js';
import { User, watchConsole } from '../support/reactWorld.js';

watchConsole();

const ids = ['1', '2', '3'];
const places = 5;

type Step =
  | { readonly type: 'write'; readonly id: string }
  /** A write, or an optimistic update, in a transition that cannot end before its promise is settled. */
  | { readonly type: 'transition' | 'optimistic'; readonly id: string; readonly place: number }
  /** Time passes, so that optimistic updates show before their transition ends. */
  | { readonly type: 'later' }
  | { readonly type: 'settle'; readonly place: number }
  | { readonly type: 'mount'; readonly place: number; readonly kind: Kind }
  | { readonly type: 'unmount'; readonly place: number };

type Kind = 'query' | 'row' | 'list' | 'both';

const place = fc.nat({ max: places - 1 });
const id = fc.constantFrom(...ids);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('write' as const), id }),
  fc.record({ type: fc.constantFrom('transition' as const, 'optimistic' as const), id, place }),
  fc.constant({ type: 'later' as const }),
  fc.record({ type: fc.constant('settle' as const), place }),
  fc.record({
    type: fc.constant('mount' as const),
    place,
    kind: fc.constantFrom<Kind>('query', 'row', 'list', 'both'),
  }),
  fc.record({ type: fc.constant('unmount' as const), place }),
);

interface Gate {
  readonly promise: Promise<void>;
  isOpen: boolean;
  open: () => void;
}

function gate(): Gate {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const made: Gate = {
    promise,
    isOpen: false,
    open() {
      made.isOpen = true;
      resolve();
    },
  };
  return made;
}

let runs = 0;

/** A page with places at which readers are mounted and transitions wait. */
function world() {
  runs += 1;
  const controller = new Controller();
  const people = ids.map((key) => ({ id: key, name: '0' }));
  const getUsers = new Endpoint(async () => people, { name: `getUsers${runs}`, schema: [User] });
  const getUser = new Endpoint(async (_: { id: string }) => people[0], {
    name: `getUser${runs}`,
    schema: User,
  });
  controller.setResponse(getUsers, people);
  const rename = new Endpoint((_: { id: string; name: string }) => new Promise<User>(() => {}), {
    name: `rename${runs}`,
    sideEffect: true,
    schema: User,
    getOptimisticResponse: (_, user) => user,
  });
  const Item = ({ user }: { user: User | undefined }) => <i>{`${user?.id}:${user?.name} `}</i>;
  const readers: Record<Kind, () => React.ReactNode> = {
    query: () => ids.map((key) => <Query key={key} id={key} />),
    row: () => ids.map((key) => <Row key={key} id={key} />),
    list: () => <List />,
    both: () => [<List key="list" />, <Query key="query" id="1" />],
  };
  const Query = ({ id: key }: { id: string }) => <Item user={useQuery(User, { id: key })} />;
  const Row = ({ id: key }: { id: string }) => <Item user={useCache(getUser, { id: key })} />;
  const List = () => {
    // The React Compiler would move the callback out of this function, where there is no `Item`.
    'use no memo';
    return useSuspense(getUsers).map((user) => <Item key={user.id} user={user} />);
  };
  const handles = Array.from({ length: places }, () => ({
    mount: remote<[Kind | undefined]>(),
    wait: remote<[Gate]>(),
  }));
  function Place({ index }: { index: number }) {
    const [kind, mount] = useState<Kind>();
    const [waiting, wait] = useState<Gate>();
    handles[index]?.mount.connect(mount);
    handles[index]?.wait.connect(wait);
    // oxlint-disable-next-line typescript/only-throw-error -- the protocol by which React waits
    if (waiting && !waiting.isOpen) throw waiting.promise;
    return kind ? readers[kind]() : null;
  }
  const { container } = render(
    <DataProvider controller={controller}>
      {Array.from({ length: places }, (_, index) => (
        <Suspense key={index}>
          <Place index={index} />
        </Suspense>
      ))}
    </DataProvider>,
  );
  return {
    controller,
    rename: (key: string, name: string) => void controller.fetch(rename, { id: key, name }),
    mount: (index: number, kind: Kind | undefined) => handles[index]?.mount.call(kind),
    wait: (index: number, until: Gate) => handles[index]?.wait.call(until),
    text: () => container.textContent ?? '',
  };
}

/** What each row is shown as, everywhere on the screen. */
function shownAs(text: string): Map<string, Set<string>> {
  const current = new Map<string, Set<string>>();
  for (const entry of text.split(' ').filter(Boolean)) {
    const [key = '', name = ''] = entry.split(':');
    current.set(key, (current.get(key) ?? new Set()).add(name));
  }
  return current;
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

describe('late readers of writes in transitions', () => {
  it(
    'each row has one value on the screen, and in the end the last one written',
    { tags: 'scale', timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          const { controller, rename, mount, wait, text } = world();
          const gates = new Map<number, Gate>();
          let written = 0;
          const renamed = new Map<string, string>();
          const write = (key: string): void => {
            written += 1;
            controller.set(User, { id: key }, { id: key, name: `${written}` });
          };
          const take = (next: Step): void => {
            switch (next.type) {
              case 'write':
                return write(next.id);
              case 'later':
                return void vi.advanceTimersByTime(60);
              case 'optimistic':
              case 'transition': {
                const waiting = gate();
                // One that waits already goes on: its place waits for the new one then.
                gates.get(next.place)?.open();
                gates.set(next.place, waiting);
                return startTransition(() => {
                  if (next.type === 'transition') write(next.id);
                  else {
                    written += 1;
                    renamed.set(next.id, `${written}`);
                    rename(next.id, `${written}`);
                  }
                  wait(next.place, waiting);
                });
              }
              case 'settle':
                return gates.get(next.place)?.open();
              case 'mount':
                return mount(next.place, next.kind);
              case 'unmount':
                return mount(next.place, undefined);
            }
          };
          try {
            for (const next of steps) {
              await act(async () => take(next));
              const current = shownAs(text());
              for (const names of current.values()) expect(names.size).toBe(1);
              if (next.type === 'later') {
                for (const [key, names] of current) {
                  const optimistic = renamed.get(key);
                  if (optimistic) expect([...names]).toEqual([optimistic]);
                }
              }
            }
            await act(async () => gates.forEach(({ open }) => open()));
            const last = shownAs(text());
            for (const [key, names] of last) {
              expect([...names]).toEqual([controller.get(User, { id: key })?.name]);
            }
          } finally {
            cleanup();
          }
        }),
        { numRuns: Number(process.env['FUZZ'] ?? 60) },
      );
    },
  );
});
