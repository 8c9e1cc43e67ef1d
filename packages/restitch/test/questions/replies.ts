/** Responds to requests, and enters in the ledger what the response said. */
import { itemsRead, readable, type Declared } from './classes.js';
import { Fault } from './fault.js';
import { isRead, settled, type Flight } from './flights.js';
import type { Ending } from './program.js';
import { show, type ListRead } from './questions.js';
import type { Edit, Span } from './said.js';
import { NotFound, ODD, type Content, type Row } from './server.js';
import { endSession, respondLate } from './signOut.js';
import type { Started, World } from './world.js';

/** The response of the server to one request, which the library then takes in. */
export async function reply(world: World, flight: Flight, ending: Ending): Promise<void> {
  const { flights } = world.server;
  if (flight.start <= flights.endedAt) return respondLate(world, flight);
  const started = world.started.get(flight);
  world.started.delete(flight);
  flights.end(flight);
  const mutated = world.mutatedAt;
  const isClean = world.started.size === 0 && mutated < flight.start;
  const span: Span = { start: flight.start, end: ++flights.tick, isClean };
  if (started) {
    world.mutatedAt = span.end;
    leaving(world, started, -1);
    for (const reader of world.readers) reader.barren = 0;
  }
  try {
    if (ending.how === 'fail' || ending.how === 'refuse') {
      const isEnd = ending.how === 'refuse' && !world.paused;
      if (isEnd) endSession(world, true);
      throw Object.assign(new Error('the server failed'), { status: isEnd ? 401 : 500 });
    }
    const value = started
      ? mutationReply(world, flight, started, span, ending.form)
      : readReply(world, flight, span, ending);
    world.note(`${flight.wire} gets ${JSON.stringify(value)}`);
    flight.resolve(value);
  } catch (error) {
    // The server's own failures; anything else is a mistake of the model.
    if (!(error instanceof Error && 'status' in error)) throw error;
    if (isRead(flight)) world.oracle.said.asked(flight.wire, flight.variant).failures++;
    // An error is kept for a second only.
    world.freshness.isUntouched = false;
    world.note(`${flight.wire} fails: ${String(error.status)}`);
    flight.reject(error);
    await settled();
    return;
  }
  // Another request may have taken its place: its response is not the one that is waited for.
  const isOver = flights.has(flight.wire, flight.variant);
  await settled();
  if (!isOver) countBarren(world, flight);
  // A class may refuse the response to a mutation.
  const mayRefuse = started?.mutation.cls.spec.trait === 'picky';
  if (!mayRefuse && started?.outcome && 'error' in started.outcome) {
    throw new Fault(
      'refused',
      `${started.mutation.label} rejects: ${show(String(started.outcome.error))}`,
    );
  }
}

/** Notes that a delete shows before its response arrives, or does no longer. */
export function leaving({ oracle }: World, { mutation, id }: Started, count: 1 | -1): void {
  const { type, cls, isOptimistic } = mutation;
  if (isOptimistic && type === 'delete') oracle.said.row(cls.table, id).leaving += count;
}

function readReply(world: World, flight: Flight, span: Span, { how, isEarly }: Ending): unknown {
  const { server, oracle, pages } = world;
  const asked = oracle.said.asked(flight.wire, flight.variant);
  const question = world.questionOf(flight);
  const page = pages.get(`${flight.wire}|${flight.variant}`);
  if (!question && !page) throw new Error(`no reader asked ${flight.wire} as ${flight.variant}`);
  const isValue = question?.reads.type === 'value';
  if (how !== 'respond' && !isValue) {
    asked.failures++;
    return how === 'none' ? null : ODD;
  }
  const content: Content | undefined = isEarly ? flight.early : server.read(flight);
  if (!content) throw new NotFound();
  asked.responses++;
  const reads = page?.read ?? question?.reads;
  if (!reads || reads.type === 'value') {
    const { v }: { readonly v?: unknown } = Object(content.value);
    asked.versions.add(Number(v));
    return content.value;
  }
  const rows = readable(reads.cls, content.rows);
  // What the class refuses, or keeps as it was, ends in an error at worst (identity 5.2).
  if (rows?.length !== content.rows.length || reads.cls.spec.trait === 'stubborn') asked.failures++;
  if (!rows) return content.value;
  for (const row of content.rows) {
    if (!rows.includes(row)) oracle.said.row(reads.cls.table, row.id).mayVanish = true;
  }
  for (const row of rows) oracle.said.take(reads.cls.table, row, spanOf(reads.cls, span), false);
  if (reads.type === 'record') {
    const [row] = rows;
    const { owned } = reads.cls;
    if (owned && !content.items) asked.lacking.add('items');
    if (owned && content.items && row) {
      for (const item of content.items) oracle.said.take(owned.table, item, span, false);
      oracle.said.row(reads.cls.table, row.id).hasItems = true;
      const read = itemsRead(reads.cls, owned, row.id);
      const ids = content.items.map(({ id }) => id);
      const members = { ...span, ids, behind: undefined, next: undefined };
      oracle.said.list(oracle.listKey(read, '', '')).push(members);
    }
    for (const field of reads.cls.fields) if (row?.[field] === undefined) asked.lacking.add(field);
    return content.value;
  }
  const { next }: { readonly next?: unknown } = Object(content.value);
  const key = page?.key ?? oracle.listKey(reads, flight.wire, flight.variant);
  // A row that the class makes nothing of stays a member: it may come by another class.
  const ids = content.ids ?? [];
  oracle.said.list(key).push({ ...span, ids, behind: page?.behind, next });
  return content.value;
}

