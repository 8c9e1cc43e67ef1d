import { isDevelopment } from '../errors/development.js';
import { NetworkError } from '../errors/NetworkError.js';
import type { Validator } from './validate.js';

/** The type of the values that a validator accepts. */
export type InputOf<V extends Validator> = NonNullable<V['~standard']['types']>['input'];

/** Returns true for a `NetworkError`: the server sent an unsuccessful or unusable response. */
export function isNetworkError(error: unknown): error is NetworkError;
/**
 * Returns true for a `NetworkError` whose `body` passes a validator. The validator determines the
 * type of the body.
 *
 * @remarks The validator only checks: `error.body` keeps the value from the server.
 * @param validator A `Validator`, such as a schema of zod.
 * @throws TypeError when the validator is async.
 *
 * @example
 * ```ts
 * import { isNetworkError } from 'restitch';
 * import { z } from 'zod';
 *
 * const Problem = z.object({ errors: z.record(z.string(), z.string()) });
 *
 * const fieldErrors = (error: unknown) => (isNetworkError(error, Problem) ? error.body.errors : {});
 * ```
 */
export function isNetworkError<V extends Validator>(
  error: unknown,
  validator: V,
): error is NetworkError<InputOf<V>> & { readonly body: InputOf<V> };
export function isNetworkError(error: unknown, validator?: Validator): boolean {
  if (!(error instanceof NetworkError)) return false;
  const result = validator?.['~standard'].validate(error.body);
  if (result && 'then' in result) {
    throw new TypeError(
      isDevelopment ? 'isNetworkError(): `validator` must not be async.' : 'isNetworkError',
    );
  }
  return !result?.issues;
}
