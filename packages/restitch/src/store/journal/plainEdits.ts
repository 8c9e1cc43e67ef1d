import { setField } from '../../schema/setField.js';
import type { MergeRow, Operation } from './operations.js';
import { copyFields, equal } from '../cells/plainValues.js';
import type { Cell, Fields } from '../cells/Cell.js';
import type { Patch, Stack, Transaction } from './Transaction.js';

/**
 * Plain edits are pending and settled mutations that set fields of a row. This file handles rows
 * with no other patches. The edits are in order of start, regardless of which one settles first.
 * The value of a field comes from the highest edit that sets the field:
 *
 * ```
 *   base { title: a, done: false }    M1 { title: b }    M2 { done: true }    M3 { title: c }
 *   M1 settles: each of its fields is searched from the top; M3 sets `title`, so nothing changes
 * ```
 *
 * Optimization: to add or settle one of a thousand pending edits, the others are not applied again.
 */
type Edited = Stack & { changed: ReadonlySet<string> };

/** The value of `changed` if nothing has changed since the last `refold`. */
export const UNCHANGED: ReadonlySet<string> = new Set();

export function isEdited(stack: Stack | undefined): stack is Edited {
  return stack?.changed !== undefined;
}

/** Plain edits rank in order of start. A stalled mutation can rank differently, so it is excluded. */
export function isEdit({ operation, transaction }: Patch): boolean {
  return (
    operation.type === 'merge' &&
    !operation.shape.custom.merge &&
    transaction.kind === 'mutation' &&
    !transaction.overtaken
  );
}

export function noteEdits(cell: Cell): void {
  const { table, stack } = cell;
  if (stack) {
    const { base, patches } = stack;
    const isPlain = table.kind === 'rows' && !table.metas && typeof base === 'object' && base;
    stack.changed = isPlain && patches.every(isEdit) ? UNCHANGED : undefined;
  }
}

/** Called when a stack gains or loses a patch. */
export function noteChange(stack: Stack, patch: Patch): void {
  const { changed } = stack;
  if (changed) {
    stack.changed = isEdit(patch)
      ? new Set([...changed, ...Object.keys(fieldsIn(patch.operation))])
      : undefined;
  }
}

export function forgetEdits({ stack }: Cell): void {
  if (stack) {
    stack.changed = undefined;
  }
}

export function editsFrom({ patches }: Edited, tick: number): number {
  let low = 0;
  let high = patches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((patches[middle]?.transaction.start ?? tick) < tick) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

export function removeEdits(stack: Edited, transaction: Transaction): void {
  const first = editsFrom(stack, transaction.start);
  const count = editsFrom(stack, transaction.start + 1) - first;
  for (const patch of stack.patches.splice(first, count)) {
    noteChange(stack, patch);
  }
}

export function showEdits(stack: Edited, current: Fields): Fields {
  const next = copyFields(current);
  for (const field of stack.changed) {
    const fields = topOf(stack, field);
    if (!Object.hasOwn(fields, field)) {
      delete next[field];
    } else if (!equal(next[field], fields[field])) {
      setField(next, field, fields[field]);
    }
  }
  return next;
}

export function isSameBelow(
  stack: Edited,
  tick: number,
  fields: Iterable<string>,
  seen: Fields,
): boolean {
  const count = editsFrom(stack, tick);
  return [...fields].every((field) => {
    const source = topOf(stack, field, count);
    return (
      Object.hasOwn(source, field) === Object.hasOwn(seen, field) &&
      equal(source[field], seen[field])
    );
  });
}

/** Returns the highest of the first `count` edits that sets the field, or the base. */
function topOf({ base, patches }: Edited, field: string, count = patches.length): Fields {
  for (let index = count - 1; index >= 0; index -= 1) {
    const patch = patches[index];
    if (patch && Object.hasOwn(fieldsIn(patch.operation), field)) {
      return fieldsIn(patch.operation);
    }
  }
  // The cast: a row has plain edits only if its base has fields.
  return base as Fields;
}

// The cast: plain edits of rows are merges.
const fieldsIn = (operation: Operation): Fields => (operation as MergeRow).fields;
