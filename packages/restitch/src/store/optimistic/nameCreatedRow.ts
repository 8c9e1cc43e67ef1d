import type { ListArgs } from '../../schema/Collection.js';
import type { EntityShape } from '../../schema/shapes.js';
import { touch, refold, isFields } from '../journal/fold.js';
import { listKey, parseUnionRef, pkText, renamedText, rowRef } from '../cells/keys.js';
import { distinct, isListing } from '../lists/members.js';
import { keyFieldOf } from '../normalize/rowKeys.js';
import { mark, nodeList, parentsOf } from '../views/nodes.js';
import { UNBUILT } from '../views/Node.js';
import type { Operation } from '../journal/operations.js';
import { isEdited } from '../journal/plainEdits.js';
import { addPatch, baseOf, patchesOf, release, setBase } from '../journal/patches.js';
import { combine } from '../cells/plainValues.js';
import { sameItems } from '../../schema/same.js';
import type { Cell, Fields } from '../cells/Cell.js';
import type { ListTable, RowTable, Store } from '../cells/Store.js';

/**
 * A row that is created here has a temporary key until the server names it. Then everything that holds the temporary key is told
 * the real one:
 *
 * ```
 *   the row                 goes on in its cell under the real key, or in the one that another read brought; the temporary key
 *                           keeps finding it
 *   base and patches of it  lose the temporary key from its `id`
 *   lists                   hold the real key: the row keeps its place, and who edits or deletes it meanwhile means it
 *   lists that it owns      go on under the arguments with the real key
 * ```
 */
export function nameCreatedRow(
  store: Store,
  table: RowTable,
  temporary: string,
  pk: string,
  fields: Fields,
): void {
  const [shape] = table.shapes;
  const keyField = (shape && keyFieldOf(shape)) ?? 'id';
  const key = fields[keyField];
  store.named.set(temporary, pkText(key) === pk ? key : pk);
  const cell = table.cells.get(temporary);
  if (!cell || temporary === pk) {
    return;
  }
  table.isRenamed = true;
  if (cell.stack) {
    cell.stack.changed = undefined;
  }
  touch(store, cell, 0);
  renameInLists(store, temporary, pk);
  const rename = (known: Fields): Fields =>
    pkText(known[keyField]) === temporary ? { ...known, [keyField]: key } : known;
  const base = baseOf(cell);
  if (isFields(base)) {
    setBase(cell, rename(base));
  }
  for (const patch of patchesOf(cell)) {
    const { operation } = patch;
    if (operation.type === 'merge') {
      patch.operation = { ...operation, fields: rename(operation.fields) };
    }
  }
  moveCell(store, table, cell, temporary, pk);
}

/** The fields of a patch for a row that has been given its real key since the patch was made: they do not carry the old one. */
export function renamedFields(
  { named }: Store,
  shape: EntityShape,
  fields: Fields,
  pk: string,
  cell: Cell,
): Fields {
  const keyField = cell.pk === pk ? undefined : keyFieldOf(shape);
  return keyField === undefined || pkText(fields[keyField]) !== pk
    ? fields
    : { ...fields, [keyField]: named.get(pk) };
}

/** A member of a list, which stands as its key or in a union with its discriminator, under another key. */
export function renamedMember<M>(member: M, from: string, to: string): M | string {
  if (member === from) {
    return to;
  }
  const reference = parseUnionRef(member);
  return reference?.pk === from ? rowRef(reference.path, to) : member;
}

/** Puts a cell under another key, where it goes on, or takes the place of nothing: if there is one already, that one stays. */
function moveCell(
  store: Store,
  { cells }: RowTable | ListTable,
  cell: Cell,
  from: string,
  to: string,
): void {
  const present = cells.get(to);
  // Also where another cell goes on: what is logged of the row holds this one.
  cell.pk = to;
  if (!present) {
    cells.set(to, cell);
    return;
  }
  cells.set(from, present);
  // What was written to it here fills in what the server did not say.
  setBase(present, combine(baseOf(present), baseOf(cell), false));
  for (const patch of patchesOf(cell)) {
    addPatch(present, patch);
    release(patch.transaction, cell);
  }
  cell.stack = undefined;
  cell.shown = undefined;
  // Whoever held the old one finds the present one when it looks again.
  for (const node of nodeList(cell.nodes)) {
    for (const parent of parentsOf(node)) {
      parent.source = UNBUILT;
      mark(store, parent);
    }
  }
  refold(store, present, 0);
}

function renameInLists(store: Store, temporary: string, pk: string): void {
  for (const table of store.lists.values()) {
    // Entries that are added on the way are looked at too, and so are lists that stand under an older key as well: renamed.
    for (const cell of table.cells.values()) {
      renameMembers(store, cell, temporary, pk);
      const args = cell.list && renamedArgs(cell.list.args, temporary, pk);
      if (cell.list && args && args !== cell.list.args) {
        cell.list = { ...cell.list, args };
        touch(store, cell, 0);
        moveCell(store, table, cell, cell.pk, listKey(args));
      }
    }
  }
}

function renameMembers(store: Store, cell: Cell, temporary: string, pk: string): void {
  const { stack, list } = cell;
  if (
    isEdited(stack) &&
    list?.shape.member.kind === 'entity' &&
    !stack.adds?.present.has(temporary)
  ) {
    return;
  }
  let isChanged = false;
  const all = (members: readonly unknown[], isSet: boolean): readonly unknown[] => {
    const next = members.map((member) => renamedMember(member, temporary, pk));
    if (sameItems(next, members)) {
      return members;
    }
    isChanged = true;
    return isSet ? distinct(next) : next;
  };
  const base = baseOf(cell);
  if (isListing(base)) {
    const members = all(base.members, !base.keys);
    if (isChanged) {
      setBase(cell, { ...base, members });
    }
  }
  for (const patch of patchesOf(cell)) {
    patch.operation = renameIn(patch.operation, all);
  }
  if (isChanged) {
    if (cell.stack) {
      cell.stack.changed = undefined;
    }
    refold(store, cell, 0);
  }
}

function renameIn(
  operation: Operation,
  all: (members: readonly unknown[], isSet: boolean) => readonly unknown[],
): Operation {
  switch (operation.type) {
    case 'replace':
    case 'page':
      return { ...operation, members: all(operation.members, !operation.keys) };
    case 'remove':
      return { ...operation, members: all(operation.members, true) };
    case 'add':
    case 'assign':
      return { ...operation, member: String(all([operation.member], true)[0]) };
    default:
      return operation;
  }
}

/** The arguments of a list that name a row, or that name the row which owns it. */
function renamedArgs(args: ListArgs, temporary: string, pk: string): ListArgs {
  const texts = Object.entries(args);
  if (!texts.some(([, text]) => text.includes(temporary))) {
    return args;
  }
  return Object.fromEntries(texts.map(([name, text]) => [name, renamedText(text, temporary, pk)]));
}
