/**
 * Texts for things that are identified by themselves: entity classes without a `static key`, endpoints without a path or a
 * name. Such a text is unique in this process and means nothing in another one, so state that holds one cannot leave.
 */

/** A code point that is no character: texts of users and servers do not hold it, and JSON leaves it as it is. */
const MARK = '\uFFFF';

const texts = new WeakMap<object, string>();

// A counter, since two things may have the same name: minifiers call most classes `a`.
let count = 0;

/** The text that stands for an object, the same one at each call. */
export function ownText(thing: object): string {
  let text = texts.get(thing);
  if (text === undefined) {
    count += 1;
    text = `${MARK}${count}`;
    texts.set(thing, text);
  }
  return text;
}

/** Whether a text stands for an object of this process, or holds such a text. */
export function isOwnText(text: string): boolean {
  return text.includes(MARK);
}

/** A text as people read it: `#3` in place of what stands for the third object, and its name before that if `nameOf` knows it. */
export function readableText(text: string, nameOf: (own: string) => string = () => ''): string {
  return text.replaceAll(OWN, (own) => nameOf(own) + own.replace(MARK, '#'));
}

const OWN = new RegExp(`${MARK}\\d+`, 'g');

/** What endpoints of this library say of their identity. Those of the user's own making are told apart by their keys alone. */
export interface Identified {
  /** Whether another endpoint with the same key makes the same of its response. */
  readonly '~readsAlike'?: (other: object) => boolean;
  /** Whether another endpoint asks the same server in the same way, whatever the arguments. */
  readonly '~isKin'?: (other: object) => boolean;
  /** Whether the key of a call is that of its path alone, filled in with the call's own parameters. */
  readonly '~asksByPath'?: (key: string, args: readonly unknown[]) => boolean;
  /** The arguments that `bind` gave, which come before those of a call. */
  readonly '~bound'?: readonly unknown[];
  /** Of an update: the body of a call. */
  readonly '~sent'?: (args: readonly unknown[]) => unknown;
  /** Of a delete: the primary key of the row that a call is about. */
  readonly '~row'?: (params: unknown) => unknown;
}

/** All arguments of a call. */
export function allArgs(endpoint: Identified, args: readonly unknown[]): readonly unknown[] {
  const bound = endpoint['~bound'];
  return bound ? [...bound, ...args] : args;
}
