import type { ListArgs } from '../../schema/Collection.js';
import type { EntityShape } from '../../schema/shapes.js';
import { touch, refold } from '../journal/fold.js';
import { isFields } from '../journal/applyPatch.js';
import { isTemporaryKey, listKey, renamedText } from '../cells/keys.js';
import { pkText, rowRef, unionRefs } from '../../schema/referenceText.js';
import { distinct, isListing } from '../lists/members.js';
import { keyFieldOf } from '../../schema/keyFields.js';
import { nodeList, rebuildParents } from '../views/nodes.js';
import type { AddMember, Operation } from '../journal/operations.js';
import { firstKeys } from './firstKeys.js';
import { forgetEdits } from '../journal/plainEdits.js';
import { addPatch, baseOf, patchesOf, release, setBase } from '../journal/patches.js';
import { withMissing } from '../cells/plainValues.js';
import { sameFields, sameItems } from '../../schema/same.js';
import type { Cell, Fields, Listing } from '../cells/Cell.js';
import type { ListTable, RowTable, Store } from '../cells/Store.js';

/**
 * Called when the server has sent the real key of a created row. Replaces the temporary key
 * everywhere in the store:
 *
 * ```
 *   row                  stays in its cell, now under the real key, or moves to the cell that
 *                        a read created for the real key; the temporary key becomes an alias
 *   base and patches     contain the real key in the key field, such as `id`
 *   lists                contain the real key: the row keeps its position, and pending edits and
 *                        deletions still refer to it
 *   nested lists         their arguments contain the real key
 * ```
 */
export function nameCreatedRow(
  store: Store,
  table: RowTable,
  temporary: string,
  pk: string,
  fields: Fields,
  temporaryField: string | undefined,
  names: Map<unknown, string>,
): void {
  if (isTemporaryKey(pk)) {
    // The server returned the temporary key, or its response lacked a key.
    return;
  }
  const [shape] = table.shapes;
  const ownField = shape && keyFieldOf(shape);
  const held = ownField ?? temporaryField;
  const keyField = held ?? 'id';
  const key = fields[keyField];
  // If `pk()` computes the key, arguments contain the value of one field, not the key.
  store.named.set(temporary, held !== undefined || pkText(key) === pk ? (key ?? pk) : pk);
  const cell = table.cells.get(temporary);
  if (!cell || temporary === pk) {
    return;
  }
  firstKeys.note?.(cell, table.cells.get(pk), temporary);
  table.isRenamed = true;
  forgetEdits(cell);
  touch(store, cell, 0);
  names.set(temporary, pk);
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

/** Replaces the temporary key `pk` in the fields if the row has its real key by now. */
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

export function renamedMember<M>(member: M, names: ReadonlyMap<unknown, string>): M | string {
  const reference = unionRefs.parse?.(member);
  const pk = names.get(reference ? reference.pk : member);
  return pk === undefined ? member : reference ? rowRef(reference.path, pk) : pk;
}

/** If another cell has the new key already, that cell takes over the patches. */
function moveCell(
  store: Store,
  { cells }: RowTable | ListTable,
  cell: Cell,
  from: string,
  to: string,
): void {
  const present = cells.get(to);
  // Entries of the list log refer to this cell and read its `pk`, even if `present` replaces it.
  cell.pk = to;
  if (!present) {
    cells.set(to, cell);
    return;
  }
  cells.set(from, present);
  // The base of the temporary row comes from local writes, so it only adds missing fields.
  setBase(present, withMissing(baseOf(present), baseOf(cell)));
  for (const patch of patchesOf(cell)) {
    addPatch(present, patch);
    release(patch.transaction, cell);
  }
  cell.stack = undefined;
  cell.current = undefined;
  // The nodes that contain the old cell are rebuilt and then read `present`.
  for (const node of nodeList(cell.nodes)) {
    rebuildParents(store, node);
  }
  refold(store, present, 0);
}

/** Called after the rows have their real keys. Cost: one pass over the lists for all rows. */
export function renameInLists(store: Store, names: ReadonlyMap<unknown, string>): void {
  for (const table of names.size > 0 ? store.lists.values() : []) {
    // The loop also visits the cells that it adds. They are renamed already, so nothing changes.
    for (const cell of table.cells.values()) {
      renameMembers(store, cell, names);
      const { list } = cell;
      let args = list?.args;
      for (const [temporary, pk] of names) {
        // If `pk` combines several fields, arguments contain the value of one field.
        const value = pkText(store.named.get(String(temporary))) ?? pk;
        args = args && renamedArgs(args, String(temporary), value);
      }
      if (list && args && !sameFields(list.args, args)) {
        cell.list = { ...list, args };
        touch(store, cell, 0);
        moveCell(store, table, cell, cell.pk, listKey(args));
      }
    }
  }
}

function renameMembers(store: Store, cell: Cell, names: ReadonlyMap<unknown, string>): void {
  const base = baseOf(cell);
  const renamed = isListing(base) ? renamedIn(base, names) : base;
  let isChanged = renamed !== base;
  if (isChanged) {
    setBase(cell, renamed);
  }
  for (const patch of patchesOf(cell)) {
    const operation = renamedIn(patch.operation, names);
    isChanged ||= operation !== patch.operation;
    patch.operation = operation;
    if (operation.type === 'replace' && operation.prediction) {
      const { prediction } = operation;
      prediction.known = new Set([...prediction.known].map((one) => renamedMember(one, names)));
    }
  }
  if (isChanged) {
    refold(store, cell, 0);
  }
}

function renamedIn<T extends Listing | Operation>(
  value: T,
  names: ReadonlyMap<unknown, string>,
): T {
  // The cast: listings and operations have some of these properties, or none.
  const { members, keys, member } = value as Partial<Listing & AddMember>;
  const before = members ?? [member];
  const next = before.map((one) => renamedMember(one, names));
  if (sameItems(before, next)) {
    return value;
  }
  return members
    ? { ...value, members: keys ? next : distinct(next) }
    : { ...value, member: next[0] };
}

function renamedArgs(args: ListArgs, temporary: string, pk: string): ListArgs {
  const texts = Object.entries(args);
  return Object.fromEntries(texts.map(([name, text]) => [name, renamedText(text, temporary, pk)]));
}
