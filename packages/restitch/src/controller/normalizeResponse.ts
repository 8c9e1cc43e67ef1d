import { fieldsOf } from '../schema/formFields.js';
import { allArgs } from '../schema/identityText.js';
import { isParsed } from '../schema/parsedJson.js';
import { pkText } from '../schema/referenceText.js';
import { fieldsWhere, isPlain, own } from '../schema/same.js';
import { changedShape, isRecordShape, onlyShape, shapeOf } from '../schema/shape.js';
import type { EntityShape, Shape } from '../schema/shapes.js';
import type { Cell, Stored } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import { rowTable } from '../store/cells/tables.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { currentConfirmed, currentWithout } from '../store/journal/fold.js';
import { normalize } from '../store/normalize/normalize.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { noteReceived } from '../store/normalize/receivedParts.js';
import { keyFieldOf, readFieldsOf } from '../schema/keyFields.js';
import { classOf, sentFields } from '../store/normalize/withSentFields.js';
import { entityPk, findCell, isPresent, queryKey } from '../store/views/queries.js';
import { namedArgs } from './namedArgs.js';
import type { ReceiveAction } from './actions.js';
import type { Flight } from './Flight.js';
import { refuseEmpty, rowOrResponse } from './storeResponse.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

interface Received {
  readonly normalized: NormalizedResponse | undefined;
  /**
   * Undefined if the new fields are unknown, as after an empty response to `POST /orders/1/ship`.
   */
  readonly known: NormalizedResponse | undefined;
  /** True: an empty response confirms the whole optimistic update. False: only the sent fields. */
  readonly isOptimistic: boolean;
  /** The body of an update of the record, or undefined. */
  readonly sent: unknown;
}

/** Includes the sent fields that the response confirms. Does not change the store. */
export function normalizeResponse(
  { args, response }: ReceiveAction,
  { endpoint, store, result, abort }: Flight,
  transaction: Transaction,
): Received {
  const { cells, layer } = transaction;
  const shape = shapeOf(endpoint.schema);
  const full = allArgs(endpoint, args);
  const sent = endpoint.$sent?.(full);
  const predict: unknown = Reflect.get(endpoint, 'getOptimisticResponse');
  const isOfBody = sent !== undefined && Reflect.has(Object(predict), '$isOfBody');
  // An update may follow later: the optimistic function runs again if data in `copies` changes.
  const isOptimistic = !isOfBody && Boolean(cells ?? (sent === undefined && layer?.copies.size));
  const isUnknown = !result && sent === undefined && response == null && !isOptimistic;
  // If the new fields of a moved record are unknown, its new lists are unknown, too. Then the
  // lists stay, and `receiveResponse.ts` makes readers fetch them again.
  const written = isUnknown ? changedShape(onlyShape(shape)) : shape;
  const values = new Set<unknown>();
  const input =
    sent === undefined && !isUnknown
      ? response
      : withSentUpdate(
          store,
          sent,
          namedArgs(store, endpoint, args),
          written,
          response,
          isOptimistic,
          values,
        );
  const value = rowOrResponse(store, endpoint, shape, args, input) ?? undefined;
  if (result) {
    refuseEmpty(endpoint, response);
  }
  const isReceived = input === response && shape.kind !== 'invalidate';
  const stored = (row: EntityShape, pk: string): Stored => {
    const cell = findCell(store, row, pk);
    return (
      cell &&
      (isReceived ? currentConfirmed(store, cell) : currentWithout(store, cell, transaction))
    );
  };
  const isOnePerBody = endpoint.$isOnePerBody;
  const keeps = endpoint.$keeps?.(abort.signal);
  const options = {
    source: endpoint.name,
    args: full,
    isOnePerBody,
    copy: !isParsed(value),
    keeps,
    isSent: response == null,
    isReceived,
    stored,
    sent: values,
    sharing: (row: EntityShape) => rowTable(store, row).shapes,
  };
  const normalized = value === undefined ? undefined : normalize(written, value, options);
  if (normalized) {
    // The fields of an empty response come from the request, and apply only to a stored row.
    normalized.needsRows ||= response == null && input !== response;
  }
  const isKeyOnly = sent === undefined && input !== response;
  return { normalized, known: isKeyOnly ? undefined : normalized, isOptimistic, sent };
}

/**
 * Adds the sent fields to the response to a PUT or PATCH. Fields of the response win.
 *
 * - An empty response becomes a record with the sent fields and the primary key.
 * - If nothing was sent, the record contains only the primary key.
 * - If `isOptimistic` is true, an empty response stays empty, and confirms the optimistic update.
 */
function withSentUpdate(
  store: Store,
  sent: unknown,
  args: readonly unknown[],
  shape: Shape,
  response: unknown,
  isOptimistic: boolean,
  values: Set<unknown>,
): unknown {
  if (shape.kind === 'object') {
    const [[field, part] = [], ...others] = shape.fields;
    return others.length === 0 && part && field !== undefined && isPlain(response)
      ? {
          ...response,
          [field]: withSentUpdate(store, sent, args, part, response[field], true, values),
        }
      : response;
  }
  const member = changedShape(shape);
  if (!isRecordShape(member)) {
    return response;
  }
  const stored = findCell(store, member, queryKey(member, args))?.current;
  // In a union, the stored record helps to select the class. Only the fields that select the class
  // (`telling`) are used: other stored fields can be outdated.
  const { entity, telling } = classOf(member, stored, fieldsOf(sent), response);
  if (!entity) {
    return response;
  }
  const pk = entityPk(entity, args);
  const cell = findCell(store, entity, pk);
  const before = (): unknown => cell && currentConfirmed(store, cell);
  const fields = { ...telling, ...sentFields(entity, sent, before) };
  Object.values(fields).forEach((value) => values.add(value));
  if (isPlain(response)) {
    const merged = { ...fields, ...response };
    const found = entityPk(entity, [merged]) ?? pk;
    // The arguments can name a part of the key. Otherwise, the response contains another record than
    // the arguments, so the sent fields are not its own.
    const isPart = (): boolean =>
      [...readFieldsOf(entity.entity)].some((name) => pkText(own(response, name)) === pk);
    if (pk !== undefined && found !== pk && found !== entityPk(entity, [fields]) && !isPart()) {
      return response;
    }
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
      noteReceived(merged, response, true);
    }
    return merged;
  }
  // For a move, or an action such as `POST /orders/:id/ship`, the store must already contain the
  // record. An update needs no stored record: a read in flight may still deliver the record.
  const isKnown = isPresent(cell) || (member === shape && sent !== undefined);
  if (response != null || isOptimistic || !isKnown || pk === undefined) {
    return response;
  }
  const named = keyFields(entity, pk, cell);
  // The body may contain another key. The first candidate with the key of the arguments is used.
  const candidates = [
    { ...named, ...fields },
    { ...fields, ...named },
  ];
  return candidates.find((record) => entityPk(entity, [record]) === pk) ?? response;
}

/** Returns the stored values of the fields that `pk` reads, or else the key. */
function keyFields(entity: EntityShape, pk: string, cell: Cell | undefined): object {
  const field = keyFieldOf(entity);
  const parts = readFieldsOf(entity.entity);
  return {
    ...(field !== undefined && { [field]: pk }),
    ...fieldsWhere(Object(cell?.current), (name) => parts.has(name)),
  };
}
