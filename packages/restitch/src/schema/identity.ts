/**
 * Texts for things that are identified by themselves: entity classes without a `static key`, endpoints without a path or a
 * name. Such a text is unique in this process and means nothing in another one, so state that holds one cannot leave.
 */

/** No text that users or servers give holds this character unescaped. */
const MARK = '\0';

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

/** A text as people read it: `#3` in place of what stands for the third object. */
export function readableText(text: string): string {
  return text.replaceAll(MARK, '#');
}
