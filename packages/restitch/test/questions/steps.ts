/** Carries the steps of a program out. */
import { expireWhere, invalidateWhere, type EntityClass } from 'restitch';
import { Fault } from './fault.js';
import { isRead, settled } from './flights.js';
import { holding, type Demand } from './freshness.js';
import { IDS, pick, type Step } from './program.js';
import { show, type Mutation, type Question } from './questions.js';
import { Reader } from './reader.js';
import { addOf, leaving, reply } from './replies.js';
import type { Row } from './server.js';
import { signOut } from './signOut.js';
import type { Outcome, Started, World } from './world.js';

const CREATED = ['10', '11'];

/** Steps after which a reader may rightly ask again. */
const OUTDATING = { mutate: 1, set: 1, add: 1, outdate: 1, sweep: 1, wait: 1, wake: 1 };
/** Steps that bring something, from which readers may show what is new. */
const TELLING = { respond: 1, page: 1, mutate: 1, set: 1, add: 1, sweep: 1 };
const TOUCHING = { mutate: 1, set: 1, add: 1, outdate: 1, sweep: 1 };

export async function carryOut(world: World, step: Step): Promise<void> {
  const { declared, controller, readers, server } = world;
  const { questions, mutations } = declared;
  const { flights } = server;
  flights.beginStep();
  if (step.type in OUTDATING) for (const reader of readers) reader.barren = 0;
  if (step.type in TELLING) world.heard();
  if (step.type in TOUCHING) world.freshness.isUntouched = false;
  switch (step.type) {
    case 'mount': {
      const question = pick(questions, step.question);
      if (!question) return;
      world.note(`${step.suspends ? 'suspends on' : 'mounts'} ${question.label}`);
      if (world.isOld()) world.freshness.demand((other) => other === question);
      readers.push(world.naming(question, () => new Reader(controller, question, step.suspends)));
      break;
    }
    case 'leave': {
      const reader = pick(readers, step.reader);
      if (!reader) return;
      world.note(`leaves ${reader.question.label}`);
      reader.leave();
      readers.splice(readers.indexOf(reader), 1);
      break;
    }
    case 'fetch': {
      const question = pick(questions, step.question);
      if (question) fetch(world, question);
      break;
    }
    case 'page': {
      const reader = pick(readers, step.question);
      if (reader) page(world, reader);
      break;
    }
    case 'mutate': {
      const mutation = pick(mutations, step.mutation);
      if (mutation) await mutate(world, mutation, pick([...IDS, ...CREATED], step.id) ?? '');
      return;
    }
    case 'set':
      set(world, step.cls, step.id);
      break;
    case 'add': {
      const question = pick(questions, step.question);
      if (question) add(world, question);
      break;
    }
    case 'outdate': {
      const question = pick(questions, step.question);
      if (question) outdate(world, question, step);
      break;
    }
    case 'wake':
      await world.wake(step.isReconnect);
      return;
    case 'elsewhere':
      world.note(`elsewhere: ${server.elsewhere(step.what, step.pick)}`);
      return;
    case 'respond': {
      const flight = pick(flights.pending, step.flight);
      if (flight) await reply(world, flight, step.ending);
      return;
    }
    case 'wait':
      world.wait(step.isLong);
      return;
    case 'signOut':
      await signOut(world, step.how);
      return;
    case 'sweep':
      world.sweep();
  }
  await settled();
}

function fetch(world: World, question: Question): void {
  const { endpoint, args, label } = question;
  const { flights } = world.server;
  const { endedAt } = flights;
  // Who asked in the last session gets an error.
  const take = (outcome: Outcome): void => {
    if (flights.endedAt === endedAt) world.fetched(question, outcome);
  };
  world.note(`fetches ${label}`);
  world.naming(question, () => {
    world.controller.fetch(endpoint, ...args).then(
      (value: unknown) => take({ value }),
      (error: unknown) => take({ error }),
    );
  });
}

