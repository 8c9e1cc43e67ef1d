/** For random schemas: what is read is what the simplest store would show, with no reference changed that need not be. */
import { Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Choose, Row, World } from './randomSchemas.js';

/** A quarter of `RESTITCH_MODEL_RUNS` schemas (default 150). */
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 600) / 4);
/** Milliseconds, after which a failure is no longer made smaller either. */
const LIMIT = 60_000;

function openStore(choose: Choose) {
  const world = new World(choose);
  const { a, b } = world.response;
  // An array that is the whole response is read in another way than an array in an object.
  const isArray = Array.isArray(a.schema) && choose(4) > 0;
  const controller = new Controller();
  const get = new Endpoint(async (): Promise<unknown> => undefined, {
    name: 'getAnswer',
    schema: isArray ? a.schema : { a: a.schema, b: b.schema },
  });
  const view = controller.observe(get);
  let shownNow = (): unknown => ({});
  const respond = (): void => {
    world.begin();
    const value = { a: a.make(0), b: isArray ? undefined : b.make(0) };
    // The cast: with `isArray`, it is the array.
    controller.setResponse(get, structuredClone(isArray ? (value.a as unknown[]) : value));
    const kept = world.keepAnswer(value);
    world.commit();
    shownNow = () => (isArray ? kept.a() : { a: kept.a(), b: kept.b() });
  };
  const set = (): void => {
    world.begin();
    const kind = choose(world.classes.length);
    const record = world.record(kind, 1);
    controller.set(world.classes[kind] ?? Row, {}, structuredClone(record));
    world.keep(kind, record);
    world.commit();
  };
  const remove = (): void => {
    const kind = choose(world.classes.length);
    const id = ['1', '2', '3', '__proto__'][choose(4)] ?? '';
    controller.set(new Invalidate(world.classes[kind] ?? Row), {}, id);
    world.remove(kind, id);
  };
  const read = (): unknown => {
    const snapshot = view.getSnapshot();
    if (snapshot.status !== 'ready') throw new Error(snapshot.status);
    return snapshot.data;
  };
  return { world, controller, get, view, respond, set, remove, read, expected: () => shownNow() };
}

const labelOf = (row: Row): string => `${(row.constructor as typeof Row).key} ${row.id}`;

/** A shown value without its records, which are called by their labels and put into `rows`. */
function flat(value: unknown, rows: Map<string, Row>): unknown {
  if (value instanceof Row) {
    const label = labelOf(value);
    const known = rows.get(label);
    // One record is one instance, wherever it is shown.
    if (known) expect(value).toBe(known);
    else rows.set(label, value);
    return { label };
  }
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => flat(item, rows));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, flat(item, rows)]));
}

/** True if a record of the envelope is missing: mounted readers keep it, and others fetch. */
function lacksRecord(value: unknown): boolean {
  const isEnvelope = typeof value === 'object' && value !== null && !('label' in value);
  return (
    value === undefined ||
    (isEnvelope && !Array.isArray(value) && Object.values(value).some(lacksRecord))
  );
}

/** Compares what is shown with what the simple store shows; gives each record with what it shows itself. */
function compare({ world, read, expected }: ReturnType<typeof openStore>) {
  const instances = new Map<string, Row>();
  const contents = new Map<string, unknown>();
  const data = read();
  const top = flat(data, instances);
  expect(top).toEqual(expected());
  // More are found on the way.
  for (const [label, row] of instances) {
    const kept = Object.entries(world.rows.get(label) ?? {}).map(([name, value]) => [
      name,
      typeof value === 'function' ? value() : value,
    ]);
    const current = flat({ ...row }, instances);
    expect(current).toEqual({ size: 0, ...Object.fromEntries(kept) });
    contents.set(label, current);
  }
  return { data, top, instances, contents };
}

/** What a record shows, those that it leads to included. */
function reachOf(label: string, contents: ReadonlyMap<string, unknown>): string {
  const found = new Set([label]);
  for (const one of found) {
    for (const [, next = ''] of JSON.stringify(contents.get(one)).matchAll(/"label":"([^"]*)"/g)) {
      found.add(next);
    }
  }
  return JSON.stringify([...found].sort().map((one) => [one, contents.get(one)]));
}

describe('random schemas', () => {
  it(
    'read the same as the simplest store, and keep every reference that reads the same',
    () => {
      fc.assert(
        fc.property(fc.gen(), (generate) => {
          const store = openStore((count) => generate(fc.nat, { max: count - 1 }));
          store.respond();
          let notified = 0;
          store.view.subscribe(() => (notified += 1));
          let before = compare(store);
          const steps = generate(fc.array, fc.constantFrom('respond', 'set', 'remove'), {
            maxLength: 6,
          });
          for (const step of steps) {
            notified = 0;
            store[step as 'respond' | 'set' | 'remove']();
            // A row that was deleted and is written anew may lack what its class declares: its readers wait for a response.
            if (step === 'set' && store.view.getSnapshot().status === 'pending') return;
            if (step !== 'set' && lacksRecord(store.expected())) return;
            const after = compare(store);
            for (const [label, row] of after.instances) {
              const was = before.instances.get(label);
              if (was && was !== row) {
                expect(reachOf(label, after.contents)).not.toBe(reachOf(label, before.contents));
              }
            }
            if (after.data !== before.data) expect(notified).toBe(1);
            before = after;
          }
        }),
        { numRuns: RUNS, interruptAfterTimeLimit: LIMIT },
      );
    },
    LIMIT + 5_000,
  );

  it(
    'are exported and loaded again as they are',
    () => {
      fc.assert(
        fc.property(fc.gen(), (generate) => {
          const store = openStore((count) => generate(fc.nat, { max: count - 1 }));
          store.respond();
          store.set();
          store.remove();
          if (lacksRecord(store.expected())) return;
          const { top, contents } = compare(store);
          const other = new Controller();
          hydrate(other, JSON.parse(JSON.stringify(getState(store.controller))));
          const read = () => other.getResponse(store.get);
          const again = compare({ ...store, read });
          expect([again.top, again.contents]).toEqual([top, contents]);
          expect([...again.instances.values()].every((row) => row instanceof Entity)).toBe(true);
        }),
        { numRuns: RUNS / 3, interruptAfterTimeLimit: LIMIT },
      );
    },
    LIMIT + 5_000,
  );
});
