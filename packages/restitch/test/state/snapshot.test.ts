/** A snapshot reads what was stored when it was taken, whatever happened since. */
import fc from 'fast-check';
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  type StateSnapshot,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, manual, mutation } from '../regressions/kit.js';
import { Clock } from '../support/clock.js';

class User extends Entity {
  id = '';
  name = '';
  friend: User | undefined = undefined;
  static override key = 'User';
  static override indexes = ['name'];
  static override schema: Record<string, unknown> = {};
}
User.schema = { friend: User };

const users = new Collection([User]);
const everyone = new All(User);
const getText = new Endpoint(async (_: { id: string }) => 'text', { name: 'getText' });

function open() {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ environment: clock.environment });
  const user = manual('user', User);
  const list = manual('list', users);
  return { clock, controller, user, list };
}

const ids = (rows: readonly User[] | undefined): string[] | undefined => rows?.map(({ id }) => id);

describe('a snapshot', () => {
  it('reads rows, lists and relations as they were, and what did not change as the same object', () => {
    const { controller, list } = open();
    controller.setResponse(list.endpoint, {}, [
      { id: '1', name: 'ann', friend: { id: '2', name: 'bob' } },
      { id: '3', name: 'cid' },
    ]);
    const before = controller.getResponse(list.endpoint, {}) as User[];
    const snapshot = controller.snapshot();
    controller.set(User, { id: '2' }, { name: 'bill' });
    controller.set(users.push, {}, { id: '4', name: 'dot' });
    const was = snapshot.getResponse(list.endpoint, {}) as User[];
    expect(was).toBe(before);
    expect(snapshot.get(users, {})).toBe(before);
    expect([was[0]?.friend?.name, ids(was)]).toEqual(['bob', ['1', '3']]);
    expect(controller.get(users, {})?.[1]).toBe(was[1]);
    expect(controller.get(User, { id: '1' })?.friend?.name).toBe('bill');
    snapshot.release();
  });

  it('reads what nobody had looked at before it was overwritten', () => {
    const { controller } = open();
    for (const id of ['1', '2']) controller.set(User, { id }, { name: 'ann', friend: 'later' });
    const snapshot = controller.snapshot();
    controller.set(User, { id: '1' }, { name: 'bob' });
    controller.set(User, { id: '3' }, { name: 'ann' });
    controller.set(User, { id: 'later' }, { name: 'came later' });
    expect(ids(snapshot.get(everyone))).toEqual(['1', '2']);
    expect(snapshot.get(everyone)?.map(({ name, friend }) => [name, friend])).toEqual([
      ['ann', undefined],
      ['ann', undefined],
    ]);
    expect(snapshot.get(User, { name: 'bob' })).toBeUndefined();
    expect(snapshot.get(User, { name: 'ann' })?.id).toBe('2');
    expect(snapshot.get(User, { id: '3' })).toBeUndefined();
    expect(ids(controller.get(everyone))).toEqual(['1', '2', '3', 'later']);
    snapshot.release();
  });

  it('reads a row as deleted that came back since as it had been', () => {
    const { controller } = open();
    const view = controller.observeQuery([User], ['1', '2']);
    const bring = (): void => {
      controller.set(User, { id: '2' }, { name: 'bob' });
      controller.set(User, { id: '1' }, { name: 'ann', friend: '2' });
    };
    bring();
    const [ann] = controller.get([User], ['1', '2']) ?? [];
    view.getSnapshot();
    controller.set(new Invalidate(User), {}, { id: '2' });
    const snapshot = controller.snapshot();
    bring();
    expect(controller.get(User, { id: '1' })).toEqual(ann);
    expect(snapshot.get(User, { id: '2' })).toBeUndefined();
    expect(snapshot.get(User, { id: '1' })).toMatchObject({ name: 'ann', friend: undefined });
    snapshot.release();
  });

  it('reads answers and errors as they were', async () => {
    const { controller } = open();
    const error = new Error('no');
    const all: StateSnapshot[] = [controller.snapshot()];
    const next = (): void => void all.push(controller.snapshot());
    controller.setResponse(getText, { id: '1' }, 'first');
    next();
    controller.setResponse(getText, { id: '1' }, 'second');
    next();
    controller.setError(getText, { id: '1' }, error);
    next();
    await controller.invalidate(getText, { id: '1' });
    next();
    controller.setResponse(getText, { id: '1' }, 'third');
    const read = all.map((snapshot) => [
      snapshot.getResponse(getText, { id: '1' }),
      snapshot.getError(getText, { id: '1' }),
    ]);
    expect(read).toEqual([
      [undefined, undefined],
      ['first', undefined],
      ['second', undefined],
      [undefined, error],
      [undefined, undefined],
    ]);
    for (const snapshot of all) snapshot.release();
  });

  it('shows guesses that were pending, and not those that came after', async () => {
    const { controller } = open();
    const rename = mutation('rename', User, (_, body: object) => body);
    controller.set(User, { id: '1' }, { name: 'ann' });
    const [before, during] = [controller.snapshot(), ignoreAndTake()];
    function ignoreAndTake(): StateSnapshot {
      ignore(controller.fetch(rename.endpoint, { id: '1', name: 'guess' }));
      return controller.snapshot();
    }
    await rename.fail(new Error('no'));
    const names = [before, during, controller].map((state) => state.get(User, { id: '1' })?.name);
    expect(names).toEqual(['ann', 'guess', 'ann']);
    before.release();
    during.release();
  });

  it('taken by an observer holds what that one was told of, and in a batch what was written so far', () => {
    const { controller } = open();
    const taken: StateSnapshot[] = [];
    controller.set(User, { id: '1' }, { name: 'a' });
    const stop = controller.observeQuery(User, { id: '1' }).subscribe(() => {
      taken.push(controller.snapshot());
      stop();
      controller.set(User, { id: '1' }, { name: 'c' });
    });
    controller.set(User, { id: '1' }, { name: 'b' });
    controller.batch(() => {
      controller.set(User, { id: '1' }, { name: 'd' });
      taken.push(controller.snapshot());
      controller.set(User, { id: '1' }, { name: 'e' });
      taken.push(controller.snapshot());
    });
    controller.set(User, { id: '1' }, { name: 'f' });
    expect(taken.map((snapshot) => snapshot.get(User, { id: '1' })?.name)).toEqual(['b', 'd', 'e']);
    for (const snapshot of taken) snapshot.release();
  });

  it('survives a reset, and everything that would have been forgotten is swept when it is released', async () => {
    const { clock, controller, user } = open();
    ignore(controller.fetch(user.endpoint, { id: '1' }));
    await user.answer({ id: '1', name: 'ann' });
    const snapshot = controller.snapshot();
    expect(snapshot.fetchedAt).toBe(clock.now);
    await clock.pass(3_600_000);
    expect(snapshot.getResponse(user.endpoint, { id: '1' })).toMatchObject({ name: 'ann' });
    controller.resetEntireStore();
    controller.set(User, { id: '1' }, { name: 'bob' });
    expect(snapshot.get(User, { id: '1' })?.name).toBe('ann');
    snapshot.release();
    snapshot.release();
    await clock.pass(3_600_000);
    expect([clock.idleWaits, controller.get(User, { id: '1' })]).toEqual([0, undefined]);
  });

  it('that was released throws', () => {
    const { controller } = open();
    const snapshot = controller.snapshot();
    snapshot.release();
    const refused = expect.objectContaining({ code: 'snapshot-released' }) as Error;
    expect(() => snapshot.get(User, { id: '1' })).toThrow(refused);
    expect(() => snapshot.getResponse(getText, { id: '1' })).toThrow(refused);
    expect(() => snapshot.getError(getText, { id: '1' })).toThrow(refused);
  });
});

