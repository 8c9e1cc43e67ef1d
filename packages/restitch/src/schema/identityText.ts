/**
 * Texts that identify objects: entity classes without a `static key`, and endpoints without a path
 * or name. Such a text is valid only in this process, so state that contains it cannot be
 * serialized.
 */

/** A noncharacter: user data and server data do not contain it, and JSON does not escape it. */
const MARK = '\uFFFF';

const texts = new WeakMap<object, string>();

// A counter, because names are not unique: minifiers name most classes `a`.
let count = 0;

/** Returns the text that identifies an object. It is the same for each call. */
export function ownText(thing: object): string {
  let text = texts.get(thing);
  if (text === undefined) {
    count += 1;
    text = `${MARK}${count}`;
    texts.set(thing, text);
  }
  return text;
}

/** Returns true if a text identifies an object of this process, or contains such a text. */
export function isOwnText(text: string): boolean {
  return text.includes(MARK);
}

/** Returns a readable text: `#3` replaces the text of the third object. */
export function readableText(text: string): string {
  return text.replaceAll(MARK, '#');
}

/** Like `readableText`, with the name of the object before the number. */
export function namedText(text: string, nameOf: (own: string) => string): string {
  return readableText(text.replaceAll(/\uFFFF\d+/g, (own) => nameOf(own) + own));
}

/** The origin of a built-in endpoint. */
export interface Made {
  /** The options as the base constructor received them, including options that are not members. */
  readonly options: Readonly<Record<string | symbol, unknown>>;
  /** The function of an `Endpoint`. */
  readonly source: ((...args: any[]) => unknown) | undefined;
  /**
   * The identity of an endpoint without a path. `extend` passes it on, unless the new options can
   * change the request.
   */
  readonly family: object;
  /**
   * The object that has the `#private` members of the endpoint: the endpoint itself, or its shield
   * if it has one.
   */
  self: object;
}

/**
 * The members of built-in endpoints that describe their identity. Only their cache keys distinguish
 * custom endpoints.
 */
export interface Identified {
  /** The origin of a built-in endpoint. */
  readonly '~made'?: Made;
  /**
   * True if the results of the endpoint are the errors of a mutation. Errors and responses are
   * separate results.
   */
  readonly '~isErrors'?: boolean;
  /**
   * Returns true if another endpoint sends the same kind of request to the same server, for any
   * arguments. An endpoint without a scope includes those with one.
   */
  readonly '~isKin'?: (other: object) => boolean;
  /**
   * Returns true if the cache key of a call contains only the path with the call's own parameters.
   */
  readonly '~asksByPath'?: (key: string, args: readonly unknown[]) => boolean;
  /** The arguments fixed by `bind`, which precede those of a call. */
  readonly '~bound'?: readonly unknown[];
  /** Returns the body that a call of an update sends. */
  readonly '~sent'?: (args: readonly unknown[]) => unknown;
  /** Sends a call of a controller at the time that a queue determines. */
  readonly '~call'?: (controller: object, args: readonly unknown[]) => Promise<unknown>;
  /**
   * Returns how long the response to a request is fresh, in milliseconds. The signal identifies the
   * request.
   */
  readonly '~lifetime'?: (signal: AbortSignal | undefined) => number | undefined;
  /** Called after the response to a request is stored. The signal identifies the request. */
  readonly '~stored'?: (signal: AbortSignal) => void;
  /** Returns the primary key of the row that a delete removes. */
  readonly '~row'?: (params: unknown) => unknown;
}

/**
 * Returns the name of an endpoint without a path: its `name` option, otherwise a text that
 * identifies its family.
 */
export function ownName({ options, family }: Made): string {
  const name = options['name'];
  return typeof name === 'string' ? name : ownText(family);
}

/** Returns all arguments of a call, including bound ones. */
export function allArgs(endpoint: Identified, args: readonly unknown[]): readonly unknown[] {
  const bound = endpoint['~bound'];
  return bound ? [...bound, ...args] : args;
}
