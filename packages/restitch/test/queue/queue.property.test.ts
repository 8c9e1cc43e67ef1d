/**
 * Random programs of queued edits, creates and reads at uneven latency, against a server that applies requests in the order of their
 * arrival. `RESTITCH_MODEL_RUNS` sets the number of programs.
 */
import fc from 'fast-check';
import { Collection, coalesced, Controller, Endpoint, Entity, serial, undoable } from 'restitch';
import { expect, it } from 'vitest';
import { Clock } from '../support/clock.js';

/** A fiftieth of the order model's run, because each of these programs takes far longer. */
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 7500) / 50);

class Note extends Entity {
  id = '';
  text = '';
  color = '';
  static override readonly key = 'Note';
}
const notes = new Collection([Note], { name: 'notes' });

type Kind = 'coalesced' | 'serial' | 'undoable' | 'both';
type Step =
  | {
      readonly do: 'edit';
      readonly kind: Kind;
      readonly row: number;
      readonly field: 'text' | 'color';
    }
  | { readonly do: 'create'; readonly kind: 'serial' | 'undoable' }
  | { readonly do: 'read' | 'readList'; readonly row: number }
  /** The server gets, or its response arrives; `fails`: the request is refused. */
  | { readonly do: 'arrive'; readonly pick: number; readonly fails: boolean }
  | { readonly do: 'deliver' | 'abort'; readonly pick: number }
  | { readonly do: 'pass'; readonly milliseconds: number };

const row = fc.nat(3);
const pick = fc.nat(6);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        kind: fc.constantFrom('coalesced' as const, 'coalesced', 'serial', 'undoable', 'both'),
        row,
        field: fc.constantFrom('text' as const, 'color' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        kind: fc.constantFrom('serial' as const, 'undoable' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'readList' as const), row }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constant('arrive' as const),
        pick,
        fails: fc.nat(7).map((one) => one === 0),
      }),
    },
    { weight: 7, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), pick }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        milliseconds: fc.constantFrom(400, 1_000),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
);

/** A request on its way to the server, or its response on its way back. */
interface Sent {
  readonly row: string | undefined;
  readonly name: string;
  readonly apply: () => unknown;
  reply?: (() => void) | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A call of an edit or a create that has not ended. */
interface Call {
  readonly row: Row;
  readonly fields: Readonly<Record<string, string>>;
  readonly abort: AbortController;
  /** Undefined while it is pending. */
  succeeded: boolean | undefined;
}

/** A row as the program knows it; a created one has no id until its create succeeds. */
interface Row {
  id: string | undefined;
  /** The key under which it is shown. */
  current: string;
  isGone: boolean;
}

class Run {
  readonly clock = new Clock();
  readonly controller = new Controller({ environment: this.clock.environment, onError: () => {} });
  readonly table = new Map<string, Record<string, string>>();
  readonly sent: Sent[] = [];
  readonly rows: Row[] = [];
  readonly calls: Call[] = [];
  values = 0;
  created = 10;

  readonly send = (name: string, id: string | undefined, apply: () => unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.sent.push({ row: id, name, apply, resolve, reject });
    });

  readonly patch = new Endpoint(
    ({ id }: { id: string }, body: Record<string, string>) =>
      this.send('edit', id, () => {
        this.table.set(id, { ...this.table.get(id), ...body });
        return { id, ...body };
      }),
    {
      name: 'edit',
      schema: Note,
      sideEffect: true,
      key: ({ id }) => `edit ${id}`,
      getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
    },
  );
  readonly push = new Endpoint(
    (body: Record<string, string>) =>
      this.send('create', undefined, () => {
        const id = `${(this.created += 1)}`;
        this.table.set(id, { id, ...body });
        return { id, ...body };
      }),
    {
      name: 'create',
      schema: notes.push,
      sideEffect: true,
      getOptimisticResponse: (_, body) => body,
    },
  );
  readonly get = new Endpoint(
    ({ id }: { id: string }) => this.send('read', id, () => ({ ...this.table.get(id) })),
    { name: 'get', schema: Note, errorPolicy: () => 'soft' },
  );
  readonly list = new Endpoint(
    () => this.send('read', undefined, () => [...this.table.values()].map((one) => ({ ...one }))),
    { name: 'list', schema: notes, errorPolicy: () => 'soft' },
  );
  readonly edits = {
    coalesced: coalesced(this.patch),
    serial: serial(this.patch),
    undoable: undoable(serial(this.patch), 1_000),
    both: undoable(coalesced(this.patch), 1_000),
  };
  readonly creates = {
    serial: serial(this.push, 'creates'),
    undoable: undoable(this.push, 1_000),
  };

  constructor() {
    for (const id of ['1', '2']) {
      this.table.set(id, { id, text: '-', color: '-' });
      this.rows.push({ id, current: id, isGone: false });
    }
    this.controller.setResponse(this.list, [...this.table.values()]);
  }

