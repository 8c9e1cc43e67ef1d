/**
 * Random programs with edits in transitions and in async actions that go on, between changes of the record, hidden tabs,
 * invalidations and sign-outs. React delays state until the actions end. Then each reader shows the content of the store.
 */
import { act, cleanup } from '@testing-library/react';
import fc from 'fast-check';
import { Activity, startTransition, type ReactNode } from 'react';
import { Controller, Entity, pendingOf, resource } from 'restitch';
import {
  AsyncBoundary,
  useDLE,
  usePending,
  useQuery,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasActivity, show, watchConsole } from '../support/reactWorld.js';

watchConsole();

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

class Todo extends Entity {
  id = '';
  title = '';
}

type Priority = 'urgent' | 'transition' | 'action';
type Step =
  | { readonly do: 'edit' | 'set' | 'invalidate' | 'reset'; readonly by: Priority }
  | { readonly do: 'record' | 'tab'; readonly by: 'urgent' | 'transition' }
  | { readonly do: 'answer' | 'answer all' | 'wait' | 'end' };

const by = fc.constantFrom<Priority>('urgent', 'transition', 'action', 'action');
const plainBy = fc.constantFrom('urgent' as const, 'urgent' as const, 'transition' as const);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), by }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('set' as const, 'invalidate', 'reset'), by }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom('record' as const, 'tab'), by: plainBy }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom('answer' as const, 'answer', 'answer all', 'wait', 'end'),
      }),
    },
  ),
  { minLength: 4, maxLength: 16, size: 'max' },
);

const READERS = ['query', 'suspense', 'all', 'DLE', 'pending'] as const;
type Reader = (typeof READERS)[number];

/** A server with two records. The test releases the responses. */
function open() {
  const records: Record<string, string> = { 1: 'one', 2: 'two' };
  const held: (() => void)[] = [];
  const Todos = resource({
    urlPrefix: 'http://x',
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    send: (url: string, { method, body }: RequestInit) =>
      new Promise<Response>((resolve) => {
        const id = url.slice(-1);
        held.push(() => {
          if (method === 'PATCH') records[id] = JSON.parse(body as string).title;
          resolve(Response.json({ id, title: records[id] }));
        });
      }),
  });
  const Query = ({ id }: { id: string }): ReactNode => useQuery(Todo, { id })?.title;
  const Suspending = ({ id }: { id: string }): ReactNode => useSuspense(Todos.get, { id }).title;
  const All = ({ id }: { id: string }): ReactNode => useSuspenseAll([[Todos.get, { id }]])[0].title;
  const Loading = ({ id }: { id: string }): ReactNode => useDLE(Todos.get, { id }).data?.title;
  const Pending = ({ id }: { id: string }): ReactNode => usePending(useQuery(Todo, { id })).length;
  const readers = { query: Query, suspense: Suspending, all: All, DLE: Loading, pending: Pending };
  return { Todos, held, readers };
}

async function check(program: readonly Step[], shown: readonly Reader[]): Promise<void> {
  const { Todos, held, readers } = open();
  const controller = new Controller();
  const ends: (() => void)[] = [];
  let [id, mode, count] = ['1', 'visible' as 'visible' | 'hidden', 0];
  const page = (): ReactNode => (
    <Activity mode={mode}>
      <AsyncBoundary fallback="waits">
        {shown.map((name) => {
          const Shown = readers[name];
          return (
            <p key={name} title={name}>
              <Shown id={id} />
            </p>
          );
        })}
      </AsyncBoundary>
    </Activity>
  );
  const { rerender, container } = show(page(), { controller, strict: false });
  const run = (priority: Priority, work: () => unknown): void => {
    if (priority === 'urgent') work();
    else if (priority === 'transition') startTransition(() => void work());
    else
      startTransition(async () => {
        work();
        await new Promise<void>((resolve) => ends.push(resolve));
      });
  };
  const edit = (): unknown =>
    controller
      .fetch(Todos.partialUpdate, { id }, { title: `edit ${(count += 1)}` })
      .catch(() => {});
  const write = (): unknown => controller.set(Todo, { id }, { title: `set ${(count += 1)}` });
  const answerAll = (): void => held.splice(0).forEach((answer) => answer());
  const changes: Record<Step['do'], (priority: Priority) => void> = {
    edit: (priority) => run(priority, edit),
    set: (priority) => run(priority, write),
    invalidate: (priority) =>
      run(priority, () => void controller.invalidate(Todos.get, { id }).catch(() => {})),
    reset: (priority) => run(priority, () => controller.resetEntireStore()),
    record: (priority) => {
      id = id === '1' ? '2' : '1';
      run(priority, () => rerender(page()));
    },
    tab: (priority) => {
      mode = mode === 'visible' ? 'hidden' : 'visible';
      run(priority, () => rerender(page()));
    },
    answer: () => held.shift()?.(),
    'answer all': answerAll,
    wait: () => void vi.advanceTimersByTime(60),
    end: () => ends.shift()?.(),
  };
  for (const step of program) {
    await act(async () => changes[step.do]('by' in step ? step.by : 'urgent'));
  }
  mode = 'visible';
  await act(async () => rerender(page()));
  for (let turn = 0; turn < 4; turn += 1) {
    await act(async () => {
      answerAll();
      ends.splice(0).forEach((end) => end());
      vi.advanceTimersByTime(1_000);
    });
  }
  const record = controller.get(Todo, { id });
  const wanted = (name: Reader): string =>
    name === 'pending'
      ? String(record ? pendingOf(controller, record).length : 0)
      : (record?.title ?? '');
  const texts = [...container.querySelectorAll('p')].map((one) => [one.title, one.textContent]);
  expect(texts).toEqual(shown.map((name) => [name, wanted(name)]));
  cleanup();
  controller.dispose();
}

it.runIf(hasActivity)(
  'each reader shows the content of the store when all actions have ended',
  async () => {
    const runs = Number(process.env['RESTITCH_MODEL_RUNS'] ?? 20_000) / 250;
    await fc.assert(fc.asyncProperty(steps, fc.subarray([...READERS], { minLength: 1 }), check), {
      numRuns: runs,
    });
  },
  120_000,
);
