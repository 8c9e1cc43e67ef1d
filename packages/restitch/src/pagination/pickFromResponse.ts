import { isObject, own } from '../store/cells/plainValues.js';
import type { PageResponse } from './createPagination.js';

/**
 * A path in the result of a call, such as `'meta.next'`, or a function of the result and the
 * response.
 */
export type Picked<V> =
  | string
  // The type is `any`, so that users can annotate the parameter with the type of the result.
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  | ((body: any, response: Response | undefined) => V);

const responses = new WeakMap<object, Response>();

export function noteResponse(result: unknown, response: Response | undefined): void {
  if (response && typeof result === 'object' && result !== null) {
    responses.set(result, response);
  }
}

export function responseOf(result: unknown): Response | undefined {
  return typeof result === 'object' && result !== null ? responses.get(result) : undefined;
}

export function pick(
  picked: Picked<unknown> | undefined,
  { body, response }: PageResponse,
): unknown {
  if (typeof picked === 'function') {
    return picked(body, response);
  }
  let value: unknown = picked === undefined ? undefined : body;
  for (const field of picked?.split('.') ?? []) {
    value = isObject(value) ? own(value, field) : undefined;
  }
  return value;
}

export function pickNumber(
  picked: Picked<number | undefined> | undefined,
  response: PageResponse,
): number | undefined {
  const value = pick(picked, response);
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}