  call(step: Step & { do: 'edit' | 'create' }): void {
    const abort = new AbortController();
    const { signal } = abort;
    const value = `v${(this.values += 1)}`;
    if (step.do === 'create') {
      const fields = { text: value, color: 'new' };
      const known = new Set(this.members());
      const created = this.controller.fetch(this.creates[step.kind].extend({ signal }), fields);
      const current = this.members().find((id) => !known.has(id)) ?? '';
      const made: Row = { id: undefined, current, isGone: false };
      this.rows.push(made);
      this.follow({ row: made, fields, abort, succeeded: undefined }, created);
      return;
    }
    const target = this.rows[step.row % this.rows.length];
    if (!target || target.isGone) return;
    const fields = { [step.field]: value };
    const call = { row: target, fields, abort, succeeded: undefined };
    const endpoint = this.edits[step.kind].extend({ signal });
    this.follow(call, this.controller.fetch(endpoint, { id: target.current }, fields));
  }

  follow(call: Call, promise: Promise<unknown>): void {
    this.calls.push(call);
    promise.then(
      (value) => {
        call.succeeded = true;
        if (call.row.id === undefined && value instanceof Note) {
          call.row.id = value.id;
          call.row.current = value.id;
        }
      },
      () => {
        call.succeeded = false;
        // The row of a create that failed is gone, with the edits that waited for it.
        if ('text' in call.fields && 'color' in call.fields) call.row.isGone = true;
      },
    );
  }

  members(): string[] {
    return (this.controller.getResponse(this.list) ?? []).map(({ id }) => id);
  }

  async step(step: Step): Promise<void> {
    const at = <T>(all: readonly T[], index: number): T | undefined => all[index % all.length];
    switch (step.do) {
      case 'edit':
      case 'create':
        this.call(step);
        break;
      case 'read': {
        const { id } = at(this.rows, step.row) ?? {};
        if (id !== undefined) this.controller.fetch(this.get, { id }).catch(() => {});
        break;
      }
      case 'readList':
        this.controller.fetch(this.list).catch(() => {});
        break;
      case 'arrive': {
        const request = at(
          this.sent.filter(({ reply }) => !reply),
          step.pick,
        );
        if (request) this.arrive(request, step.fails);
        break;
      }
      case 'deliver': {
        const request = at(
          this.sent.filter(({ reply }) => reply),
          step.pick,
        );
        request?.reply?.();
        if (request) this.sent.splice(this.sent.indexOf(request), 1);
        break;
      }
      case 'abort':
        // Only calls that wait: of a request that was sent, nobody knows what the server did.
        at(
          this.calls.filter((call) => call.succeeded === undefined && !this.isSent(call)),
          step.pick,
        )?.abort.abort();
        break;
      case 'pass':
        await this.clock.pass(step.milliseconds);
        break;
    }
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  }

  /** Whether the request of a call may have been sent. */
  isSent({ row: { id }, fields }: Call): boolean {
    return this.sent.some(({ name, row: sent }) =>
      name === 'create' ? 'text' in fields && 'color' in fields : name === 'edit' && sent === id,
    );
  }

  arrive(request: Sent, fails: boolean): void {
    const value = fails ? undefined : request.apply();
    request.reply = () => (fails ? request.reject(new Error('refused')) : request.resolve(value));
  }

  /** What each row shows: the calls that have not ended, over what the server confirmed. */
  check(): void {
    for (const known of this.rows) {
      if (known.isGone) continue;
      const note = this.controller.get(Note, { id: known.current });
      const pending = this.calls.filter(
        ({ row: own, succeeded }) => own === known && succeeded === undefined,
      );
      for (const field of ['text', 'color'] as const) {
        const last = pending.findLast(({ fields }) => field in fields)?.fields[field];
        const confirmed = known.id === undefined ? undefined : this.table.get(known.id)?.[field];
        if ((last ?? confirmed) !== undefined) {
          expect(note?.[field], `${field} of ${known.current}`).toBe(last ?? confirmed);
        }
      }
    }
    const requests = new Map<string, number>();
    for (const { name, row: id } of this.sent) {
      if (name === 'edit') requests.set(id ?? '', (requests.get(id ?? '') ?? 0) + 1);
    }
    expect(
      [...requests.values()].filter((count) => count > 1),
      'in flight at once',
    ).toEqual([]);
    expect(new Set(this.members()).size).toBe(this.members().length);
  }

  /** Ends everything. Then the server has what the last call that succeeded wrote. */
  async finish(): Promise<void> {
    for (let round = 0; this.sent.length > 0 || this.clock.timers > 0; round += 1) {
      if (round > 500) throw new Error('it never ends');
      await this.step({ do: 'pass', milliseconds: 1_000 });
      await this.step({ do: 'arrive', pick: 0, fails: false });
      await this.step({ do: 'deliver', pick: 0 });
      this.check();
    }
    expect(this.calls.filter(({ succeeded }) => succeeded === undefined)).toEqual([]);
    expect(this.controller.countFetching()).toBe(0);
    for (const known of this.rows) {
      for (const field of known.id === undefined ? [] : ['text', 'color']) {
        const last = this.calls.findLast(
          ({ row: own, fields, succeeded }) => own === known && field in fields && succeeded,
        );
        const value = this.table.get(known.id ?? '')?.[field];
        if (last) expect(value, `${field} of ${known.id}`).toBe(last.fields[field]);
      }
    }
    expect(this.members().sort()).toEqual([...this.table.keys()].sort());
    this.controller.dispose();
  }
}

it(
  'every edit shows at once, requests of one record never overlap, and the last edit is what the server has',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (program) => {
        const run = new Run();
        for (const step of program) {
          await run.step(step);
          run.check();
        }
        await run.finish();
      }),
      { numRuns: RUNS },
    );
  },
  30_000 + RUNS * 100,
);
