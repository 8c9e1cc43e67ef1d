/** Random creates, edits and deletions of rows that the server may not have named yet, with responses in every order. */
import fc from 'fast-check';
import { Collection, Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';

class Item extends Entity {
  id = '';
  title = '';
  static override key = 'Item';
}

type Step =
  | { readonly do: 'create' }
  | { readonly do: 'edit' | 'remove'; readonly pick: number }
  | { readonly do: 'settle'; readonly pick: number; readonly fails: boolean };

const pick = fc.nat(7);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), pick }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), pick }) },
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constant('settle' as const),
        pick,
        fails: fc.nat(4).map((n) => n === 0),
      }),
    },
  ),
  { maxLength: 30, size: 'max' },
);

/** A change that a caller asked for. */
interface Change {
  readonly title: string | undefined;
  failed: boolean;
}

/** One row in the eyes of who created it. */
interface Expected {
  readonly changes: Change[];
  failed: boolean;
}

/** A request as it was sent. */
interface Sent {
  readonly id: string | undefined;
  readonly title: string | undefined;
  settle(fails: boolean): void;
}

/** What is to be seen: rows in the order of their creates, each with the last title that was not refused. */
function titlesOf(rows: readonly Expected[]): string[] {
  return rows
    .filter(({ failed, changes }) => {
      const isRemoved = changes.some((change) => change.title === undefined && !change.failed);
      return !failed && !isRemoved;
    })
    .map(({ changes }) => changes.findLast((change) => !change.failed)?.title ?? '');
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

async function run(program: readonly Step[]): Promise<void> {
  const items = new Collection([Item]);
  const controller = new Controller();
  const sent: Sent[] = [];
  const rows: Expected[] = [];
  let names = 0;
  /** A mutation that predicts its arguments; the server responds with them, a created row under a key of its own. */
  const mutation = (name: string, schema: unknown) =>
    new Endpoint(
      ({ id, title }: { id?: string; title?: string }) =>
        new Promise<unknown>((resolve, reject) => {
          sent.push({
            id,
            title,
            settle(fails) {
              const row = {
                id: id ?? `row ${(names += 1)}`,
                ...(title !== undefined && { title }),
              };
              if (fails) reject(new Error('refused'));
              else resolve(row);
            },
          });
        }),
      { name, schema, sideEffect: true, getOptimisticResponse: (_: unknown, args: object) => args },
    );
  const create = mutation('create', items.push);
  const edit = mutation('edit', Item);
  const remove = mutation('remove', new Invalidate(Item));
  const getItems = new Endpoint(async (): Promise<unknown> => [], { name: 'list', schema: items });
  await controller.fetch(getItems);
  const shownNow = () => controller.getResponse(getItems) ?? [];

  /** Sends a request; what it comes to is noted on the row that it is about. */
  const send = (endpoint: typeof create, args: { id?: string; title?: string }, row: Expected) => {
    const change: Change = { title: args.title, failed: false };
    row.changes.push(change);
    controller.fetch(endpoint, args).catch(() => {
      change.failed = true;
      row.failed ||= endpoint === create;
    });
  };
  let count = 0;
  for (const step of program) {
    const title = `title ${(count += 1)}`;
    if (step.do === 'create') {
      const row: Expected = { changes: [], failed: false };
      rows.push(row);
      send(create, { title }, row);
    } else if (step.do === 'settle') {
      const [request] = sent.splice(step.pick % Math.max(sent.length, 1), 1);
      request?.settle(step.fails);
    } else {
      const target = shownNow()[step.pick % Math.max(shownNow().length, 1)];
      const row = rows.find((candidate) => target && titlesOf([candidate])[0] === target.title);
      if (target && row) {
        if (step.do === 'edit') send(edit, { id: target.id, title }, row);
        else send(remove, { id: target.id }, row);
      }
    }
    await settle();
    expect(shownNow().map((row) => row.title)).toEqual(titlesOf(rows));
  }
  while (sent.length > 0) {
    sent.shift()?.settle(false);
    await settle();
    expect(shownNow().map((row) => row.title)).toEqual(titlesOf(rows));
  }
  expect(shownNow().every(({ id }) => id.startsWith('row '))).toBe(true);
  expect(new Set(shownNow().map(({ id }) => id)).size).toBe(shownNow().length);
}

describe('rows that the server may not have named yet', () => {
  it('are those that were requested and not refused, in the order of their creates, whatever order the responses arrive in', async () => {
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 300 });
  }, 60_000);
});
