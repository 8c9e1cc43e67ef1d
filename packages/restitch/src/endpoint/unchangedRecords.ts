import type { Identified } from '../schema/identityText.js';
import { isObject, own } from '../schema/same.js';
import { type Requested, signalOf } from './valuesPerStore.js';

type Keeps = NonNullable<ReturnType<NonNullable<Identified['$keeps']>>>;

export type Rows = ReadonlyMap<
  string,
  { readonly cells: ReadonlyMap<string, { readonly current: unknown }> }
>;

interface Unchanged {
  readonly rows: Rows;
  /** The records of the list that the server did not send again. */
  readonly records: ReadonlySet<object>;
  /** Other parts of the earlier response. */
  readonly others: readonly unknown[];
  /** The field with the time or the version. */
  readonly from: string;
}

/** By the signal of the request. */
const keepers = new WeakMap<AbortSignal, Keeps>();

export const KEEPS = {
  $keeps: (signal: AbortSignal): Keeps | undefined => keepers.get(signal),
};

/**
 * The copies in an earlier response can be older than the stored rows: in `records` those of
 * nested records, in `others` all. Such a copy only adds a missing row.
 */
export function noteUnchanged(
  request: Requested,
  { rows, records, others, from }: Unchanged,
): void {
  const signal = signalOf(request);
  const old = new Set<unknown>();
  const add = (parts: unknown[]): void => {
    // No recursion: a deep value would overflow the call stack.
    for (let part; (part = parts.pop());) {
      if (isObject(part) && !old.has(part)) {
        old.add(part);
        parts.push(...Object.values(part));
      }
    }
  };
  add([...others]);
  const keeps: Keeps = ({ table, related }, pk, fields, record) => {
    // A record without relations is stored again, which extends its lifetime.
    if (!old.has(record) && !(related.length > 0 && records.has(record))) {
      return false;
    }
    const current = rows.get(table)?.cells.get(pk)?.current;
    // `process` can rename the field.
    const name = Object.hasOwn(fields, from)
      ? from
      : Object.keys(fields).find((field) => own(fields, field) === own(record, from));
    // A later request may have stored an older version of the row.
    const isCurrent =
      isObject(current) && !(name !== undefined && isLater(own(fields, name), own(current, name)));
    if (!isCurrent) {
      add(related.map(([part]) => own(fields, part)));
    }
    return isCurrent;
  };
  if (signal) {
    keepers.set(signal, keeps);
  }
}

// The casts: JavaScript compares numbers, texts and dates alike.
export const isLater = (a: unknown, b: unknown): boolean => (a as number) > (b as number);
