/** Copies of one endpoint with other options, read by mounted readers: each keeps to its own options. */
import fc from 'fast-check';
import { Controller, Entity, type ReadEndpoint, RestEndpoint, type View } from 'restitch';
import { expect, it } from 'vitest';

class User extends Entity {
  id = '';
  name = '';
}

const COPIES = 4;
const pick = fc.nat(COPIES - 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('mount' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unmount' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refetch' as const), pick: fc.nat(9) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('respond' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('abort' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('expire' as const, 'edit' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('signOut' as const, 'reset' as const) }),
  },
);
const copy = fc.record({
  hasSignal: fc.boolean(),
  invalidIfStale: fc.boolean(),
  hasToken: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Copy = typeof copy extends fc.Arbitrary<infer C> ? C : never;

interface Request {
  readonly token: string;
  readonly answer: (response: Response) => void;
}

interface Reader {
  readonly copy: number;
  readonly view: View<User>;
  readonly leave: () => void;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

function open(copies: readonly Copy[]) {
  let requests: Request[] = [];
  class UserEndpoint extends RestEndpoint {
    override async fetchResponse(_: string, { headers, signal }: RequestInit): Promise<Response> {
      const token = new Headers(headers).get('authorization') ?? '';
      return new Promise<Response>((answer, reject) => {
        const request = { token, answer };
        requests.push(request);
        signal?.addEventListener('abort', () => {
          requests = requests.filter((other) => other !== request);
          // The cast: without a reason, the host aborts with an error.
          reject(signal.reason as Error);
        });
      });
    }
  }
  const getUser = new UserEndpoint({ path: '/users/:id', schema: User, retry: 0 } as never);
  const aborts = copies.map(() => new AbortController());
  const tokens = copies.map(({ hasToken }, index) => (hasToken ? `token ${index}` : ''));
  const endpoints = copies.map(({ hasSignal, invalidIfStale }, index) =>
    getUser.extend({
      name: `copy ${index}`,
      ...(hasSignal && { signal: aborts[index]?.signal }),
      ...(invalidIfStale && { invalidIfStale }),
      ...(tokens[index] && { requestInit: { headers: { authorization: tokens[index] } } }),
    } as never),
  );
  const take = (): Request | undefined => requests.shift();
  return { endpoints, aborts, tokens, take, pending: () => requests };
}

async function run(copies: readonly Copy[], program: readonly Step[]): Promise<void> {
  const { endpoints, aborts, tokens, take, pending } = open(copies);
  const controller = new Controller({ onError: () => {} });
  const observe = (index: number): View<User> =>
    controller.observe(endpoints[index] as ReadEndpoint, { id: '1' }) as View<User>;
  let readers: Reader[] = [];
  let version = 0;
  let asked = new Set<string>();
  // Undefined after a sign-out without a reader: a reader that mounts soon may be a returning one.
  let isPaused: boolean | undefined = false;
  const isAborted = (index: number): boolean =>
    copies[index]?.hasSignal === true && aborts[index]?.signal.aborted === true;
  const mount = (index: number): void => {
    const view = observe(index);
    const load = (isMounted: boolean): void => {
      if (view.needsLoad(isMounted)) view.load().catch(() => {});
    };
    readers.push({ copy: index, view, leave: view.subscribe(() => load(true)) });
    load(false);
  };
  const act: { readonly [K in Step['do']]: (index: number) => void } = {
    mount,
    unmount(index) {
      const reader = readers[index % Math.max(1, readers.length)];
      reader?.leave();
      readers = readers.filter((other) => other !== reader);
      if (reader && readers.length === 0) isPaused &&= false;
    },
    /** As a component does that renders with another copy. */
    change(index) {
      const [reader] = readers;
      if (!reader) return;
      mount(index);
      reader.leave();
      readers = readers.filter((other) => other !== reader);
    },
    look: (index) => void observe(index).getSnapshot(),
    refetch(index) {
      const reader = readers[index % Math.max(1, readers.length)];
      if (!reader) return;
      isPaused &&= isAborted(reader.copy);
      asked.add(tokens[reader.copy] ?? '');
      reader.view.refetch().catch(() => {});
    },
    respond: () => take()?.answer(Response.json({ id: '1', name: `v${(version += 1)}` })),
    fail: () => take()?.answer(new Response('{}', { status: 500 })),
    abort: (index) => aborts[index]?.abort(),
    expire() {
      isPaused = readers.length > 0 ? false : isPaused;
      controller.expireAll(endpoints[0] as never);
    },
    signOut() {
      isPaused = readers.length > 0 || undefined;
      controller.resetEntireStore({ refetch: false });
    },
    reset() {
      isPaused = false;
      controller.resetEntireStore();
    },
    edit: () => controller.set(User, { id: '1' }, { name: `v${(version += 1)}` }),
  };
  for (const each of program) {
    const before = new Set(pending());
    asked = new Set();
    act[each.do]('pick' in each ? each.pick : 0);
    await settle();
    const mounted = readers.map((reader) => tokens[reader.copy]);
    // An expiry repeats the requests in flight.
    const repeated = Array.from(before, ({ token }) => token);
    // After a sign-out, no reader sends a request, even with another copy.
    if (isPaused) expect(pending()).toEqual([]);
    for (const request of pending()) {
      // No reader sends a request with the token of a reader that is not mounted.
      if (!before.has(request))
        expect([...mounted, ...asked, ...repeated]).toContain(request.token);
    }
    for (const reader of readers) {
      const snapshot = reader.view.getSnapshot();
      const name = snapshot.status === 'ready' ? snapshot.data.name : undefined;
      const stored = controller.get(User, { id: '1' })?.name;
      // A reader with data shows the newest one.
      if (name !== undefined) expect(name).toBe(stored);
      if (snapshot.status === 'pending' && !isAborted(reader.copy) && isPaused === false) {
        // A reader without data waits for a request.
        expect(pending().length, JSON.stringify(reader.copy)).toBeGreaterThan(0);
      }
      if (!copies[reader.copy]?.hasSignal && snapshot.status === 'error') {
        // The signal of another reader is not the end of this one.
        expect(snapshot.error.name).not.toBe('AbortError');
      }
    }
  }
  controller.dispose();
}

it('readers of copies of one endpoint keep to their own options', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(copy, { minLength: COPIES, maxLength: COPIES }),
      fc.array(step, { maxLength: 20, size: 'max' }),
      run,
    ),
    { numRuns: Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 5 },
  );
}, 120_000);
