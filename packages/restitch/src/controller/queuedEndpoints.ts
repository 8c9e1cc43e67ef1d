import type { ArgsOf, EndpointInterface, ValueOf } from '../endpoint/EndpointInterface.js';
import { shapeOf } from '../schema/shape.js';
import { callQueued } from './callQueued.js';
import type { Controller } from './Controller.js';
import { internalsOf } from './internals.js';
import { endDelays } from './queueLanes.js';

export interface Queueing {
  /** Calls with one name are sent one after another. Undefined: the call waits for no other. */
  readonly by?: string | ((...args: unknown[]) => string) | undefined;
  /** True if waiting calls are merged into one request. */
  readonly joins?: boolean | undefined;
  readonly delay?: number | undefined;
}

export interface QueuedEndpoint extends EndpointInterface {
  readonly $queue: Queueing;
}

/** The promise of a call that can be canceled. */
export interface Undoable<T> extends Promise<T> {
  /**
   * Cancels the call if it is not sent yet, and returns true. The optimistic update is removed, and
   * the promise rejects with an `AbortError`. Returns false after the request was sent.
   */
  readonly cancel: () => boolean;
}

/** Marks an endpoint whose calls can be canceled. */
export interface UndoableMark {
  readonly '~undo': true;
}

/** The promise of a call, with `cancel` if the endpoint is `undoable`. */
export type CallOf<E extends EndpointInterface> = Promise<ValueOf<E>> &
  (E extends UndoableMark ? Pick<Undoable<unknown>, 'cancel'> : unknown);

/**
 * Returns an endpoint whose calls are sent one after another. After a failed call, the next one is
 * still sent. Optimistic updates show at once.
 *
 * @remarks Only calls with `controller.fetch` and `useMutation` are queued, not direct calls of the
 * endpoint.
 *
 * @param by The name of a call: a text, a function of the arguments, or `'record'` (the record in
 * the arguments). Calls with the same name wait for one another, even calls of different endpoints.
 * Default: `'record'`.
 *
 * @example
 * ```ts
 * import { Entity, resource, serial } from 'restitch';
 *
 * class Todo extends Entity {
 *   id = '';
 * }
 * const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true }).extend((base) => ({
 *   ...base,
 *   update: serial(base.update),
 *   delete: serial(base.delete),
 * }));
 * ```
 */
export function serial<E extends EndpointInterface>(
  endpoint: E,
  by: 'record' | (string & {}) | ((...args: ArgsOf<E>) => string) = 'record',
): E {
  return queued(endpoint, { by: by as Queueing['by'] });
}

/**
 * Returns an endpoint that merges waiting calls. While a request for a record is in flight, further
 * calls are merged into one waiting request. All merged calls receive the same response.
 *
 * @remarks At most one request for a record is in flight, and one waits. So the last edit always
 * arrives last.
 *
 * Merging combines the fields of plain objects, even nested ones. Arrays and other values are
 * replaced. The body of a `PUT` is the whole record, so only the last body is sent.
 *
 * Creates in a list are sent one after another without merging. The same applies to calls of
 * endpoints with different options, such as headers. Direct calls of the endpoint are not queued:
 * use `controller.fetch` or `useMutation`.
 */
export function coalesced<E extends EndpointInterface>(endpoint: E): E {
  return queued(endpoint, {
    by: 'record',
    joins: shapeOf(endpoint.schema).kind !== 'edit',
  });
}

/**
 * Returns an endpoint whose calls can be canceled for some time. The optimistic update shows at
 * once. The request is sent after that time, or when the page is closed.
 *
 * @remarks The promises of `controller.fetch` and `mutateAsync` have `cancel()`. When the page is
 * closed, JSON bodies of less than 20 000 characters are sent with `keepalive`. Call `undoable`
 * last: after `extend`, `serial` and `coalesced`.
 *
 * @param milliseconds The time in which a call can be canceled. Default: 5 000. With `Infinity`,
 * the time ends with `flushUndoable` or when the page is closed.
 *
 * @example
 * ```ts
 * import { Controller, Entity, resource, undoable } from 'restitch';
 *
 * class Mail extends Entity {
 *   id = '';
 * }
 * const Mails = resource({ path: '/mails/:id', schema: Mail, optimistic: true });
 * const remove = undoable(Mails.delete, 8_000);
 *
 * const deletion = new Controller().fetch(remove, { id: '1' });
 * deletion.cancel();
 * ```
 */
export function undoable<E extends EndpointInterface>(
  endpoint: E,
  milliseconds: number = 5_000,
): E & UndoableMark {
  return queued(endpoint, { delay: milliseconds }) as E & UndoableMark;
}

/**
 * Sends the calls of `undoable` endpoints that can still be canceled.
 *
 * @remarks Await the promise before a sign-out, which aborts requests. Without a `pagehide` event,
 * as in React Native, call the function when the application goes to the background.
 *
 * @returns A promise that resolves when these calls have settled, and never rejects.
 */
export function flushUndoable(controller: Controller): Promise<void> {
  return endDelays(internalsOf(controller));
}

function queued<E extends EndpointInterface>(endpoint: E, more: Queueing): E {
  const { $queue: given } = endpoint as Partial<QueuedEndpoint>;
  return endpoint.extend({ $queue: { ...given, ...more }, $call: callQueued }) as E;
}
