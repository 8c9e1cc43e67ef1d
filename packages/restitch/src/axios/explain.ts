import { noteOrigin } from '../endpoint/transport.js';

/** What is looked at of an error: of the instance's own, or of what an interceptor put in its place. */
interface Failure {
  readonly isAxiosError?: unknown;
  readonly code?: unknown;
  readonly request?: unknown;
  readonly response?: { readonly status?: unknown } | undefined;
  readonly status?: unknown;
  readonly cause?: unknown;
  readonly __CANCEL__?: unknown;
}

/** Causes looked at. */
const DEPTH = 5;

/**
 * Makes an error of an instance understood by `errorPolicy`, `retry` and boundaries. It stays the same object, with two members more
 * that are not enumerated: `status` where only its response or cause has one, and the name `AbortError` where it was cancelled.
 */
export function explain(error: unknown): unknown {
  if (Object(error) !== error) return error;
  // The cast: it is an object.
  const failure = error as object & Failure;
  const causes = causesOf(failure);
  const isCancelled = causes.some(({ __CANCEL__: isCancel }) => isCancel === true);
  if (isCancelled) define(failure, 'name', 'AbortError');
  const status = causes.map(statusOf).find((found) => found !== undefined);
  if (status !== undefined && failure.status == null) define(failure, 'status', status);
  // Sent, and nothing came back.
  const isUnanswered = causes.some(
    ({ isAxiosError, request, code }) => isAxiosError === true && (request ?? code) !== undefined,
  );
  noteOrigin(failure, isUnanswered && status === undefined && !isCancelled);
  return error;
}

function causesOf(error: Failure): readonly Failure[] {
  const causes: Failure[] = [];
  for (let cause: unknown = error; Object(cause) === cause && causes.length < DEPTH;) {
    // The cast: it is an object.
    const next = cause as Failure;
    causes.push(next);
    cause = next.cause;
  }
  return causes;
}

function statusOf({ status, response }: Failure): number | undefined {
  return [status, response?.status].find((found) => typeof found === 'number');
}

/** Fails silently where the object is frozen. */
function define(target: object, name: string, value: unknown): void {
  const enumerable = Object.prototype.propertyIsEnumerable.call(target, name);
  Reflect.defineProperty(target, name, { value, writable: true, configurable: true, enumerable });
}
