/** Random creates, edits and deletions of rows that the server may not have named yet, with responses in every order. A create waits for the key of its parent. */
import fc from 'fast-check';
import { Collection, Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';

const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 7500) / 25);

class Item extends Entity {
  id = '';
  shop = '';
  title = '';
  parent = '';
  static override key = 'Item';
}

class OfShop extends Item {
  override pk() {
    return `${this.shop}/${this.id}`;
  }
}

class GuardedOfShop extends Item {
  override pk() {
    return this.id && `${this.shop}/${this.id}`;
  }
}

type Step =
  | { readonly do: 'create' }
  | { readonly do: 'edit' | 'remove' | 'createChild'; readonly pick: number }
  | { readonly do: 'settle'; readonly pick: number; readonly fails: boolean };

const pick = fc.nat(7);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('createChild' as const), pick }) },
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

interface Body {
  readonly shop?: string;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly parent?: string;
}

/** One row in the eyes of who created it. */
interface Expected {
  readonly changes: Change[];
  failed: boolean;
  /** Its place among the rows. A create that waits, and is sent, comes last, with later ones that still wait. */
  place: number;
  isSent: boolean;
  /** Its key on the server. */
  id?: string;
  /** If its removal waits for the key: the number of creates before the removal. */
  removal?: number | undefined;
}

/** A request as it was sent. */
interface Sent {
  readonly id: string | undefined;
  readonly title: string | undefined;
  settle(fails: boolean): void;
}

/** What is to be seen: rows in the order of their places, each with the last title that was not refused. */
function titlesOf(rows: readonly Expected[]): string[] {
  return [...rows]
    .sort((a, b) => a.place - b.place)
    .filter(({ failed, changes }) => {
      const isRemoved = changes.some((change) => change.title === undefined && !change.failed);
      return !failed && !isRemoved;
    })
    .map(({ changes }) => changes.findLast((change) => !change.failed)?.title ?? '');
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

async function run(entity: typeof Item, program: readonly Step[]): Promise<void> {
  const items = new Collection([entity]);
  const controller = new Controller();
  const sent: Sent[] = [];
  const rows: Expected[] = [];
  let names = 0;
  let places = 0;
  /** A call that changes the list was sent: creates that were called later, and still wait, follow it. */
  const moveWaiting = (since: number): void => {
    for (const row of rows.slice(since).filter(({ isSent }) => !isSent)) row.place = places += 1;
  };
  const noteSent = (name: string, { id, title }: Body): void => {
    const index = rows.findIndex(({ changes }) => changes[0]?.title === title);
    const row = rows[index];
    if (name === 'create' && row) {
      row.isSent = true;
      row.place = places += 1;
      moveWaiting(index + 1);
    }
    const removed = rows.find((other) => name === 'remove' && other.id === id);
    if (removed?.removal !== undefined) moveWaiting(removed.removal);
  };
  /** A mutation that predicts its arguments; the server responds with them, a created row under a key of its own. */
  const mutation = (name: string, schema: unknown) =>
    new Endpoint(
      ({ id, shop, title, parent }: Body) =>
        new Promise<unknown>((resolve, reject) => {
          noteSent(name, { id, title });
          sent.push({
            id,
            title,
            settle(fails) {
              const row = {
                id: id ?? `row ${(names += 1)}`,
                ...(shop !== undefined && { shop }),
                ...(title !== undefined && { title }),
                ...(parent !== undefined && { parent }),
              };
              const created = rows.find(({ changes }) => changes[0]?.title === title);
              if (name === 'create' && created) created.id = row.id;
              if (fails) reject(new Error('refused'));
              else resolve(row);
            },
          });
        }),
      { name, schema, sideEffect: true, getOptimisticResponse: (_: unknown, args: object) => args },
    );
  const create = mutation('create', items.push);
  const edit = mutation('edit', entity);
  const remove = mutation('remove', new Invalidate(entity));
  const getItems = new Endpoint(async (): Promise<unknown> => [], { name: 'list', schema: items });
  await controller.fetch(getItems);
  const shownNow = () => controller.getResponse(getItems) ?? [];

  /** Sends a request; what it comes to is noted on the row that it is about. */
  const send = (endpoint: typeof create, args: Body, row: Expected) => {
    const change: Change = { title: args.title, failed: false };
    row.changes.push(change);
    controller.fetch(endpoint, { ...args, shop: 'a' }).catch(() => {
      change.failed = true;
      row.failed ||= endpoint === create;
    });
  };
  let count = 0;
  for (const step of program) {
    const title = `title ${(count += 1)}`;
    const picked = step.do === 'create' ? -1 : step.pick % Math.max(shownNow().length, 1);
    if (step.do === 'create' || step.do === 'createChild') {
      const parent = shownNow()[picked]?.id;
      const row: Expected = { changes: [], failed: false, place: (places += 1), isSent: false };
      rows.push(row);
      send(create, { title, ...(parent !== undefined && { parent }) }, row);
    } else if (step.do === 'settle') {
      const [request] = sent.splice(step.pick % Math.max(sent.length, 1), 1);
      request?.settle(step.fails);
    } else {
      const target = shownNow()[picked];
      const row = rows.find((candidate) => target && titlesOf([candidate])[0] === target.title);
      if (target && row) {
        if (step.do === 'edit') send(edit, { id: target.id, title }, row);
        else {
          row.removal = row.id === undefined ? rows.length : undefined;
          send(remove, { id: target.id }, row);
        }
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
  expect(shownNow().every(({ parent }) => parent === '' || parent.startsWith('row '))).toBe(true);
  expect(new Set(shownNow().map(({ id }) => id)).size).toBe(shownNow().length);
}

describe.each([Item, OfShop, GuardedOfShop])(
  'rows that the server may not have named yet',
  (entity) => {
    it(
      'are those that were requested and not refused, in the order in which their creates are sent, whatever order the responses arrive in',
      async () => {
        await fc.assert(
          fc.asyncProperty(steps, (program) => run(entity, program)),
          { numRuns: RUNS },
        );
      },
      30_000 + RUNS * 100,
    );
  },
);
