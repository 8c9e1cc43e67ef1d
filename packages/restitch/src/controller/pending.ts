import { failedAttemptsOf } from '../errors/failedAttempts.js';
import { type Entity, identityOf } from '../schema/Entity.js';
import { fieldsOf } from '../schema/formFields.js';
import { entityShape } from '../schema/shape.js';
import type { EntityShape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import { equal, own } from '../store/cells/plainValues.js';
import { isFields } from '../store/journal/applyPatch.js';
import { markTouched } from '../store/journal/commit.js';
import { currentConfirmed } from '../store/journal/fold.js';
import type { Operation } from '../store/journal/operations.js';
import { patchesOf } from '../store/journal/patches.js';
import { isPending } from '../store/journal/responseOrder.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { keyFieldOf } from '../schema/keyFields.js';
import type { Controller } from './Controller.js';
import type { Core } from './Core.js';
import type { Flight } from './Flight.js';
import { creationOf, temporaryIn } from './temporaryKeys.js';
import { internalsOf } from './internals.js';
import { keyOf } from './keyOf.js';

/** A mutation in flight whose optimistic update changes one record. Plain data. */
export interface Pending {
  /** Distinguishes the mutations of one controller, for example as a React `key`. */
  readonly id: string;
  /** The `name` of the endpoint. */
  readonly endpoint: string;
  /** `'list'`: the record itself does not change, but a list adds, removes or moves it. */
  readonly kind: 'create' | 'change' | 'delete' | 'list';
  /**
   * `'queued'`: not sent yet, because of a queue, an undo delay or a pending create.
   * `'retrying'`: an attempt failed, and the endpoint's `retry` option repeats the request.
   */
  readonly state: 'queued' | 'sending' | 'retrying';
  /** Fields that the optimistic update sets, except the primary key and parameters of the call. */
  readonly fields: readonly string[];
  /** The time at which the request began, in milliseconds since 1970. */
  readonly since: number;
  /** The number of failed attempts so far. */
  readonly attempts: number;
  /** The error of the last failed attempt. */
  readonly error?: Error;
}

export const NONE_PENDING: readonly Pending[] = Object.freeze([]);

/**
 * Returns the mutations in flight whose optimistic updates change a record, in the order of their
 * requests. The array stays the same while nothing changes.
 *
 * @remarks Mutations without an optimistic update are left out: they change no record before the
 * server responds. In a component, use `usePending` of `restitch/react`.
 * @example
 * ```ts
 * import { type Controller, type Entity, pendingOf } from 'restitch';
 *
 * export function isSaved(controller: Controller, record: Entity): boolean {
 *   return pendingOf(controller, record).length === 0;
 * }
 * ```
 */
export function pendingOf(controller: Controller, record: Entity): readonly Pending[] {
  const core = internalsOf(controller);
  const { shape, pk } = rowOfRecord(record);
  markTouched(core.store);
  const cell = core.store.rows.get(shape.table)?.cells.get(pk);
  return cell ? pendingIn(core, cell) : NONE_PENDING;
}

export function rowOfRecord(record: Entity): { readonly shape: EntityShape; readonly pk: string } {
  // A created record with a date as its key has no key in its fields.
  return { shape: entityShape(identityOf(record).entity), pk: keyOf(record) };
}

/** The last returned array of each cell: an equal array must stay the same object. */
const lists = new WeakMap<Cell, readonly Pending[]>();

export function pendingIn(core: Core, cell: Cell): readonly Pending[] {
  if (!cell.stack) {
    return NONE_PENDING;
  }
  const operations = new Map<Transaction, Operation[]>();
  for (const { transaction, operation } of patchesOf(cell)) {
    const own = operations.get(transaction);
    if (own) {
      own.push(operation);
    } else if (isPending(transaction)) {
      operations.set(transaction, [operation]);
    }
  }
  const next: Pending[] = [];
  for (const flight of operations.size > 0 ? core.mutations : []) {
    const { transaction } = flight;
    const changes = transaction && operations.get(transaction);
    if (changes) {
      const isNew = isCreate(core, cell, changes, next.length);
      next.push(describe(core, flight, transaction, changes, isNew));
    }
  }
  const before = lists.get(cell) ?? NONE_PENDING;
  const list = next.length === 0 ? NONE_PENDING : equal(before, next) ? before : next;
  lists.set(cell, list);
  return list;
}

function isCreate(
  { store }: Core,
  cell: Cell,
  operations: readonly Operation[],
  position: number,
): boolean {
  return (
    position === 0 &&
    operations.some((operation) => operation.type === 'merge' && !operation.needsRow) &&
    !isFields(currentConfirmed(store, cell))
  );
}

function describe(
  core: Core,
  flight: Flight,
  { start, meta }: Transaction,
  operations: readonly Operation[],
  isNew: boolean,
): Pending {
  const fields = new Set<string>();
  let isDelete = false;
  for (const operation of operations) {
    isDelete ||= operation.type === 'delete';
    if (operation.type === 'merge') {
      Object.keys(operation.fields)
        .filter((field) => !isParameter(flight, field))
        .forEach((field) => fields.add(field));
      fields.delete(keyFieldOf(operation.shape) ?? '');
    }
  }
  const kind = isDelete ? 'delete' : isNew ? 'create' : fields.size > 0 ? 'change' : 'list';
  const failed = failedAttemptsOf(flight.abort.signal);
  // A request that waits for a key gets a new `start` when it is sent. The `id` must not change.
  const id = flight.id ?? (flight.pendingId ??= String(start));
  return Object.freeze({
    id,
    endpoint: flight.endpoint.name,
    kind,
    state: isQueued(core, flight) ? 'queued' : failed ? 'retrying' : 'sending',
    fields: [...fields],
    since: meta.fetchedAt,
    attempts: failed?.count ?? 0,
    ...(failed && { error: failed.error }),
  });
}

/** The user did not change a field that is only a parameter of the call. */
function isParameter({ args }: Flight, field: string): boolean {
  const [params] = args;
  return (
    args.length > 1 &&
    own(Object(params), field) !== undefined &&
    !Object.hasOwn(Object(fieldsOf(args.at(-1))), field)
  );
}

function isQueued(core: Core, { waitsFor, args, store }: Flight): boolean {
  const temporary = temporaryIn(store, args);
  const isUnnamed = temporary !== undefined && creationOf(core, temporary) !== undefined;
  return waitsFor !== undefined || isUnnamed;
}
