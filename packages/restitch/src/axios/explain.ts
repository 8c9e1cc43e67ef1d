import { noteOrigin } from '../endpoint/connectionErrors.js';

interface Failure {
  readonly isAxiosError?: unknown;
  readonly code?: unknown;
  readonly request?: unknown;
  readonly response?: { readonly status?: unknown } | undefined;
  readonly status?: unknown;
  readonly cause?: unknown;
  readonly __CANCEL__?: unknown;
}

const DEPTH = 5;

/** Sets the members that `errorPolicy`, `retry` and boundaries read. */
export function explain(error: unknown): unknown {
  if (Object(error) !== error) return error;
  // The cast: the line above returns all other values.
  const failure = error as object & Failure;
  const causes = causesOf(failure);
  const isCancelled = causes.some(({ __CANCEL__: isCancel }) => isCancel === true);
  if (isCancelled) define(failure, 'name', 'AbortError');
  const status = causes.map(statusOf).find((found) => found !== undefined);
  if (status !== undefined && failure.status == null) define(failure, 'status', status);
  // An error of axios with a `request` or a `code`, but without a status, is a failed connection.
  const hasNoResponse = causes.some(
    ({ isAxiosError, request, code }) => isAxiosError === true && (request ?? code) !== undefined,
  );
  noteOrigin(failure, hasNoResponse && status === undefined && !isCancelled);
  return error;
}

function causesOf(error: Failure): readonly Failure[] {
  const causes: Failure[] = [];
  for (let cause: unknown = error; Object(cause) === cause && causes.length < DEPTH;) {
    // The cast: the loop condition allows only objects.
    const next = cause as Failure;
    causes.push(next);
    cause = next.cause;
  }
  return causes;
}

function statusOf({ status, response }: Failure): number | undefined {
  return [status, response?.status].find((found) => typeof found === 'number');
}

/** An enumerable member stays enumerable. A frozen object does not change. */
function define(target: object, name: string, value: unknown): void {
  const enumerable = Object.prototype.propertyIsEnumerable.call(target, name);
  Reflect.defineProperty(target, name, { value, writable: true, configurable: true, enumerable });
}
