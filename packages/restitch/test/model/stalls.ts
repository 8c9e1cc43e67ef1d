/**
 * A request that never ends freezes nothing. A mutation in flight for longer than the limit is stalled: its optimistic update stays on top as
 * it last was, for each row until a mutation of that row which was sent later is confirmed. A row without a real key has no such
 * mutation. The response to a stalled mutation counts only for rows that have none; a row that it creates enters its lists anyway.
 */
import type { Effects, ListOperation, Patch, RowKey } from './effects.js';
import type { Ranked } from './rank.js';
import type { Sight } from './sight.js';

/** Milliseconds. */
export const LIMIT = 120_000;

/** A request or a write, as far as it matters here. */
export interface Confirmable extends Ranked {
  readonly effects: Effects;
  readonly failed: boolean;
}

/** Effects with optimistic functions as what they come to now. */
export function frozen({ effects, start }: Confirmable, sight: Sight): Effects {
  const patches = effects.patches.flatMap((patch): readonly Patch[] => {
    if (patch.kind !== 'layer') return [patch];
    const fields = patch.apply(sight.before(start));
    return fields === undefined
      ? []
      : [{ kind: 'fields', cell: patch.cell, fields, creates: false }];
  });
  return { ...effects, patches };
}

/** The rows that confirmed mutations wrote which were sent after a tick. */
export function rowsConfirmedSince(
  start: number,
  transactions: readonly Confirmable[],
  sight: Sight,
): ReadonlySet<RowKey> {
  const later = transactions.filter(
    (one) =>
      one.kind === 'mutation' && one.start > start && one.settle !== undefined && !one.failed,
  );
  return new Set(later.flatMap((one) => frozen(one, sight).patches.map(({ cell }) => cell)));
}

/** An optimistic update without what it says of some rows. */
export function predictionWithout(effects: Effects, rows: ReadonlySet<RowKey>): Effects {
  return {
    patches: effects.patches.filter(({ cell }) => !rows.has(cell)),
    operations: effects.operations.filter((operation) => !rows.has(memberOf(operation))),
  };
}

/** As `predictionWithout`, of a response. */
export function answerWithout(effects: Effects, rows: ReadonlySet<RowKey>): Effects {
  const { operations } = effects;
  return {
    ...predictionWithout(effects, rows),
    operations: operations.filter((one) => one.kind === 'add' || !rows.has(memberOf(one))),
  };
}

function memberOf(operation: ListOperation): RowKey {
  return 'member' in operation ? operation.member : '';
}

/** Whether something confirmed ranks above a read, on a row or list that its response is about: then the rules do not say what it does. */
export function isOvertaken(
  read: Ranked,
  response: Effects,
  transactions: readonly Confirmable[],
  concerns: (operation: ListOperation) => boolean,
): boolean {
  const cells = new Set(response.patches.map(({ cell }) => cell));
  return transactions.some(({ kind, start, settle = 0, failed, effects }) => {
    const isAbove = (rank: number): boolean => settle !== 0 && !failed && rank > read.start;
    const rank = kind === 'mutation' ? settle : start;
    return (
      (isAbove(rank) && effects.patches.some(({ cell }) => cells.has(cell))) ||
      effects.operations.some(
        (operation) => isAbove(operation.kind === 'page' ? settle : rank) && concerns(operation),
      )
    );
  });
}

/** Whether nothing that is not stalled can still come below a mutation: a function that was confirmed by a 204 is final then. */
export function isFinal(mutation: Ranked, transactions: readonly Ranked[]): boolean {
  const { settle } = mutation;
  return (
    settle !== undefined &&
    !transactions.some(
      (other) =>
        other.settle === undefined &&
        !other.isStalled &&
        other.start < (other.kind === 'read' ? settle : mutation.start),
    )
  );
}