type Step =
  | { readonly do: 'set' | 'remove' | 'push' | 'guess'; readonly id: string; readonly n: number }
  | { readonly do: 'list' | 'text' | 'error' | 'invalidate' | 'take'; readonly id: string }
  | { readonly do: 'settle'; readonly fails: boolean };

const id = fc.constantFrom('1', '2', '3', '4');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('set' as const, 'remove' as const, 'push' as const, 'guess' as const),
      id,
      n: fc.nat(3),
    }),
    fc.record({
      do: fc.constantFrom(
        'list' as const,
        'text' as const,
        'error' as const,
        'invalidate' as const,
        'take' as const,
      ),
      id,
    }),
    fc.record({ do: fc.constant('settle' as const), fails: fc.boolean() }),
  ),
  { maxLength: 30, size: 'max' },
);

/** All that can be read. */
function everything(state: Omit<StateSnapshot, 'fetchedAt' | 'release'>): unknown {
  const keys = ['1', '2', '3', '4'];
  return structuredClone({
    rows: keys.map((key) => ({ ...state.get(User, { id: key }) })),
    // Of several with one name any may be meant.
    named: keys.map((key) => state.get(User, { name: `name ${key}` })?.name),
    // In the order of their keys: nobody may have asked for all of them before.
    all: ids(state.get(everyone))?.toSorted(),
    list: state.get(users, {})?.map(({ id: key, name, friend }) => [key, name, friend?.name]),
    texts: keys.map((key) => state.getResponse(getText, { id: key })),
    errors: keys.map((key) => state.getError(getText, { id: key })?.message),
  });
}

