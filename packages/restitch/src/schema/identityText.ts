import { entryOf } from '../host/entryOf.js';
import type { EntityShape } from './shapes.js';

/**
 * Texts that identify objects of this process, such as entity classes without a `static key`. State
 * that contains such a text cannot be serialized.
 */

/** A character that no data contains and JSON does not escape: `isOwnText` also searches JSON. */
const MARK = '\uFFFF';

const texts = new WeakMap<object, string>();

// Texts contain a number instead of the class name, because minifiers name most classes `a`.
let count = 0;

export function ownText(thing: object): string {
  return entryOf(texts, thing, () => {
    count += 1;
    return `${MARK}${count}`;
  });
}

export function isOwnText(text: string): boolean {
  return text.includes(MARK);
}

/** Returns a text for error messages: `#3` stands for the third object. */
export function readableText(text: string): string {
  return text.replaceAll(MARK, '#');
}

export function namedText(text: string, nameOf: (own: string) => string): string {
  return readableText(text.replaceAll(/\uFFFF\d+/g, (own) => nameOf(own) + own));
}

export interface Made {
  /** The given options. A member can differ from its option: undefined keeps the default. */
  readonly options: Readonly<Record<string | symbol, unknown>>;
  readonly source: ((...args: any[]) => unknown) | undefined;
  /** Shared with extended endpoints. An extra option (see `isExtra`) starts another family. */
  readonly family: object;
  /** The endpoint from which `extend` made this one. */
  readonly from?: (Identified & { readonly schema?: unknown }) | undefined;
  /** The endpoint, or its proxy (see `shield.ts`) with the `#private` members of subclasses. */
  self: object;
}

/** Members of built-in endpoints. Other endpoints are identified only by their cache keys. */
export interface Identified {
  readonly $made?: Made;
  /** The family of a function endpoint without a custom `key`: no URL identifies the endpoint. */
  readonly $functions?: object | undefined;
  /** True for the internal endpoint under which the errors of a mutation are stored. */
  readonly $isErrors?: boolean;
  /** Compares family, method, path, server and, if this endpoint has a scope, the scope. */
  readonly $isKin?: (other: object) => boolean;
  /** Returns true if `key` contains only the path and its parameters, without a query. */
  readonly $asksByPath?: (key: string, args: readonly unknown[]) => boolean;
  /** The placeholders of the path. */
  readonly $names?: Iterable<string>;
  /** Set by `bind`: the arguments that precede those of a call. */
  readonly $bound?: readonly unknown[];
  /** Returns the body that an update sends. */
  readonly $sent?: (args: readonly unknown[]) => unknown;
  /** Sends a call of a controller through the queue of the endpoint: see `queuedEndpoints.ts`. */
  readonly $call?: (controller: object, args: readonly unknown[]) => Promise<unknown>;
  /** Returns the lifetime of a response in milliseconds. The signal identifies the request. */
  readonly $lifetime?: (signal: AbortSignal | undefined) => number | undefined;
  /** Called after the response to the request with this signal is stored. */
  readonly $stored?: (signal: AbortSignal) => void;
  /** Returns true for a record of a response whose stored row must stay as it is. */
  readonly $keeps?: (
    signal: AbortSignal,
  ) => ((shape: EntityShape, pk: string, fields: object, record: object) => boolean) | undefined;
  /** True for `getUsers.push`: without an array as body, an array in the response is an error. */
  readonly $isOnePerBody?: boolean;
  /** True for the requests of a poll. After any error, readers keep their data. */
  readonly $isPoll?: boolean;
  /** The same endpoint with fixed values in place of getters: see `fixedOptions.ts`. */
  readonly $fixed?: object;
  /** The original endpoint of a copy for `$fixed` or for a poll. Actions contain the original. */
  readonly $source?: object | undefined;
  /**
   * Returns the primary key of the row that a call of a resource names, or fields with this key.
   * Returns undefined if the arguments name no row, or if `member` is another class.
   */
  readonly $row?: (params: unknown, member?: object) => unknown;
}

/** For an endpoint without a path. */
export function ownName({ options, family }: Made): string {
  const name = options['name'];
  return typeof name === 'string' ? name : ownText(family);
}

export function allArgs(endpoint: Identified, args: readonly unknown[]): readonly unknown[] {
  const bound = endpoint.$bound;
  return bound ? [...bound, ...args] : args;
}
