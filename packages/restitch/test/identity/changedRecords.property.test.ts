/** Random updates, moves, deletes and messages that change the class or the primary key of a record. */
import fc from 'fast-check';
import { Controller, Entity, resource, Union } from 'restitch';
import { expect, it } from 'vitest';

class Row extends Entity {
  id = '';
  type = '';
  title = '';
}
class A extends Row {}
class B extends Row {}
class SharedA extends Row {
  static override key = 'ChangedRecord';
}
class SharedB extends Row {
  static override key = 'ChangedRecord';
}
class Keyed extends Row {
  override pk() {
    return `${this.type}/${this.id}`;
  }
}

const KINDS = {
  'a union of two tables': { a: A, b: B },
  'a union of one table': { a: SharedA, b: SharedB },
  'a class whose key contains the changed field': { a: Keyed, b: Keyed },
} as const;
type Kind = keyof typeof KINDS;

interface Record {
  id: string;
  type: 'a' | 'b';
  title: string;
}
type Answer = 'whole' | 'empty' | 'failure';
type How = 'move' | 'partialUpdate' | 'update';
type Step =
  | {
      readonly do: 'own' | 'message';
      readonly how: How;
      readonly at: number;
      readonly change: 'type' | 'title';
    }
  | { readonly do: 'delete' | 'deleted'; readonly at: number }
  | { readonly do: 'read'; readonly at: number }
  | { readonly do: 'respond'; readonly at: number; readonly answer: Answer };

const at = fc.nat(3);
const how = fc.constantFrom<How>('move', 'move', 'partialUpdate', 'update');
const change = fc.constantFrom('type', 'type', 'title');
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('own', 'message'), how, at, change }),
  fc.record({ do: fc.constantFrom('own', 'message'), how, at, change }),
  fc.record({ do: fc.constantFrom('delete', 'deleted', 'read'), at }),
  fc.record({
    do: fc.constant('respond'),
    at,
    answer: fc.constantFrom<Answer>('whole', 'whole', 'empty', 'empty', 'failure'),
  }),
) as fc.Arbitrary<Step>;
const kinds = fc.constantFrom(...(Object.keys(KINDS) as Kind[]));

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

function open(kind: Kind, optimistic: boolean, hasTwin: boolean) {
  const isKeyed = kind.startsWith('a class');
  const rows: Record[] = [
    { id: '1', type: 'a', title: '' },
    { id: '2', type: 'b', title: '' },
  ];
  if (hasTwin && !kind.endsWith('one table')) rows.push({ id: '1', type: 'b', title: 'twin' });
  const held: ((answer: Answer) => void)[] = [];
  const isTaken = (row: Record, type: string) =>
    rows.some((other) => other !== row && other.id === row.id && other.type === type);
  const send = (url: string, { method, body }: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      const { pathname, searchParams } = new URL(url);
      const [, , type = searchParams.get('type'), id] = isKeyed
        ? pathname.split('/')
        : ['', '', undefined, pathname.split('/')[2]];
      const list = rows.filter((row) => !type || row.type === type).map((row) => ({ ...row }));
      held.push((answer) => {
        if (method === 'GET') return resolve(Response.json(list));
        if (answer === 'failure') return resolve(new Response('{}', { status: 500 }));
        // The server runs a mutation when it responds.
        const row = rows.find((one) => one.id === id && (!isKeyed || one.type === type));
        const sent = method === 'DELETE' ? {} : (JSON.parse(body as string) as Partial<Record>);
        if (!row || (sent.type && isTaken(row, sent.type))) {
          return resolve(new Response('{}', { status: 404 }));
        }
        if (method === 'DELETE') rows.splice(rows.indexOf(row), 1);
        else Object.assign(row, sent);
        const isEmpty = answer === 'empty' || method === 'DELETE';
        return resolve(isEmpty ? new Response(null, { status: 204 }) : Response.json(row));
      });
    });
  const Rows = resource({
    urlPrefix: 'http://x',
    path: isKeyed ? '/rows/:type/:id' : '/rows/:id',
    schema: (isKeyed ? Keyed : new Union(KINDS[kind], 'type')) as typeof Row,
    searchParams: {} as { type?: string },
    body: {} as object,
    optimistic,
    send,
  } as const);
  const controller = new Controller();
  const views = (isKeyed ? ['a', 'b'] : [undefined, 'a', 'b']).map((type) => {
    const args = (type ? { type } : {}) as never;
    const known = () => rows.filter((row) => !type || row.type === type);
    controller.setResponse(Rows.getList, args, known().map((row) => ({ ...row })) as never);
    const view = controller.observe(Rows.getList, args);
    view.subscribe(() => {});
    return { view, known, args };
  });
  const named = ({ id, type }: Record) => (isKeyed ? { id, type } : { id }) as never;
  return { Rows, controller, views, held, rows, named, isTaken, isKeyed };
}

