/**
 * Random programs of queued and plain edits, deletes, creates and reads at uneven latency, with failures and aborts. The server applies
 * the requests of one row in the order in which they were sent, and its responses arrive in any order. `RESTITCH_MODEL_RUNS` sets the
 * number of programs.
 */
import fc from 'fast-check';
import {
  type Action,
  Collection,
  coalesced,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  serial,
  undoable,
} from 'restitch';
import { expect, it } from 'vitest';
import { Clock } from '../support/clock.js';

/** A fiftieth of the order model's run, because each of these programs takes far longer. */
const RUNS = Math.ceil(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 7500) / 50);

class Note extends Entity {
  id = '';
  text = '';
  color = '';
  parent = '';
  static override readonly key = 'Note';
}
const notes = new Collection([Note], { name: 'notes' });

type Kind = 'coalesced' | 'serial' | 'undoable' | 'both' | 'plain';
type Step =
  | {
      readonly do: 'edit';
      readonly kind: Kind;
      readonly row: number;
      readonly field: 'text' | 'color';
    }
  | {
      readonly do: 'create';
      readonly kind: 'serial' | 'undoable' | 'plain';
      /** The create names this row, and waits until the row has a key. */
      readonly parent: number | undefined;
    }
  | { readonly do: 'delete'; readonly kind: 'serial' | 'undoable' | 'plain'; readonly row: number }
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
        kind: fc.constantFrom('coalesced' as const, 'plain', 'serial', 'undoable', 'both'),
        row,
        field: fc.constantFrom('text' as const, 'color' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        kind: fc.constantFrom('serial' as const, 'undoable' as const, 'plain' as const),
        parent: fc.option(row, { nil: undefined }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('delete' as const),
        kind: fc.constantFrom('serial' as const, 'undoable' as const, 'plain' as const),
        row,
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

/** Returns true if the request of a call waits behind those of its record. */
const isQueued = ({ kind }: Call): boolean => kind !== 'plain';

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
  readonly kind: Kind;
  readonly what: 'edit' | 'create' | 'delete';
  readonly fields: Readonly<Record<string, string>>;
  readonly abort: AbortController;
  /** The position of its request among all that were sent; undefined while it waits. */
  sentAt?: number;
  /** Undefined while it is pending. */
  succeeded: boolean | undefined;
}

/** A row as the program knows it; a created one has no id until its create succeeds. */
interface Row {
  id: string | undefined;
  /** The key under which it is shown. */
  shown: string;
  /** The id on the server, known from the time at which it applied the create. */
  serverId?: string | undefined;
  isGone: boolean;
}

class Run {
  readonly clock = new Clock();
  /** The last arguments that a manager received, by the id of the request. */
  readonly stored = new Map<string, string>();
  readonly unknown: string[] = [];
  readonly controller = new Controller({
    environment: this.clock.environment,
    onError: () => {},
    managers: [{ middleware: () => (next) => (action) => next(this.store(action)) }],
  });
  readonly table = new Map<string, Record<string, string>>();
  readonly sent: Sent[] = [];
  readonly rows: Row[] = [];
  readonly calls: Call[] = [];
  values = 0;
  created = 10;

  /** A manager knows the arguments of each mutation before it is sent. */
  store(action: Action): Action {
    if (action.type === 'fetch' && action.endpoint.sideEffect) {
      const id = action.id ?? `op ${(this.values += 1)}`;
      this.stored.set(id, JSON.stringify(action.args));
      return { ...action, id };
    }
    if (action.type === 'receive' && action.id !== undefined) {
      const known = this.stored.get(action.id);
      const sent = JSON.stringify(action.args);
      if (known !== sent) this.unknown.push(`${known} was sent as ${sent}`);
    }
    if ((action.type === 'receive' || action.type === 'fail') && action.id !== undefined) {
      this.stored.delete(action.id);
    }
    return action;
  }

  requests = 0;

  /** Notes that the request of some calls was sent. */
  noteSent(isOf: (call: Call) => boolean): void {
    this.requests += 1;
    for (const call of this.calls) {
      if (call.sentAt === undefined && call.succeeded === undefined && isOf(call)) {
        call.sentAt = this.requests;
      }
    }
  }

  /** Notes that an edit was sent, with the calls before it whose fields it overwrites. Returns its call. */
  noteEdit(body: Readonly<Record<string, string>>): Call | undefined {
    let found: Call | undefined;
    for (const [field, value] of Object.entries(body)) {
      const last = this.calls.find(({ fields }) => fields[field] === value);
      found ??= last;
      const until = last ? this.calls.indexOf(last) : -1;
      this.noteSent(
        (call) =>
          call === last ||
          (last !== undefined &&
            call.what === 'edit' &&
            call.row === last.row &&
            field in call.fields &&
            isQueued(last) &&
            isQueued(call) &&
            this.calls.indexOf(call) < until),
      );
    }
    return found;
  }

  readonly send = (name: string, id: string | undefined, apply: () => unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.sent.push({ row: id, name, apply, resolve, reject });
    });

  readonly patch = new Endpoint(
    ({ id }: { id: string }, body: Record<string, string>) => {
      const call = this.noteEdit(body);
      return this.send(call && isQueued(call) ? 'queued' : 'plain', id, () => {
        const before = this.table.get(id);
        if (!before) throw new Error('not found');
        this.table.set(id, { ...before, ...body });
        return { id, ...body };
      });
    },
    {
      name: 'edit',
      schema: Note,
      sideEffect: true,
      key: ({ id }) => `edit ${id}`,
      getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
    },
  );
  readonly push = new Endpoint(
    (body: Record<string, string>) => {
      this.noteSent(({ what, fields }) => what === 'create' && fields['text'] === body['text']);
      return this.send('create', undefined, () => {
        const id = `${(this.created += 1)}`;
        this.table.set(id, { id, ...body });
        const call = this.calls.find(({ fields }) => fields['text'] === body['text']);
        if (call) call.row.serverId = id;
        return { id, ...body };
      });
    },
    {
      name: 'create',
      schema: notes.push,
      sideEffect: true,
      getOptimisticResponse: (_, body) => body,
    },
  );
  readonly drop = new Endpoint(
    ({ id }: { id: string }) => {
      const isOf = ({ what, row: own }: Call): boolean => what === 'delete' && own.serverId === id;
      this.noteSent(isOf);
      const call = this.calls.find(isOf);
      return this.send(call && isQueued(call) ? 'queued' : 'plain', id, () => {
        if (!this.table.delete(id)) throw new Error('not found');
        return { id };
      });
    },
    {
      name: 'drop',
      schema: new Invalidate(Note),
      sideEffect: true,
      key: ({ id }) => `edit ${id}`,
      getOptimisticResponse: (_, { id }) => ({ id }),
    },
  );
  readonly get = new Endpoint(
    ({ id }: { id: string }) =>
      this.send('read', id, () => {
        const found = this.table.get(id);
        if (!found) throw new Error('not found');
        return { ...found };
      }),
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
    plain: this.patch,
  };
  readonly deletes = {
    serial: serial(this.drop),
    undoable: undoable(serial(this.drop), 1_000),
    plain: this.drop,
  };
  readonly creates = {
    serial: serial(this.push, 'creates'),
    undoable: undoable(this.push, 1_000),
    plain: this.push,
  };

  constructor() {
    for (const id of ['1', '2']) {
      this.table.set(id, { id, text: '-', color: '-' });
      this.rows.push({ id, shown: id, serverId: id, isGone: false });
    }
    this.controller.setResponse(this.list, [...this.table.values()]);
  }

  call(step: Step & { do: 'edit' | 'create' | 'delete' }): void {
    const abort = new AbortController();
    const { signal } = abort;
    const value = `v${(this.values += 1)}`;
    if (step.do === 'create') {
      const fields = { text: value, color: 'new' };
      const known = new Set(this.members());
      const made: Row = { id: undefined, shown: '', isGone: false };
      const { kind, parent = -1 } = step;
      const named = this.rows[parent % this.rows.length];
      const body = named && !named.isGone ? { ...fields, parent: named.shown } : fields;
      const call: Call = { row: made, kind, what: 'create', fields, abort, succeeded: undefined };
      this.rows.push(made);
      this.follow(call, () => this.controller.fetch(this.creates[kind].extend({ signal }), body));
      made.shown = this.members().find((id) => !known.has(id)) ?? '';
      return;
    }
    const target = this.rows[step.row % this.rows.length];
    if (!target || target.isGone) return;
    const { kind } = step;
    const args = { id: target.shown };
    if (step.do === 'delete') {
      // Nothing is edited after its delete.
      target.isGone = true;
      const endpoint = this.deletes[step.kind].extend({ signal });
      this.follow(
        { row: target, kind, what: 'delete', fields: {}, abort, succeeded: undefined },
        () => this.controller.fetch(endpoint, args),
      );
      return;
    }
    const fields = { [step.field]: value };
    const endpoint = this.edits[kind].extend({ signal });
    this.follow({ row: target, kind, what: 'edit', fields, abort, succeeded: undefined }, () =>
      this.controller.fetch(endpoint, args, fields),
    );
  }

  /** Adds a call before it is made: it may be sent at once. */
  follow(call: Call, make: () => Promise<unknown>): void {
    this.calls.push(call);
    make().then(
      (value) => {
        call.succeeded = true;
        if (call.row.id === undefined && value instanceof Note) {
          call.row.id = value.id;
          call.row.shown = value.id;
        }
      },
      () => {
        call.succeeded = false;
        // The row of a create that failed is gone, with the edits that waited for it.
        if (call.what === 'create') call.row.isGone = true;
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
      case 'delete':
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
          this.sent.filter((one) => this.isNext(one)),
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
          this.calls.filter(
            ({ succeeded, sentAt }) => succeeded === undefined && sentAt === undefined,
          ),
          step.pick,
        )?.abort.abort();
        break;
      case 'pass':
        await this.clock.pass(step.milliseconds);
        break;
    }
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  }

  /** Returns true if no change of the same row was sent before and has not arrived. */
  isNext(request: Sent): boolean {
    if (request.reply) return false;
    const isChange = ({ name, reply }: Sent): boolean => !reply && /queued|plain/.test(name);
    const first = this.sent.find((one) => isChange(one) && one.row === request.row);
    return !isChange(request) || first === request;
  }

  arrive(request: Sent, fails: boolean): void {
    let error: unknown = new Error('refused');
    let value: unknown;
    let hasFailed = fails;
    if (!fails) {
      try {
        value = request.apply();
      } catch (failure) {
        [error, hasFailed] = [failure, true];
      }
    }
    // The cast: the table throws errors only.
    request.reply = () => (hasFailed ? request.reject(error as Error) : request.resolve(value));
  }

  /**
   * Returns the last call of a field that has not failed, in the order in which they are sent: those
   * that wait are sent after all others. Before a created row has its key, plain calls wait too, and
   * may be sent before or after the queued ones: then there are two last calls.
   */
  lastOf(known: Row, field: string): readonly Call[] {
    const calls = this.calls
      .filter(({ row: own, fields, succeeded, abort }) => {
        return own === known && field in fields && succeeded !== false && !abort.signal.aborted;
      })
      .map((call, index) => ({ call, index, at: call.sentAt ?? Infinity }))
      .sort((a, b) => (a.at === b.at ? a.index - b.index : a.at - b.at))
      .map(({ call }) => call);
    const waiting = calls.filter(({ sentAt }) => sentAt === undefined);
    const plain = waiting.findLast((call) => !isQueued(call));
    const queued = waiting.findLast(isQueued);
    return plain && queued ? [plain, queued] : calls.slice(-1);
  }

  /** What each row shows: the last calls, in the order in which they are sent. */
  check(): void {
    for (const { row: own, what, succeeded, abort } of this.calls) {
      if (what === 'delete' && succeeded !== false && !abort.signal.aborted) {
        expect(this.members(), 'a deleted row').not.toContain(own.shown);
      }
    }
    for (const known of this.rows) {
      if (known.isGone) continue;
      const note = this.controller.get(Note, { id: known.shown });
      for (const field of ['text', 'color'] as const) {
        const values = this.lastOf(known, field).map(({ fields }) => fields[field]);
        if (values.length > 0) {
          expect(values, `${field} of ${known.shown}`).toContain(note?.[field]);
        }
        for (const call of this.lastOf(known, field)) {
          if (call.succeeded === undefined) {
            expect([...this.stored.values()].join(), 'stored').toContain(call.fields[field]);
          }
        }
      }
    }
    const requests = new Map<string, number>();
    for (const { name, row: id } of this.sent) {
      if (name === 'queued') requests.set(id ?? '', (requests.get(id ?? '') ?? 0) + 1);
    }
    expect(
      [...requests.values()].filter((count) => count > 1),
      'in flight at once',
    ).toEqual([]);
    expect(new Set(this.members()).size).toBe(this.members().length);
    expect(this.unknown).toEqual([]);
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
    expect([...this.stored]).toEqual([]);
    for (const known of this.rows) {
      for (const field of known.isGone ? [] : ['text', 'color']) {
        const [last] = this.lastOf(known, field);
        const value = this.table.get(known.id ?? '')?.[field];
        if (last) expect(value, `${field} of ${known.id}`).toBe(last.fields[field]);
      }
    }
    expect(this.members().sort()).toEqual([...this.table.keys()].sort());
    this.controller.dispose();
  }
}

it(
  'every edit shows at once and is known to managers, requests of one record never overlap, and the last edit is what the server has',
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
