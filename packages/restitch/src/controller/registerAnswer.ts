import { isDevelopment } from '../errors/development.js';
import { SchemaError } from '../errors/SchemaError.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { allArgs } from '../schema/identity.js';
import { shapeOf } from '../schema/shape.js';
import { usedShape } from '../schema/usedShape.js';
import { commit } from '../store/journal/commit.js';
import { outOfOrderSince } from '../store/journal/outOfOrder.js';
import { confirmLocal } from '../store/journal/transactions.js';
import { normalize } from '../store/normalize/normalize.js';
import type { NormalizedResponse } from '../store/normalize/Normalized.js';
import { leftOutBy, NO_FIELDS } from '../store/views/missingFields.js';
import { givenValue } from '../store/views/queries.js';
import {
  expireResult,
  type Lifetime,
  registerError,
  registerValue,
} from '../store/cells/results.js';
import { copyValue } from '../store/cells/plainValues.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { SetErrorAction, SetResponseAction } from './actions.js';
import { errorsOf, registerOf } from './registers.js';

/** Stores the result of a response. `empty` is the value of an empty response. */
export function registerAnswer(
  store: Store,
  result: Result,
  { start }: Transaction,
  lifetime: Lifetime,
  answer: NormalizedResponse | undefined,
  empty?: unknown,
): void {
  const isDeletion = answer?.rows.some(({ fields }) => !fields);
  registerValue(store, result, start, answer ? answer.root : empty, lifetime, {
    leftOut: answer ? leftOutBy(store, result.shape, answer) : NO_FIELDS,
    isFinal: lifetime.isRepeat === true || isDeletion === true,
    isUnread: true,
  });
  const doubt = answer ? outOfOrderSince(store, answer, start) : 0;
  // The result may hold a later response, which the out-of-order mutations do not affect.
  if (doubt > result.start) {
    expireResult(store, result, doubt);
  }
}

/** Throws for an empty response of a read with a schema. Its type does not include null. */
export function refuseEmpty(
  { name, schema, nullable }: EndpointInterface,
  response: unknown,
): void {
  const { kind } = shapeOf(schema);
  if ((response ?? null) === null && !nullable && kind !== 'leaf' && kind !== 'invalidate') {
    throw new SchemaError(
      'unexpected-empty',
      isDevelopment
        ? `${name}: the response is empty. Set \`nullable: true\` on the endpoint if that means that there is nothing, or give a value in \`process\`.`
        : name,
    );
  }
}

/** Stores a response as if the endpoint had just returned it. */
export function setResponse(
  store: Store,
  { endpoint, args, key, response }: SetResponseAction,
  lifetime: Lifetime,
): void {
  if (!endpoint.sideEffect) {
    refuseEmpty(endpoint, response);
  }
  const options = givenValue(store, endpoint.name, allArgs(endpoint, args));
  const shape = usedShape(endpoint.schema);
  // `normalize` copies the value of every other schema.
  const own = shape.kind === 'leaf' ? copyValue(response) : response;
  const answer = normalize(shape, own, options);
  commit(store, () => {
    const transaction = confirmLocal(store, answer, lifetime);
    registerAnswer(store, registerOf(store, endpoint, args, key), transaction, lifetime, answer);
  });
}

/** Stores an error as if the endpoint had just failed. */
export function setError(
  store: Store,
  { endpoint, args, key, error }: SetErrorAction,
  lifetime: Lifetime,
): void {
  commit(store, () => {
    store.tick += 1;
    const result = registerOf(store, errorsOf(endpoint), args, key);
    registerError(store, result, store.tick, error, lifetime);
  });
}
