/** For random graphs: what was written is read, writing it again changes nothing, and the order of arrival means nothing. */
import fc from 'fast-check';
import { All, Controller, Endpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, listen, manual } from '../support/world.js';
import { Being, being, build, graphs, Person, Robot, type Sent } from './graphs.js';

const schema = { all: [being], first: being };

function openStore() {
  const controller = new Controller();
  const get = new Endpoint(async (): Promise<unknown> => undefined, { name: 'getGraph', schema });
  const write = (sent: readonly Sent[]): void =>
    controller.setResponse(get, { all: sent, first: sent[0] });
  return { controller, get, write, view: controller.observe(get) };
}

/** Walks what was sent and what is shown side by side; throws where they differ. */
class Comparison {
  readonly #pairs = new Map<object, unknown>();

  records(sent: unknown, current: unknown): void {
    if (!isObject(sent)) {
      expect(current).toBe(sent);
      return;
    }
    if (this.#pairs.has(sent)) {
      // One record is one instance, wherever it is shown.
      expect(current).toBe(this.#pairs.get(sent));
      return;
    }
    this.#pairs.set(sent, current);
    const Class = sent['type'] === 'person' ? Person : Robot;
    if (!(current instanceof Class)) throw new Error(`${String(sent['id'])} is no ${Class.key}`);
    const expected = new Class();
    for (const key of new Set([...Object.keys(expected), ...Object.keys(sent)])) {
      expect(Object.hasOwn(current, key), `the field ${key}`).toBe(true);
      const value = valueAt(current, key);
      if (Object.hasOwn(sent, key)) this.#field(key, valueAt(sent, key), value);
      else expect(value).toEqual(valueAt(expected, key));
    }
    expect(Object.keys(current).length).toBe(
      new Set([...Object.keys(expected), ...Object.keys(sent)]).size,
    );
  }

  #field(key: string, sent: unknown, current: unknown): void {
    switch (key) {
      case 'at':
        expect(current).toEqual(new Date(String(sent)));
        break;
      case 'friend':
        this.records(sent, current);
        break;
      case 'friends':
      case 'members':
      case 'named':
        this.#each(sent, current);
        break;
      case 'inside':
        this.#each(valueAt(sent, 'deep'), valueAt(current, 'deep'));
        break;
      default:
        expect(current).toEqual(sent);
    }
  }

  #each(sent: unknown, current: unknown): void {
    if (!isObject(sent) || !isObject(current)) throw new Error('not an object');
    expect(Object.keys(current)).toEqual(Object.keys(sent));
    for (const key of Object.keys(sent)) this.records(valueAt(sent, key), valueAt(current, key));
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function valueAt(object: unknown, key: string): unknown {
  return isObject(object) ? Object.getOwnPropertyDescriptor(object, key)?.value : undefined;
}

function shownBy(view: ReturnType<typeof openStore>['view']) {
  const snapshot = view.getSnapshot();
  if (snapshot.status !== 'ready') throw new Error(snapshot.status);
  return snapshot.data;
}

describe('a random graph of records', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(graphs, (spec) => {
        const { write, view } = openStore();
        const sent = build(spec);
        write(sent);
        const { all, first } = shownBy(view);
        const comparison = new Comparison();
        expect(all).toHaveLength(sent.length);
        sent.forEach((record, index) => comparison.records(record, all[index]));
        comparison.records(sent[0], first);
        expect(Object.prototype).not.toHaveProperty('note');
      }),
      { numRuns: 300 },
    );
  });

  it('that is written again changes no reference and notifies no reader', () => {
    fc.assert(
      fc.property(graphs, (spec) => {
        const { controller, write, view } = openStore();
        write(build(spec));
        const before = shownBy(view);
        const notified = listen(view);
        const rows = controller.observeQuery(new All(being));
        const toldOfRows = listen(rows);
        write(build(spec));
        expect(shownBy(view)).toBe(before);
        expect([notified.count, toldOfRows.count]).toEqual([0, 0]);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the objects that it was given as they were', () => {
    fc.assert(
      fc.property(graphs, (spec) => {
        const { write, view } = openStore();
        const sent = build(spec);
        write(sent);
        shownBy(view);
        expect(sent).toEqual(build(spec));
      }),
      { numRuns: 100 },
    );
  });
});

describe('several responses', () => {
  /** What a store shows, with records as their keys. */
  function stateOf(controller: Controller): unknown {
    const plain = (value: unknown): unknown => {
      if (value instanceof Being) return `${value.type} ${value.id}`;
      if (Array.isArray(value)) return value.map(plain);
      return isObject(value) && !(value instanceof Date)
        ? Object.entries(value).map(([key, part]) => [key, plain(part)])
        : value;
    };
    const rows = controller.get(new All(being)) ?? [];
    const fields = rows.map((row) => [
      plain(row),
      Object.entries(row)
        .map(([key, value]) => [key, plain(value)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    return fields.map((row) => JSON.stringify(row)).sort();
  }

  it('end in the same state in whatever order they arrive', async () => {
    const several = fc
      .array(graphs, { minLength: 2, maxLength: 4 })
      .chain((specs) =>
        fc.tuple(
          fc.constant(specs),
          fc.shuffledSubarray([...specs.keys()], { minLength: specs.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(several, async ([specs, order]) => {
        const run = async (arrival: readonly number[]): Promise<unknown> => {
          const controller = new Controller();
          const requests = specs.map((_, index) => manual(`get${index}`, [being]));
          for (const { endpoint } of requests) ignore(controller.fetch(endpoint));
          await flush();
          for (const index of arrival) {
            const spec = specs[index];
            if (spec) requests[index]?.calls[0]?.resolve(build(spec));
            await new Promise<void>((resolve) => setImmediate(resolve));
          }
          const views = requests.map(({ endpoint }) => controller.getResponse(endpoint)?.length);
          return [stateOf(controller), views];
        };
        expect(await run(order)).toEqual(await run([...specs.keys()]));
      }),
      { numRuns: 60 },
    );
  });
});
