/** Random moves, messages about moved and deleted records, and late responses: the fields of a record decide its lists. */
import fc from 'fast-check';
import { Controller, Entity, type EntityMeta, resource } from 'restitch';
import { expect, it } from 'vitest';

const COLUMNS = ['a', 'b', 'c'] as const;

interface Row {
  readonly id: string;
  readonly column: string;
  readonly version: number;
}

class Task extends Entity {
  id = '';
  column = '';
  version = 0;
}

class NewestTask extends Task {
  static override shouldReorder(
    _: EntityMeta,
    __: EntityMeta,
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ) {
    return Number(incoming['version']) < Number(existing['version']);
  }
}

type Answer = 'whole' | 'partial' | 'empty' | 'failure';
type Step =
  | { readonly do: 'move' | 'moved' | 'created'; readonly id: string; readonly column: string }
  | { readonly do: 'old' | 'deleted' | 'delete'; readonly id: string }
  | { readonly do: 'read'; readonly column: string }
  | { readonly do: 'respond'; readonly pick: number; readonly answer: Answer };

const id = fc.constantFrom('1', '2');
const column = fc.constantFrom(...COLUMNS);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('move', 'moved', 'created'), id, column }),
    fc.record({ do: fc.constantFrom('old', 'deleted', 'delete'), id }),
    fc.record({ do: fc.constant('read'), column }),
    fc.record({
      do: fc.constant('respond'),
      pick: fc.nat(3),
      answer: fc.constantFrom<Answer>('whole', 'whole', 'partial', 'empty', 'failure'),
    }),
  ) as fc.Arbitrary<Step>,
  { maxLength: 9, size: 'max' },
);

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

function open(isNewest: boolean, optimistic: boolean) {
  const held: ((answer: Answer) => void)[] = [];
  const rows = new Map<string, Row>();
  let version = 0;
  const write = (row: Pick<Row, 'id' | 'column'>): Row => {
    const next = { ...row, version: (version += 1) };
    rows.set(row.id, next);
    return next;
  };
  const send = (url: string, { method, body }: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      const failed = () => resolve(new Response('{}', { status: 500 }));
      const empty = () => resolve(new Response(null, { status: 204 }));
      if (method === 'GET') {
        const list = [...rows.values()].filter((row) => url.endsWith(`=${row.column}`));
        held.push((answer) => (answer === 'failure' ? failed() : resolve(Response.json(list))));
        return;
      }
      // The server runs a mutation when it responds.
      held.push((answer) => {
        const one = url.slice(-1);
        if (answer === 'failure' || !rows.has(one)) {
          failed();
        } else if (method === 'DELETE') {
          rows.delete(one);
          empty();
        } else {
          const row = write({ id: one, ...JSON.parse(body as string) });
          const partial = { id: row.id, version: row.version };
          if (answer === 'empty') empty();
          else resolve(Response.json(answer === 'whole' ? row : partial));
        }
      });
    });
  const Tasks = resource({
    urlPrefix: 'http://x',
    path: '/tasks/:id',
    schema: isNewest ? NewestTask : Task,
    searchParams: {} as { column?: string },
    body: {} as { column: string },
    optimistic,
    send,
  });
  const controller = new Controller();
  write({ id: '1', column: 'a' });
  write({ id: '2', column: 'b' });
  const views = COLUMNS.map((of) => {
    const known = [...rows.values()].filter((row) => row.column === of);
    controller.setResponse(Tasks.getList, { column: of }, known as never);
    const view = controller.observe(Tasks.getList, { column: of });
    view.subscribe(() => {});
    return view;
  });
  return { Tasks, controller, views, held, rows, write };
}

async function check(isNewest: boolean, optimistic: boolean, program: readonly Step[]) {
  const { Tasks, controller, views, held, rows, write } = open(isNewest, optimistic);
  const { getList } = Tasks;
  const stored = (of: string) => controller.get(isNewest ? NewestTask : Task, { id: of });
  const isShown = (of: string) => stored(of) !== undefined;
  for (const step of program) {
    switch (step.do) {
      case 'move':
        if (isShown(step.id))
          controller.fetch(getList.move, { id: step.id }, { column: step.column }).catch(() => {});
        break;
      case 'moved':
        if (rows.has(step.id))
          controller.setResponse(getList.move, { id: step.id }, {} as never, write(step) as never);
        break;
      case 'created':
        // A server gives the key of a deleted record to no other record while requests are in flight.
        if (!rows.has(step.id) && held.length === 0)
          controller.setResponse(getList.push, write(step) as never, write(step) as never);
        break;
      case 'old': {
        // A message that arrives twice: a class with `shouldReorder` ignores its fields.
        const row = { id: step.id, column: 'c', version: 0 };
        if (isNewest && isShown(step.id))
          controller.setResponse(getList.move, { id: step.id }, {} as never, row as never);
        break;
      }
      case 'read':
        controller.fetch(getList, { column: step.column }).catch(() => {});
        break;
      case 'delete':
        controller.fetch(Tasks.delete, { id: step.id }).catch(() => {});
        break;
      case 'deleted':
        rows.delete(step.id);
        controller.setResponse(Tasks.delete, { id: step.id }, undefined as never);
        break;
      default:
        held.splice(step.pick % Math.max(held.length, 1), 1)[0]?.(step.answer);
    }
    await settle();
  }
  for (const release of held.splice(0)) {
    release('whole');
    await settle();
  }
  if (views.some((view) => view.needsLoad(true))) return;
  const shown = COLUMNS.map((of) =>
    (controller.getResponse(getList, { column: of }) ?? []).map((row) => row.id).toSorted(),
  );
  const wanted = COLUMNS.map((of) => ['1', '2'].filter((one) => stored(one)?.column === of));
  expect(shown).toEqual(wanted);
}

it('the lists agree with the fields of their records, or are fetched again', async () => {
  await fc.assert(fc.asyncProperty(fc.boolean(), fc.boolean(), steps, check), {
    numRuns: Number(process.env['RESTITCH_MODEL_RUNS'] ?? 3_000) / 10,
  });
}, 120_000);