function outdate(
  world: World,
  question: Question,
  { how, id: number }: Extract<Step, { readonly type: 'outdate' }>,
): void {
  const { controller, freshness } = world;
  const { endpoint, args, label, reads } = question;
  const id = pick(IDS, number);
  if (/Class|Row/.test(how) && reads.type === 'value') return;
  world.note(`${how} ${label}${/Row/.test(how) ? ` ${id}` : ''}`);
  const isSame: Demand = (other) => other.endpoint === endpoint && other.tenant === question.tenant;
  const isAsked: Demand = (other) => other === question;
  const cls = reads.type === 'value' ? undefined : reads.cls;
  // The cast: a value has no class, and was left above.
  const entity = cls?.entity as EntityClass;
  const pk = id ?? '';
  world.naming(question, () => {
    switch (how) {
      case 'invalidate':
        return void controller.invalidate(endpoint, ...args);
      case 'invalidateAll':
        void controller.invalidateAll(endpoint);
        return freshness.demand(isSame);
      case 'expireAll':
        controller.expireAll(endpoint);
        return freshness.demand(isSame);
      case 'ofEndpoint':
        void expireWhere(controller, { endpoint });
        return freshness.demand(isSame);
      case 'ofArgs':
        void expireWhere(controller, { endpoint, args });
        return freshness.demand(isAsked);
      case 'ofClass':
        void expireWhere(controller, { entity });
        return freshness.demand(holding(cls, undefined));
      case 'ofRow':
        void expireWhere(controller, { entity, pk });
        return freshness.demand(holding(cls, id));
      case 'hideRow':
        void invalidateWhere(controller, { entity, pk });
        return freshness.demand(holding(cls, id));
    }
  });
}

function page(world: World, { question, current }: Reader): void {
  const { endpoint, args, reads, wire, variant, label, tenant } = question;
  world.declared.enter(tenant);
  if (reads.type !== 'list' || current.status !== 'ready') return;
  const { next }: { readonly next?: unknown } = Object(current.data);
  if (typeof next !== 'string' || next === '') return;
  world.note(`asks ${label} for the page behind ${next}`);
  const [method, address = '', ...rest] = wire.split(' ');
  const [path, query] = address.split('?');
  const url = `${path}?cursor=${next}${query ? `&${query}` : ''}`;
  const key = world.oracle.listKey(reads, wire, variant);
  const sent = [method, url, ...rest].join(' ');
  // Two lists may have pages at one URL.
  world.pages.set(`${sent}|${variant}`, { read: reads, key, behind: next });
  const params = { ...Object(args[0]), cursor: next };
  world.kit.page(world.controller, endpoint, params).catch(() => {});
}

async function mutate(world: World, mutation: Mutation, id: string): Promise<void> {
  const { server, controller } = world;
  const body = { title: `sent@${server.version()}`, group: server.version() % 2 ? 'x' : 'y' };
  const args = mutation.args(id, body);
  world.note(`${mutation.label}(${show(args)}) is sent`);
  const before = new Set(server.flights.pending);
  const started: Started = { mutation, id, body, outcome: undefined };
  leaving(world, started, 1);
  if (mutation.isOptimistic && mutation.type === 'update') {
    const row: Row = { id, title: body.title };
    world.oracle.said.take(mutation.cls.table, row, { ...world.now(), isClean: false }, false);
  }
  world.naming(mutation, () => {
    controller.fetch(mutation.endpoint, ...args).then(
      (value: unknown) => (started.outcome = { value }),
      (error: unknown) => (started.outcome = { error }),
    );
  });
  await settled();
  const flight = server.flights.pending.find((sent) => !before.has(sent) && !isRead(sent));
  if (flight) world.started.set(flight, started);
  else throw new Fault('not-sent', `${mutation.label} was not sent: ${show(started.outcome)}`);
}

/** A local write of one field of a row that was said to exist. */
function set(world: World, number: number, pickId: number): void {
  const { server, oracle, controller, declared } = world;
  const cls = pick(declared.classes, number);
  const id = pick(IDS, pickId);
  if (!cls || id === undefined || oracle.said.row(cls.table, id).isDeleted) return;
  const row: Row = { id, title: `set@${server.version()}` };
  world.note(`sets the title of row ${id} of ${cls.label}`);
  oracle.said.take(cls.table, row, world.now(), false);
  controller.set(cls.entity, { id }, row);
}

/** A local create: `controller.set` with the edit of a list. */
function add(world: World, { endpoint, args, reads, label, tenant }: Question): void {
  world.declared.enter(tenant);
  const schema = endpoint.push?.schema;
  if (reads.type !== 'list' || reads.home === undefined || !schema) return;
  const { server, oracle } = world;
  const version = server.version();
  const group = reads.group ?? (version % 2 ? 'x' : 'y');
  const row: Row = { id: `local${version}`, group, title: `local@${version}` };
  world.note(`adds ${row.id} of group ${group} to ${label}`);
  const span = world.now();
  oracle.said.take(reads.cls.table, row, span, false);
  oracle.said.edits.push(addOf(reads, row, span));
  world.controller.set(schema, [...args], row);
}
