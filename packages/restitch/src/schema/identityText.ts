/**
 * Texts that identify objects of this process, such as entity classes without a `static key`. State
 * that contains such a text cannot be serialized.
 */

/** Neither user data nor server data contains this noncharacter. JSON does not escape it. */
const MARK = '\uFFFF';

const texts = new WeakMap<object, string>();

// A counter, because names are not unique: minifiers name most classes `a`.
let count = 0;

export function ownText(thing: object): string {
  let text = texts.get(thing);
  if (text === undefined) {
    count += 1;
    text = `${MARK}${count}`;
    texts.set(thing, text);
  }
  return text;
}

export function isOwnText(text: string): boolean {
  return text.includes(MARK);
}

/** Returns a text for error messages: `#3` stands for the third object. */
export function readableText(text: string): string {
  return text.replaceAll(MARK, '#');
}

/** Like `readableText`, with the name of the object before the number. */
export function namedText(text: string, nameOf: (own: string) => string): string {
  return readableText(text.replaceAll(/\uFFFF\d+/g, (own) => nameOf(own) + own));
}

export interface Made {
  /**
   * The options of the constructor. They can differ from the members: an undefined option does not
   * override a default.
   */
  readonly options: Readonly<Record<string | symbol, unknown>>;
  /** The function of an `Endpoint`. */
  readonly source: ((...args: any[]) => unknown) | undefined;
  /**
   * Shared by an endpoint without a path and the endpoints that `extend` made from it. New options
   * that can change the request start another family.
   */
  readonly family: object;
  /**
   * The object with the `#private` members of the endpoint: the endpoint itself, or its proxy (see
   * `shield.ts`).
   */
  self: object;
}

/**
 * The members of built-in endpoints that describe their identity. An endpoint that is not built in
 * has none of them, so only its cache keys identify it.
 */
export interface Identified {
  readonly $made?: Made;
  /**
   * True for an endpoint whose results are the errors of a mutation. Errors and responses are
   * separate results.
   */
  readonly $isErrors?: boolean;
  /**
   * Returns true if another endpoint has the same family, method, path and server. The scope must
   * also be the same, unless this endpoint has none.
   */
  readonly $isKin?: (other: object) => boolean;
  /**
   * Returns true if `key` contains only the path and the parameters of the path. False if it also
   * contains a query, for example.
   */
  readonly $asksByPath?: (key: string, args: readonly unknown[]) => boolean;
  /** The arguments fixed by `bind`. They precede the arguments of a call. */
  readonly $bound?: readonly unknown[];
  /** Returns the body that an update sends. */
  readonly $sent?: (args: readonly unknown[]) => unknown;
  /** Sends a call of a controller through the queue of the endpoint: see `queuedEndpoints.ts`. */
  readonly $call?: (controller: object, args: readonly unknown[]) => Promise<unknown>;
  /**
   * Returns the milliseconds for which the response to a request is fresh. The signal identifies
   * the request.
   */
  readonly $lifetime?: (signal: AbortSignal | undefined) => number | undefined;
  /** Called after the response is stored. The signal identifies the request. */
  readonly $stored?: (signal: AbortSignal) => void;
  /** True for endpoints such as `getUsers.push`: each body stands for one record. */
  readonly $isOnePerBody?: boolean;
  /** Returns the primary key of the row that a delete removes. */
  readonly $row?: (params: unknown) => unknown;
}

/** Returns the name of an endpoint without a path: its `name` option, or the text of its family. */
export function ownName({ options, family }: Made): string {
  const name = options['name'];
  return typeof name === 'string' ? name : ownText(family);
}

export function allArgs(endpoint: Identified, args: readonly unknown[]): readonly unknown[] {
  const bound = endpoint.$bound;
  return bound ? [...bound, ...args] : args;
}
