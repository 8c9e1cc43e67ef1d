/**
 * Random responses of endpoints that read one list: the fields next to the list are always those of the last response of the
 * endpoint, for whichever arguments of the list it was.
 */
import fc from 'fast-check';
import { applyChange, changes, getState, hydrate, type StoreState } from 'restitch/state';
import { Collection, Controller, Entity, RestEndpoint } from 'restitch';
import { expect, it } from 'vitest';

class Comment extends Entity {
  id = '';
  static override key = 'Comment';
}
const comments = new Collection([Comment], {
  name: 'comments',
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
  nestKey: ({ id }: { id: string }) => ({ ticket: id }),
});
class Ticket extends Entity {
  id = '';
  thread: { comments: Comment[]; count: number } | undefined = undefined;
  static override key = 'Ticket';
  static override schema = { thread: { comments, count: 0 } };
}

interface Search {
  readonly ticket: string;
  readonly sort?: string;
}
const shared = { urlPrefix: 'http://x', searchParams: {} as Search };
const flat = { rows: comments, count: 0 };
const reads = {
  flat: new RestEndpoint({ ...shared, path: '/flat', schema: flat }),
  other: new RestEndpoint({ ...shared, path: '/other', schema: flat }),
  deep: new RestEndpoint({ ...shared, path: '/deep', schema: { data: flat, count: 0 } }),
};
const plain = new RestEndpoint({ ...shared, path: '/plain', schema: comments });
const post = { ...shared, path: '/all', method: 'POST', body: undefined } as const;
const mutations = {
  'mutation of flat': new RestEndpoint({ ...post, schema: reads.flat.schema }),
  'other mutation': new RestEndpoint({ ...post, schema: flat }),
};
const getTicket = new RestEndpoint({ urlPrefix: 'http://x', path: '/tickets/:id', schema: Ticket });

type Read = keyof typeof reads;
const names = ['flat', 'other', 'deep'] as const satisfies Read[];
const step = fc.record({
  do: fc.constantFrom(
    ...names,
    ...(['mutation of flat', 'other mutation'] as const),
    ...(['plain', 'write', 'push', 'record', 'hydrate'] as const),
  ),
  ticket: fc.constantFrom('1', '2'),
  sort: fc.constantFrom(undefined, 'new', 'old'),
  ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class World {
  controller = new Controller();
  #state: StoreState = getState(this.controller);
  #stop = this.#follow();
  #count = 0;
  /** By endpoint or `record`, and ticket. */
  readonly #counts = new Map<string, number>();
  readonly #asked = new Set<readonly [Read, Search]>();
  readonly #lists = new Map<string, readonly string[]>();

  #follow(): () => void {
    return changes(this.controller, (change) => {
      this.#state = applyChange(this.#state, change);
    });
  }

  run({ do: what, ticket, sort, ids: given }: Step): void {
    const { controller } = this;
    const args: Search = sort === undefined ? { ticket } : { ticket, sort };
    const ids = given.map((id) => ticket + id);
    const count = (this.#count += 1);
    const rows = ids.map((id) => ({ id }));
    const response = { rows, count };
    const note = (by: string): void => void this.#counts.set(`${by} ${ticket}`, count);
    if (what === 'hydrate') {
      this.#hydrate();
      return;
    }
    if (what === 'push') {
      const id = `${ticket}p${count}`;
      controller.set(comments.push, { ticket }, { id });
      const known = this.#lists.get(ticket);
      if (known) this.#lists.set(ticket, [...known, id]);
      return;
    }
    this.#lists.set(ticket, ids);
    switch (what) {
      case 'plain':
        controller.setResponse(plain, args, rows as never);
        break;
      case 'write':
        controller.set(reads.flat.schema.rows, args, rows);
        break;
      case 'record':
        note(what);
        controller.setResponse(getTicket, { id: ticket }, {
          id: ticket,
          thread: { comments: rows, count },
        } as never);
        break;
      case 'mutation of flat':
      case 'other mutation':
        if (what === 'mutation of flat') note('flat');
        controller.setResponse(mutations[what], args, response as never);
        break;
      case 'deep':
        note(what);
        this.#asked.add([what, args]);
        controller.setResponse(reads.deep, args, { data: response, count } as never);
        break;
      default:
        note(what);
        this.#asked.add([what, args]);
        controller.setResponse(reads[what], args, response as never);
    }
  }

  #hydrate(): void {
    this.#stop();
    // Both are the state, as an application keeps it.
    const state = this.#count % 2 === 0 ? this.#state : getState(this.controller);
    this.controller.dispose();
    this.controller = new Controller();
    hydrate(this.controller, structuredClone(state));
    this.#state = getState(this.controller);
    this.#stop = this.#follow();
  }

  check(): void {
    for (const [read, args] of this.#asked) {
      const shown = this.controller.getResponse(reads[read], args);
      const { rows, count } = Object(Object(shown).data ?? shown);
      const counts = [count, Object(shown).count];
      const wanted = this.#counts.get(`${read} ${args.ticket}`);
      expect([read, args, ...counts]).toEqual([read, args, wanted, wanted]);
      expect(Array.from(rows as Comment[], ({ id }) => id)).toEqual(this.#lists.get(args.ticket));
    }
    for (const ticket of ['1', '2']) {
      const wanted = this.#counts.get(`record ${ticket}`);
      expect(this.controller.get(Ticket, { id: ticket })?.thread?.count).toBe(wanted);
    }
  }
}

const parameters = { numRuns: Number(process.env['RESTITCH_MODEL_RUNS'] ?? 5_000) / 10 };

it('the fields next to a list are those of the last response of its endpoint', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (program) => {
      const world = new World();
      for (const one of program) {
        world.run(one);
        world.check();
      }
    }),
    parameters,
  );
});