async function run(program: readonly Step[], looksBefore: boolean): Promise<void> {
  const { controller } = open();
  const edit = mutation('edit', User, (_, body: object) => body);
  const taken: { readonly snapshot: StateSnapshot; readonly before: unknown }[] = [];
  for (const step of program) {
    if (step.do === 'set' || step.do === 'push') {
      const friend = String(step.n + 1);
      const row = { id: step.id, name: `name ${step.n}`, friend };
      if (step.do === 'set') controller.set(User, { id: step.id }, row);
      else controller.set(users.push, {}, row);
    } else if (step.do === 'remove') {
      controller.set(new Invalidate(User), {}, { id: step.id });
    } else if (step.do === 'guess') {
      ignore(controller.fetch(edit.endpoint, { id: step.id, name: `name ${step.n}` }));
    } else if (step.do === 'settle') {
      const call = edit.calls.shift();
      if (step.fails) call?.reject(new Error('refused'));
      else call?.resolve(call.args[0]);
      await flush();
    } else if (step.do === 'list') {
      controller.setResponse(manual('list', users).endpoint, {}, [{ id: step.id }, { id: '4' }]);
    } else if (step.do === 'text') {
      controller.setResponse(getText, { id: step.id }, `text ${taken.length}`);
    } else if (step.do === 'error') {
      controller.setError(getText, { id: step.id }, new Error(`error ${taken.length}`));
    } else if (step.do === 'invalidate') {
      await controller.invalidate(getText, { id: step.id });
    } else {
      const [snapshot, copy] = [controller.snapshot(), controller.snapshot()];
      // The cast: a controller reads the same; its type says more of queries.
      const present = controller as unknown as StateSnapshot;
      // What is read for the comparison need not be what makes the snapshot right.
      taken.push({ snapshot, before: everything(looksBefore ? present : copy) });
      copy.release();
    }
  }
  for (const { snapshot, before } of taken) {
    expect(everything(snapshot)).toEqual(before);
    snapshot.release();
  }
}

it('whatever is written, whenever it is taken and whether anything was looked at before, reads the same', async () => {
  await fc.assert(fc.asyncProperty(steps, fc.boolean(), run), { numRuns: 300 });
}, 60_000);

describe('the snapshot of a guess', () => {
  it('reads of an endpoint what its readers see: nothing where the arguments name something else', async () => {
    const { controller } = open();
    const getOwner = new Endpoint(async (_: { id: string }) => ({ id: 'o' }), {
      name: 'getOwner',
      path: '/projects/:id/owner',
      schema: User,
    });
    const seen: unknown[] = [];
    const edit = mutation('edit', User, (snapshot) => {
      seen.push(snapshot.getResponse(getOwner, { id: '1' }));
      throw snapshot.abort;
    });
    controller.set(User, { id: '1' }, { name: 'ann' });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(seen).toEqual([undefined]);
    expect(controller.getResponse(getOwner, { id: '1' })).toBeUndefined();
  });

  it('holds each row once, in circles too, and lacks what lacks a row that it requires', () => {
    class Task extends Entity {
      id = '';
      owner = User.fromJS({});
      helper: User | undefined = undefined;
      static override key = 'SnapshotTask';
      static override schema = { owner: User, helper: User };
    }
    const tasks = new Collection([Task]);
    const { controller } = open();
    controller.set(tasks, {}, [
      { id: '1', owner: { id: 'a', friend: { id: 'b', friend: 'a' } }, helper: 'b' },
      { id: '2', owner: 'gone', helper: 'a' },
    ]);
    controller.set(new Invalidate(User), {}, { id: 'gone' });
    const seen: (readonly Task[] | undefined)[] = [];
    const edit = mutation('edit', User, (snapshot) => {
      seen.push(snapshot.get(tasks, {}));
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, {}));
    const [[task, ...others] = []] = seen;
    expect(others).toEqual([]);
    expect(task?.owner.friend).toBe(task?.helper);
    expect(task?.helper?.friend).toBe(task?.owner);
  });

  it('sees far along a chain of rows', () => {
    const { controller } = open();
    const lengthFrom = (user: User | undefined): number => {
      let length = 0;
      for (let next = user; next; next = next.friend) length += 1;
      return length;
    };
    for (let id = 1; id <= 90; id += 1) {
      controller.set(User, { id: String(id) }, id < 90 ? { friend: String(id + 1) } : {});
    }
    let seen = 0;
    const edit = mutation('edit', User, (snapshot) => {
      seen = lengthFrom(snapshot.get(User, { id: '1' }));
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(seen).toBe(90);
  });

  it('sees further than that what is shown now', () => {
    const { controller } = open();
    for (let id = 1; id <= 300; id += 1) {
      controller.set(User, { id: String(id) }, { name: 'before', friend: String(id + 1) });
    }
    expect(controller.get(User, { id: '1' })?.friend?.id).toBe('2');
    const names: string[] = [];
    const edit = mutation('edit', User, (snapshot) => {
      for (let user = snapshot.get(User, { id: '1' }); user; user = user.friend) {
        names.push(user.name);
      }
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(names).toEqual(Array(300).fill('before'));
  });
});
