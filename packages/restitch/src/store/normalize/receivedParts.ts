declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** A record as the server sent it, before fields of the request were added. */
export interface Received {
  readonly record: unknown;
  /** True if the arguments of the call name the record. */
  readonly isNamed: boolean;
}

/** Filled only in development, for error messages. */
const parts = new WeakMap<object, Received>();

export function noteReceived(merged: object, record: unknown, isNamed: boolean): void {
  parts.set(merged, receivedOf(record) ?? { record, isNamed });
}

export function receivedOf(record: unknown): Received | undefined {
  // In production, the body is empty, so that bundlers remove the function and its calls.
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    return parts.get(Object(record));
  }
  return;
}
