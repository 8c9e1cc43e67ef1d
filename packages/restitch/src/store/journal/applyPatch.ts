import { isDevelopment } from '../../errors/development.js';
import { SchemaError } from '../../errors/SchemaError.js';
import { olderRecords } from '../../schema/Entity.js';
import type { EntityMeta } from '../../schema/Schema.js';
import { copyFields, isObject, mergeFields, reuseFields } from '../cells/plainValues.js';
import { applyToList } from '../lists/members.js';
import { callbackFailed } from '../normalize/normalizeErrors.js';
import type { Fields, Stored } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Meanwhile, MergeRow, Operation } from './operations.js';
import type { Patch, Transaction } from './Transaction.js';

export interface Below {
  /** The times of the newest request of the applied patches, for `mergeWithStore`. */
  meta: EntityMeta | undefined;
  /** Optimization: the object that these patches created, which later patches modify in place. */
  own?: Fields | undefined;
}

/** Throws only for patches of `strict`. Any other error is reported, and the patch is skipped. */
export function applyPatch(
  store: Store,
  value: Stored,
  patch: Patch,
  below: Below,
  strict?: Transaction,
): Stored {
  if (patch.operation.isBroken) {
    return value;
  }
  try {
    return apply(value, patch, below);
  } catch (error) {
    const { operation, transaction } = patch;
    const isRow = 'shape' in operation;
    const callback = isRow ? `${operation.shape.name}.${operation.type}` : 'Collection.merge';
    const failure = callbackFailed(callback, error, transaction.source);
    if (isRow && transaction === strict) {
      // The caller wrote the `update` function, so the caller gets its own error unchanged.
      throw operation.type === 'merge' ? failure : error;
    }
    operation.isBroken = true;
    store.report(failure);
    return value;
  }
}

function apply(value: Stored, { operation, transaction: { meta } }: Patch, below: Below): Stored {
  switch (operation.type) {
    case 'merge': {
      if (!isFields(value)) {
        const stays = operation.needsRow || (operation.keepsDeleted && value === null);
        below.meta = stays ? below.meta : meta;
        return stays ? value : operation.fields;
      }
      const merged = operation.shape.custom.merge
        ? customMerge(operation, value, below.meta, meta)
        : undefined;
      // If a class returns the stored record, the incoming record changed nothing.
      below.meta = merged === value || operation.isOlder ? below.meta : newer(below.meta, meta);
      if (merged) {
        return reuseFields(value, merged);
      }
      const next = mergeFields(value, operation.fields, below.own);
      below.own = next === value ? below.own : next;
      return next;
    }
    case 'update': {
      below.meta = meta;
      // The function may keep the row that it receives, so the row must not be modified later.
      below.own = undefined;
      const fields = isFields(value) ? value : undefined;
      const next = operation.update(fields);
      return next === undefined ? value : fields ? mergeFields(fields, next) : next;
    }
    case 'delete':
      return null;
    default:
      return applyToList(value, operation);
  }
}

function newer(existing: EntityMeta | undefined, incoming: EntityMeta): EntityMeta {
  return existing && existing.fetchedAt > incoming.fetchedAt ? existing : incoming;
}

function customMerge(
  operation: Operation & MergeRow,
  existing: Fields,
  existingMeta: EntityMeta | undefined,
  incomingMeta: EntityMeta,
): Fields {
  const { entity, name, custom } = operation.shape;
  // If one response contains a record twice, both copies have the same `meta` object.
  const isOneResponse = existingMeta === undefined || existingMeta === incomingMeta;
  // The class may modify its arguments, so it gets copies.
  const below = copyFields(existing);
  const above = copyFields(operation.fields);
  const isOrdered = custom.order && !isOneResponse;
  const merged: unknown = isOrdered
    ? entity.mergeWithStore(existingMeta, incomingMeta, below, above)
    : entity.merge(below, above);
  operation.isOlder = isOrdered && (merged === below || olderRecords.has(above));
  if (!isObject(merged)) {
    throw new SchemaError(
      'callback-failed',
      isDevelopment ? `${name}.merge must return the merged record as an object.` : `${name}.merge`,
    );
  }
  return merged === below ? reuseFields(existing, merged) : merged;
}

export const isFields: (value: Stored) => value is Fields = isObject;

/** The patches from index `from` are above the page. The page must not add their members too. */
export function pageBelow(
  patch: Patch,
  stack: readonly Patch[],
  from: number,
  before?: number,
): Patch {
  const { operation } = patch;
  if (operation.type !== 'page') {
    return patch;
  }
  const above = new Set<unknown>(
    stack.slice(from).map(({ operation: other }) => 'member' in other && other.member),
  );
  const meanwhile = (): Meanwhile => operation.meanwhile(above, before);
  return { ...patch, operation: { ...operation, meanwhile } };
}
