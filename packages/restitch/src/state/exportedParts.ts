import type { ListArgs } from '../schema/Collection.js';
import { setField } from '../schema/setField.js';
import type { Cell, Fields, Listing, Stored } from '../store/cells/Cell.js';
import { mergeFields, own } from '../store/cells/plainValues.js';
import { isTemporaryKey, mayHoldTemporary } from '../store/cells/keys.js';
import { resultsOf, type Lifetime } from '../store/cells/results.js';
import type { Result } from '../store/cells/Result.js';
import type { Declarations, ListState, ResultState, RowState } from '../store/cells/StoreState.js';
import type { Store } from '../store/cells/Store.js';
import { isFields } from '../store/journal/applyPatch.js';
import { currentConfirmed } from '../store/journal/fold.js';
import { isListing } from '../store/lists/members.js';
import { hydratedOf, type Waiting } from './hydrated.js';
import { lostFieldsOf } from './incomplete.js';
import { NOT_JSON, fieldsToJson, isWhole, mapFields, toJson, type Encoding } from './json.js';
import { withoutUnnamed } from '../store/optimistic/createdRows.js';
import { resultSignature } from './resultSignature.js';

export interface Part extends Pick<Waiting, 'stored' | 'declared' | 'lost' | 'removed'> {
  readonly meta: Lifetime;
  readonly args?: ListArgs | undefined;
}

/** Undefined if the key contains a temporary key, which is unknown in other programs. */
export function confirmedOf(store: Store, cell: Cell): Stored {
  const { pk, list } = cell;
  // Optimization: most row keys begin with neither `~` nor `-`, so they need no search.
  const isSuspect = list ? mayHoldTemporary(pk) : pk.startsWith('~') || pk.startsWith('-');
  if (isSuspect && pk.match(/~new-[^"\\]*|-\d{16}/g)?.some((key) => isTemporaryKey(key))) {
    return undefined;
  }
  const current = currentConfirmed(store, cell);
  return list ? withoutUnnamed(store, current) : current;
}

export function rowState(
  pk: string,
  { stored, meta, declared, lost = [], removed }: Part,
  encoding: Encoding,
): RowState | undefined {
  const expiresAt = endOf(meta);
  if (!isFields(stored)) {
    return stored === null
      ? { pk, fields: null, expiresAt, ...(removed && { removed }) }
      : undefined;
  }
  const fields = fieldsToJson(stored, encoding);
  const dropped = isWhole(fields, stored)
    ? []
    : Object.keys(stored).filter((field) => !Object.hasOwn(fields, field));
  const missing = new Set([...lost, ...dropped]);
  return {
    pk,
    fields,
    expiresAt,
    ...(declared && { declared }),
    ...(missing.size > 0 && { lost: [...missing] }),
  };
}

/**
 * Returns the part of a row that is exported. Hydrated fields that no class of this program has
 * declared are exported again, as they were declared.
 */
export function partOf(store: Store, cell: Cell, stored: Stored, declared?: Declarations): Part {
  const { table, lifetime: meta, list } = cell;
  if (table.kind !== 'rows' || !isFields(stored)) {
    const removals = table.kind === 'rows' && hydratedOf(store)?.removals.get(table.key);
    return { stored, meta, args: list?.args, removed: removals ? removals.has(cell.pk) : false };
  }
  // JSON drops undefined, and the class would show its default.
  const hidden = Object.keys(stored).filter(
    (field) =>
      stored[field] === undefined &&
      table.shapes.some((shape) => own(shape.defaults(), field) !== undefined),
  );
  const all = withCarried(store, cell, stored);
  const lost = [...hidden, ...lostFieldsOf(store, cell, stored)].filter(
    (field) => own(all, field) === own(stored, field),
  );
  const partial = hydratedOf(store)?.partial.get(cell);
  const texts: Record<string, readonly string[]> = { ...declared };
  for (const [field, others] of Object.entries(partial?.declared ?? {})) {
    if (!partial?.unfit.has(field)) {
      const isCarried = own(stored, field) === undefined;
      // The cast: the texts of this program and checked texts.
      const mine = isCarried ? [] : ((own(texts, field) ?? ['']) as readonly string[]);
      setField(texts, field, [...new Set([...mine, ...others])]);
    }
  }
  return { stored: all, meta, declared: partial ? texts : declared, lost };
}

/** Adds the hydrated fields that wait for a class. */
export function withCarried<T extends Stored>(store: Store, cell: Cell, stored: T): T | Fields {
  const partial = hydratedOf(store)?.partial.get(cell);
  if (!partial || !isFields(stored)) {
    return stored;
  }
  const { unread, unfit } = partial;
  const carried = mapFields(Object(partial.stored) as Fields, (value, field) =>
    unread.has(field) && !unfit.has(field) && own(stored, field) === undefined ? value : NOT_JSON,
  );
  return mergeFields(stored, carried);
}

export function listState({ stored, meta, args }: Part, encoding: Encoding): ListState | undefined {
  // The importing program rejects a list with a null member.
  const isKept = isListing(stored) && !stored.members.includes(null);
  const json = isKept ? toJson(stored, encoding) : NOT_JSON;
  return args && json !== NOT_JSON
    ? { args, listing: json as Listing, expiresAt: endOf(meta) }
    : undefined;
}

export function resultState(
  { value, expiresAt, ...rest }: ResultState,
  encoding: Encoding,
): ResultState | undefined {
  const json = toJson(value, encoding);
  return json === NOT_JSON ? undefined : { ...rest, value: json, expiresAt: finite(expiresAt) };
}

export function stateOfResult(
  store: Store,
  result: Result,
  encoding: Encoding,
): ResultState | undefined {
  const { endpoint, shape, value, fetchedAt, expiresAt } = result;
  if (result.status !== 'value' || othersLike(store, result).length > 0) {
    return undefined;
  }
  const key = encoding.named(result.key, undefined, endpoint.name);
  const schema = encoding.named(resultSignature(result), shape);
  return resultState({ key, schema, value, fetchedAt, expiresAt }, encoding);
}

/**
 * Returns the results that differ from this one only in functions of their endpoints. Another
 * program could not distinguish the results, because functions are not exported.
 */
export function othersLike(store: Store, result: Result): readonly Result[] {
  const signature = resultSignature(result);
  return resultsOf(store, result.key).filter(
    (other) => other !== result && other.status === 'value' && resultSignature(other) === signature,
  );
}

export function endOf({ expiredIn, expiresAt }: Lifetime): number {
  return expiredIn ? 0 : finite(expiresAt);
}

/** JSON has no infinity, so data that never expires gets the largest safe integer. */
export function finite(expiresAt: number): number {
  return Math.min(expiresAt, Number.MAX_SAFE_INTEGER);
}
