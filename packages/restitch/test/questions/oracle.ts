/**
 * What a reader may show: decided by what the server said, and by the rules of identity alone.
 *
 * - **Provenance.** Each text of the server's names its table, row, field and version, each plain value its request. So
 *   whatever belongs to another declaration is recognized at once. A row may show what was said of that row in its own table (identity
 *   1.1, 1.2), as an instance of the reader's class, and nothing older than the last response that nothing else overlapped.
 * - **Questions.** A plain value is that of a response to the reader's own request (address, body, authorization, function and
 *   arguments), made by its own `process` (3.1 to 3.4).
 * - **Lists.** Members and their order follow from the newest response of the reader's own list (2.1 to 2.4: table, home, filter), the
 *   edits that legally reach it (2.3, 2.8), and its pages, each behind the row that it was asked behind (6.2).
 * - **Records.** In place of a field that its class declares with a default a record shows that default only where a response to its own
 *   question lacked the field, or where the class is `partial` (4.2). The same holds for the rows of a list without a response.
 * - **Deletes.** A row that was deleted is in no reader's data; the body of the response says nothing of it (4.1).
 * - **Waiting.** Who shows nothing has a request of its own under way, and has an error only where its own question failed. After an
 *   response to its own question it asks again at most once by itself (5.2).
 */
import type { ViewSnapshot } from 'restitch';
import { Fault } from './fault.js';
import { checkMembers } from './membership.js';
import type { ListRead, Question } from './questions.js';
import { checkRecord, text } from './rows.js';
import { ODD } from './server.js';
import { Said, type Asked } from './said.js';

export class Oracle {
  said: Said = new Said();

  forget(): void {
    this.said = new Said();
  }

  askedOf({ wire, variant }: Question): Asked {
    return this.said.asked(wire, variant);
  }

  /** Which list a question reads: a plain array belongs to its own question. */
  listKey(read: ListRead, wire: string, variant: string): string {
    return read.home === undefined ? `${wire}|${variant}` : `${read.home} ${read.filter}`;
  }

  /** Checks what a reader shows. `isWaiting`: a request of its own is under way. */
  check(question: Question, snapshot: ViewSnapshot<unknown>, isWaiting: boolean): void {
    if (snapshot.status === 'ready') {
      this.checkData(question, snapshot.data, true);
    } else if (snapshot.status === 'error') {
      if (this.askedOf(question).failures > 0) return;
      throw new Fault('error', `fails without a reason: ${snapshot.error.message}`);
    } else if (!isWaiting && !snapshot.deleted && !this.isLeaving(question)) {
      throw new Fault('stuck', 'is pending, and no request of its own is under way');
    }
  }

  /** Whether a delete of the row is pending, which its readers wait for (5.2). */
  isLeaving({ reads }: Question): boolean {
    return reads.type === 'record' && this.said.row(reads.cls.table, reads.id).leaving > 0;
  }

  /** Checks data; `isReader`: of who asks for it, rather than looks at what there is. */
  checkData(question: Question, data: unknown, isReader: boolean): void {
    const { reads, wire, variant } = question;
    switch (reads.type) {
      case 'value':
        return this.#checkValue(question, data, reads.tags);
      case 'record': {
        // What was fetched, and deleted meanwhile, is nothing.
        const { isDeleted, mayVanish } = this.said.row(reads.cls.table, reads.id);
        if (data == null && (isDeleted || mayVanish)) return;
        if (data == null) throw new Fault('empty', `shows ${text(data)}`);
        const asked = isReader ? this.askedOf(question) : undefined;
        checkRecord(this.said, reads.cls, data, reads.id, asked);
        return;
      }
      case 'list': {
        const results = resultsOf(data, reads.space.envelope);
        // A response without the list that it should hold is stored as it is.
        const isOdd = reads.space.envelope > 0 && text(data) === text(ODD);
        if (isOdd && this.askedOf(question).failures > 0) return;
        if (typeof results !== 'object' || results === null)
          throw new Fault('empty', `shows ${text(data)}`);
        this.#checkMembers(question, reads, results, isReader);
        this.#checkCursor(this.listKey(reads, wire, variant), data);
      }
    }
  }

  /** Checks what schema and arguments name: the row, or the list by the endpoint's own schema (2.7). */
  checkLookup(question: Question, get: (schema: unknown, args: unknown) => unknown): void {
    const { reads, endpoint, named, wire } = question;
    if (reads.type === 'record') {
      const row = get(reads.cls.entity, { id: reads.id });
      if (row !== undefined) checkRecord(this.said, reads.cls, row, reads.id, undefined);
    } else if (reads.type === 'list' && reads.home !== undefined && wire.startsWith('GET')) {
      const results = resultsOf(get(endpoint.schema, named[0] ?? {}), reads.space.envelope);
      if (results !== undefined) this.#checkMembers(question, reads, results, false);
    }
  }

  #checkMembers(question: Question, reads: ListRead, results: unknown, isReader: boolean): void {
    const { wire, variant } = question;
    const current: readonly unknown[] = Object.values(Object(results));
    // Before a response of its own, a list that another response contained has complete rows.
    const own = this.askedOf(question);
    const asked = isReader && own.responses + own.failures === 0 ? own : undefined;
    const ids = current.map((row) => checkRecord(this.said, reads.cls, row, undefined, asked));
    checkMembers(this.said, reads, this.listKey(reads, wire, variant), ids);
  }

  #checkValue(question: Question, data: unknown, tags: readonly string[]): void {
    const { q, v, tags: made = [] }: Readonly<Record<string, unknown>> = { ...Object(data) };
    if (q !== question.wire) throw new Fault('foreign-value', `shows the response to ${text(q)}`);
    if (text(made) !== text(tags))
      throw new Fault('foreign-process', `shows what ${text(made)} made of it`);
    if (typeof v !== 'number' || !this.askedOf(question).versions.has(v)) {
      throw new Fault('foreign-value', `shows version ${text(v)}, which nothing brought`);
    }
  }

  /** The cursor beside a list is one that came with that list. */
  #checkCursor(key: string, data: unknown): void {
    const { next }: { readonly next?: unknown } = Object(data);
    if (next === undefined) return;
    if (this.said.list(key).some((members) => members.next === next)) return;
    throw new Fault('foreign-cursor', `shows the cursor ${text(next)}, which did not come with it`);
  }
}

/** The members within their envelope. */
export function resultsOf(data: unknown, envelope: number): unknown {
  if (envelope === 0) return data;
  const { results, data: inner }: Readonly<Record<string, unknown>> = Object(data);
  if (envelope === 1) return results;
  const { results: deep }: Readonly<Record<string, unknown>> = Object(inner);
  return deep;
}
