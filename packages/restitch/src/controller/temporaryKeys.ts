import { isDevelopment } from '../errors/development.js';
import { refuseAborted, untilAborted } from '../errors/aborts.js';
import { RestitchError } from '../errors/RestitchError.js';
import { Entity } from '../schema/Entity.js';
import { entriesOfForm, formOf } from '../schema/formFields.js';
import { isTemporaryKey } from '../store/cells/keys.js';
import { isPlain } from '../schema/same.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { type Flight, outcomeOfMutation } from './Flight.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Temporary keys in the arguments of requests. A request about a row waits until the server has
 * returned the real key of the row:
 * ```
 *   create   ├──────────────┤               the response contains the real key
 *   rename        ├ ─ ─ ─ ─ ├─────────┤     dashed: waits, but readers see the new name
 * ```
 */

export interface FailedCreate {
  readonly name: string;
  readonly error: Error & { readonly status?: number };
}

const DEPTH_LIMIT = 100;
const MOST_FAILED = 100;

/** Returns the first temporary key whose real key is not known, even if another store made it. */
export function temporaryIn({ named }: Store, value: unknown): string | undefined {
  let found: string | undefined;
  mapTexts(value, 0, (text) => {
    if (!named.has(text) && isTemporaryKey(text)) {
      found ??= text;
    }
    return text;
  });
  return found;
}

/** Called before the rows of a failed request are removed. */
export function noteFailedCreates(
  { failedCreates }: Core,
  { endpoint: { name }, transaction }: Flight,
  error: Error,
): void {
  // The oldest entries are removed first: requests may wait for each row of this create.
  for (const pk of failedCreates.keys()) {
    if (failedCreates.size > MOST_FAILED) {
      failedCreates.delete(pk);
    }
  }
  for (const { pk } of transaction?.temporary ?? []) {
    failedCreates.set(pk, { name, error });
  }
}

export function creationOf(core: Core, key: string): Promise<unknown> | undefined {
  return outcomeOfMutation(core, ({ temporary }) => temporary.some(({ pk }) => pk === key));
}

/** Calls that join the request while it waits can add further keys. */
export async function untilNamed(core: Core, flight: Flight): Promise<void> {
  const { endpoint, store, abort } = flight;
  const { signal } = abort;
  for (let temporary; (temporary = temporaryIn(store, flight.args));) {
    const creation = creationOf(core, temporary);
    if (creation) {
      // The error below reports the failure.
      const settled = creation.catch(() => {});
      await Promise.race([settled, untilAborted(signal)]);
    }
    refuseAborted(signal);
    if (!store.named.has(temporary)) {
      const create = core.failedCreates.get(temporary);
      throw new RestitchError(
        'never-created',
        isDevelopment
          ? `${endpoint.name}: the server has no record '${temporary}'. ${reasonOf(create, /:/.test(temporary) || temporary.includes(`-${store.seed}`))}`
          : `${endpoint.name}: ${temporary}`,
        { cause: create?.error },
      );
    }
  }
}

function reasonOf(create: FailedCreate | undefined, isOwn: boolean): string | undefined {
  // In production, the body is empty, so that bundlers remove the function and its calls.
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    const { status = '', message } = create?.error ?? { message: '' };
    const outcome = message.includes(`${status}`) ? message : `${status} ${message}`;
    const end = create?.error.name === 'AbortError' ? 'was aborted' : 'failed';
    return create
      ? `Its create ${end}, ${create.name}: ${outcome}`
      : isOwn
        ? 'The server gave it no key.'
        : 'It was created before a reset or a reload, or by another controller.';
  }
  return;
}

/**
 * The arguments of a read can contain the temporary key of a record that has its real key by now.
 * The error of a mutation stays under the arguments of its call.
 */
export function readArgs(
  { named }: Store,
  { sideEffect }: { readonly sideEffect?: boolean | undefined },
  args: readonly unknown[],
): readonly unknown[] {
  return sideEffect || named.size === 0 ? args : withRealKeys(args, named);
}

export function withRealKeys(
  args: readonly unknown[],
  real: ReadonlyMap<string, unknown>,
): readonly unknown[] {
  return mapTexts(args, 0, (text) => real.get(text) ?? text) as readonly unknown[];
}

/** Replaces strings, numbers and names of fields. Unchanged parts stay the same objects. */
function mapTexts(value: unknown, depth: number, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    const next = replace(text);
    return next === text ? value : next;
  }
  const form = entriesOfForm(value);
  const isList = Array.isArray(value);
  const isOpen = form || isList || isPlain(value) || value instanceof Entity;
  if (depth > DEPTH_LIMIT || !isOpen) {
    return value;
  }
  const open = (isList ? [...value] : value) as object;
  const entries: readonly (readonly [string, unknown])[] = form ?? Object.entries(open);
  let isOther = false;
  const mapped = entries.map(([name, item]): [string, unknown] => {
    // A key can also be the name of a field, as in `{ positions: { [card.id]: 3 } }`.
    const field = isList ? name : String(replace(name));
    const next = mapTexts(item, depth + 1, replace);
    isOther ||= next !== item || field !== name;
    return [field, next];
  });
  if (!isOther) {
    return value;
  }
  if (isList) {
    return mapped.map((entry) => entry[1]);
  }
  return form ? formOf(open, mapped) : Object.fromEntries(mapped);
}
