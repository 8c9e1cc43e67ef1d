/** Late responses and messages of records whose class decides which one is newer: each of their lists has the members that belong to the shown fields. */
import fc from 'fast-check';
import { Collection, Controller, Entity, type EntityMeta, RestEndpoint } from 'restitch';
import { expect, it } from 'vitest';

class Comment extends Entity {
  id = '';
}

const comments = new Collection([Comment]);

class Thread extends Entity {
  id = '';
  version = 0;
  comments: Comment[] = [];
  static override schema = { comments };
}

type Fields = Readonly<Record<string, unknown>>;
const isOlder = (existing: Fields, incoming: Fields) =>
  Number(incoming['version']) < Number(existing['version']);

/** The three ways in which a class can say which record is newer. */
const CLASSES = {
  shouldReorder: class extends Thread {
    static override shouldReorder(
      _: EntityMeta,
      __: EntityMeta,
      existing: Fields,
      incoming: Fields,
    ) {
      return isOlder(existing, incoming);
    }
  },
  shouldUpdate: class extends Thread {
    static override shouldUpdate(
      _: EntityMeta,
      __: EntityMeta,
      existing: Fields,
      incoming: Fields,
    ) {
      return !isOlder(existing, incoming);
    }
  },
  mergeWithStore: class extends Thread {
    static override mergeWithStore(
      _: EntityMeta,
      __: EntityMeta,
      existing: Fields,
      incoming: Fields,
    ) {
      return isOlder(existing, incoming) ? existing : { ...existing, ...incoming };
    }
  },
};

type Step =
  | { readonly do: 'read'; readonly lag: number; readonly from: 'one' | 'all' }
  | { readonly do: 'message'; readonly lag: number }
  | { readonly do: 'write' }
  | { readonly do: 'rename' }
  | { readonly do: 'respond'; readonly pick: number; readonly lag: number };

const lag = fc.constantFrom(0, 0, 1, 2);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('read'), lag, from: fc.constantFrom('one', 'all') }),
    fc.record({ do: fc.constant('message'), lag }),
    fc.record({ do: fc.constantFrom('write', 'rename') }),
    fc.record({ do: fc.constant('respond'), pick: fc.nat(3), lag }),
  ) as fc.Arbitrary<Step>,
  { maxLength: 10, size: 'max' },
);

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

/** The comments of a version of the thread. */
const commentsOf = (version: number) =>
  [1, 2, 3].filter((id) => (version * 5 + id) % 3 > 0).map((id) => ({ id: `${version}-${id}` }));

async function check(kind: keyof typeof CLASSES, program: readonly Step[]) {
  const schema = CLASSES[kind];
  const held: ((lag: number) => void)[] = [];
  let version = 3;
  let readLag = 0;
  const thread = (late: number) => {
    const of = version - late;
    return { id: '1', version: of, comments: commentsOf(of) };
  };
  const send = (url: string, { method }: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      const read = thread(readLag);
      held.push((more) => {
        version += method === 'GET' ? 0 : 1;
        const one = method === 'GET' ? read : thread(more);
        resolve(Response.json(url.includes('all') ? [one, { ...one, title: 'a' }] : one));
      });
    });
  const options = { urlPrefix: 'http://x', send };
  const get = new RestEndpoint({ path: '/threads/:id', schema, ...options });
  const getAll = new RestEndpoint({ path: '/all', schema: [schema], ...options });
  const rename = new RestEndpoint({ path: '/threads/:id', method: 'PATCH', schema, ...options });
  const controller = new Controller();
  controller.setResponse(get, { id: '1' }, thread(2) as never);
  let newest = version - 2;
  for (const step of program) {
    switch (step.do) {
      case 'read':
        readLag = step.lag;
        if (step.from === 'one') controller.fetch(get, { id: '1' }).catch(() => {});
        else controller.fetch(getAll, {}).catch(() => {});
        break;
      case 'message':
        controller.setResponse(get, { id: '1' }, thread(step.lag) as never);
        break;
      case 'write':
        version += 1;
        break;
      case 'rename':
        controller.fetch(rename, { id: '1' }, {}).catch(() => {});
        break;
      case 'respond':
        held.splice(step.pick % (held.length || 1), 1)[0]?.(step.lag);
        await settle();
    }
    const shown = controller.get(schema, { id: '1' });
    expect(shown?.version).toBeGreaterThanOrEqual(newest);
    newest = shown?.version ?? 0;
    expect(shown?.comments.map(({ id }) => id)).toEqual(commentsOf(newest).map(({ id }) => id));
  }
}

const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 4_000) / 10);

it.each(['shouldReorder', 'shouldUpdate', 'mergeWithStore'] as const)(
  'the lists of a record follow %s',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(steps, (program) => check(kind, program)),
      { numRuns: RUNS },
    );
  },
);
