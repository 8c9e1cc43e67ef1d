import type { ListArgs } from '../schema/Collection.js';
import type { Cell, Listing, Stored } from '../store/cells/Cell.js';
import { own } from '../store/cells/plainValues.js';
import { isTemporaryKey, mayHoldTemporary } from '../store/cells/keys.js';
import { resultsOf, type Lifetime } from '../store/cells/results.js';
import type { Result } from '../store/cells/Result.js';
import type { ListState, ResultState, RowState } from '../store/cells/StoreState.js';
import type { Store } from '../store/cells/Store.js';
import { isFields } from '../store/journal/applyPatch.js';
import { currentConfirmed } from '../store/journal/fold.js';
import { isListing } from '../store/lists/members.js';
import { hydratedOf, type Waiting } from './hydrated.js';
import { NOT_JSON, fieldsToJson, isWhole, toJson, type Encoding } from './json.js';
import { withoutUnnamed } from '../store/optimistic/createdRows.js';
import { resultSignature } from './resultSignature.js';

export interface Part extends Pick<Waiting, 'stored' | 'declared' | 'isIncomplete'> {
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
  { stored, meta, declared, isIncomplete }: Part,
  encoding: Encoding,
): RowState | undefined {
  if (!isFields(stored)) {
    return undefined;
  }
  const fields = fieldsToJson(stored, encoding);
  const expiresAt = endOf(meta);
  const isLost = isIncomplete || meta.isIncomplete || !isWhole(fields, stored);
  return {
    pk,
    fields,
    expiresAt,
    ...(declared && { declared }),
    ...(isLost && { isIncomplete: true }),
  };
}

/**
 * Returns true if a hydrated field of a row waits for its class. The export lacks this field, so
 * the class must fetch the row. JSON also drops undefined, and the class would show its default.
 */
export function lacksField(store: Store, cell: Cell, stored: Stored): boolean {
  const waiting = hydratedOf(store)?.partial.get(cell)?.stored;
  const fields = Object(stored);
  const shapes = cell.table.kind === 'rows' ? cell.table.shapes : [];
  return (
    Object.keys(Object(waiting)).some((field) => !Object.hasOwn(fields, field)) ||
    Object.keys(fields).some(
      (field) =>
        fields[field] === undefined &&
        shapes.some((shape) => own(shape.defaults(), field) !== undefined),
    )
  );
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

export function endOf({ isExpired, expiresAt }: Lifetime): number {
  return isExpired ? 0 : finite(expiresAt);
}

/** JSON has no infinity, so data that never expires gets the largest safe integer. */
export function finite(expiresAt: number): number {
  return Math.min(expiresAt, Number.MAX_SAFE_INTEGER);
}