async function check(
  kind: Kind,
  optimistic: boolean,
  hasTwin: boolean,
  program: readonly Step[],
): Promise<void> {
  const world = open(kind, optimistic, hasTwin);
  const { Rows, controller, views, held, rows, named, isTaken, isKeyed } = world;
  const endpointOf = (name: How) => (name === 'move' ? Rows.getList.move : Rows[name]);
  const textOf = ({ constructor, type, id, title }: Row) =>
    `${constructor.name} ${type} ${id} ${title}`;
  const shown = (args: never) => controller.getResponse(Rows.getList, args) ?? [];
  let writes = 0;
  // Only a move adds a record to further lists.
  let isMoved = true;
  for (const one of program) {
    const row = rows[one.at % Math.max(rows.length, 1)];
    switch (one.do) {
      case 'own':
      case 'message': {
        if (!row) break;
        const type = row.type === 'a' ? 'b' : 'a';
        const title = String((writes += 1));
        if (one.change === 'type' && isTaken(row, type)) break;
        isMoved &&= one.how === 'move' || one.change === 'title';
        const sent = one.change === 'type' ? { type } : { title };
        const body = one.how === 'update' ? { ...row, ...sent } : sent;
        const args = named(row);
        if (one.do === 'own') {
          controller.fetch(endpointOf(one.how), args, body as never).catch(() => {});
        } else {
          Object.assign(row, sent);
          controller.setResponse(endpointOf(one.how), args, {} as never, { ...row } as never);
        }
        break;
      }
      case 'delete':
        if (row) controller.fetch(Rows.delete, named(row)).catch(() => {});
        break;
      case 'deleted': {
        const found = row && rows.find(({ id }) => id === row.id);
        const gone = isKeyed ? row : found;
        if (gone) {
          rows.splice(rows.indexOf(gone), 1);
          controller.setResponse(Rows.delete, named(gone), undefined as never);
        }
        break;
      }
      case 'read':
        controller.fetch(Rows.getList, views[one.at % views.length]?.args as never).catch(() => {});
        break;
      default:
        held.splice(one.at % Math.max(held.length, 1), 1)[0]?.(one.answer);
    }
    await settle();
    for (const { args } of views) {
      const keys = shown(args).map(({ type, id }) => (kind.endsWith('one table') ? id : type + id));
      expect(keys).toEqual([...new Set(keys)]);
    }
  }
  for (let round = 0; round < 20; round += 1) {
    for (const release of held.splice(0)) {
      release('whole');
      await settle();
    }
    for (const { view } of views) if (view.needsLoad(true)) view.load().catch(() => {});
    await settle();
    if (held.length === 0) break;
  }
  for (const { known, args } of views) {
    const found = shown(args).map(textOf).toSorted();
    const wanted = known().map((row) => textOf(KINDS[kind][row.type].fromJS(row)));
    const missing = isMoved ? [] : wanted.filter((text) => !found.includes(text));
    expect([...found, ...missing].toSorted()).toEqual(wanted.toSorted());
  }
}

it('the lists contain each record once, and agree with the server in the end', async () => {
  const program = fc.array(step, { maxLength: 8, size: 'max' });
  await fc.assert(fc.asyncProperty(kinds, fc.boolean(), fc.boolean(), program, check), {
    numRuns: Number(process.env['RESTITCH_MODEL_RUNS'] ?? 3_000) / 10,
  });
}, 120_000);