/** A class that keeps older rows may show any version. */
function spanOf({ spec }: Declared, span: Span): Span {
  return spec.trait === 'stubborn' ? { ...span, isClean: false } : span;
}

function mutationReply(
  { server, oracle }: World,
  flight: Flight,
  { mutation, id, body }: Started,
  span: Span,
  form: number,
): unknown {
  const { said } = oracle;
  const { cls, list, type } = mutation;
  const { table } = cls.spec;
  /** `isSent`: the response says nothing of it, but it was sent. */
  const says = (row: Row, isSent = false): Row => {
    for (const taken of readable(cls, [row]) ?? []) {
      said.take(cls.table, taken, isSent ? { ...span, isClean: false } : spanOf(cls, span), true);
    }
    if (readable(cls, [row])?.length === 0) said.row(cls.table, row.id).mayVanish = true;
    return row;
  };
  switch (type) {
    case 'create': {
      const row = server.create(flight, body);
      said.row(cls.table, row.id).isCreated = true;
      const hasKeyOnly = form % 3 === 2;
      says(hasKeyOnly ? { ...body, id: row.id } : row, hasKeyOnly);
      if (list && readable(cls, [row])?.length) said.edits.push(addOf(list, row, span));
      return hasKeyOnly ? { id: row.id } : row;
    }
    case 'update': {
      const row = server.update(flight, { title: body['title'] ?? '' });
      says(form % 3 === 0 ? row : { id, title: row['title'] ?? '' }, form % 3 > 0);
      return [row, null, { id }][form % 3];
    }
    case 'remove': {
      const row = says(server.update(flight, { id }));
      if (list && readable(cls, [row])?.length)
        said.edits.push({
          ...addOf(list, row, span),
          type: 'remove',
          group: undefined,
          filter: list.filter,
        });
      return row;
    }
    case 'move': {
      const row = says(server.update(flight, { group: body['group'] ?? '' }));
      if (list && readable(cls, [row])?.length) {
        const isUnsure = cls.fields.some((field) => row[field] === undefined);
        const added = { ...addOf(list, row, span), isUnsure };
        said.edits.push(added, { ...added, type: 'remove' });
      }
      return row;
    }
    case 'delete':
    case 'invalidate': {
      server.delete(table, id);
      // Where another mutation overlapped, the order in which they were sent decides.
      if (span.isClean) said.row(cls.table, id).isDeleted = true;
      else said.row(cls.table, id).mayVanish = true;
      said.edits.push({
        ...span,
        type: 'remove',
        home: undefined,
        table: cls.table,
        id,
        group: undefined,
        owner: undefined,
        filter: undefined,
      });
      const other = server.other(table, id);
      return type === 'delete'
        ? [null, Number(other?.id), ODD, other, { id }][form % 5]
        : [null, Number(id), id, { id }, ODD][form % 5];
    }
  }
}

/** That a row enters the lists of a kind which it matches. */
export function addOf(list: ListRead, { id, group }: Row, span: Span): Edit {
  const { home, inRecords, owner, cls } = list;
  const { table } = cls;
  const filter = undefined;
  return { ...span, type: 'add', home, inRecords, table, id, group, owner, filter };
}

/** Readers that still wait after a response to their own question: one such response is allowed, for the repeat. */
function countBarren(world: World, flight: Flight): void {
  for (const reader of world.readers) {
    const { question } = reader;
    if (question.wire !== flight.wire || question.variant !== flight.variant) continue;
    reader.barren = reader.current.status === 'pending' ? reader.barren + 1 : 0;
    if (reader.barren > 1)
      throw new Fault(
        'asks-again',
        `${question.label} still waits after ${reader.barren} responses to its own question`,
      );
  }
}
