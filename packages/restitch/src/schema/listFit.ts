import { fieldsOf } from './formFields.js';
import { isObject, own } from './same.js';
import { argText } from './argText.js';
import type { Collection, ListArgs } from './Collection.js';

/**
 * The relation of a record to the list `{ userId: '1' }`, for example:
 *
 * - `{ userId: 1 }` matches
 * - `{ userId: 2 }` contradicts
 * - `{}` is unknown, because it has no value for the argument
 *
 * In the list `{ tag: ['new', 'hot'] }`, `{ tag: ['new'] }` is unclear: the server may require one
 * of the values or all of them.
 */
export type Fit = 'matches' | 'contradicts' | 'unknown' | 'unclear';

interface Filtering extends Pick<Collection, 'nonFilterArgumentKeys'> {
  readonly $pagination?: { readonly sizeKey?: string | undefined } | undefined;
}

/** A record has no page size. If it were compared, no created record would match the list. */
export function isFilter(collection: Filtering, name: string): boolean {
  return collection.$pagination?.sizeKey !== name && !collection.nonFilterArgumentKeys(name);
}

/** The arguments of the call (`args`) provide the fields that the record lacks. */
export function fitOf(
  collection: Filtering,
  wanted: ListArgs,
  record: Readonly<Record<string, unknown>>,
  args: readonly unknown[],
): Fit {
  let fit: Fit = 'matches';
  for (const [key, text] of Object.entries(wanted)) {
    if (!isFilter(collection, key)) {
      continue;
    }
    const value = valueOf(key, record, args);
    const texts = value === undefined ? [] : [value].flat().map(argText);
    const choices = choicesOf(text);
    const held = choices.filter((choice) => texts.includes(choice)).length;
    // Servers often ignore an empty argument, so it never contradicts.
    if (held === 0 && value !== undefined && text !== '') {
      return 'contradicts';
    }
    if (held === 0) {
      fit = 'unknown';
    } else if (fit === 'matches' && Array.isArray(value) && held < choices.length) {
      fit = 'unclear';
    }
  }
  return fit;
}

/** Returns the texts of the items if the argument was an array. */
function choicesOf(text: string): readonly string[] {
  if (text.startsWith('[')) {
    try {
      return (JSON.parse(text) as readonly unknown[]).map(argText);
    } catch {
      // An item is not JSON, such as a map.
    }
  }
  return [text];
}

/** A null in the record is newer than the body of the call, so the body is not read. */
function valueOf(key: string, record: unknown, args: readonly unknown[]): unknown {
  const sources = fieldOf(record, key) === null ? args.slice(0, -1) : args;
  const values = [record, ...sources]
    .map((source) => fieldOf(source, key))
    .filter((value) => value !== undefined);
  return values.find((value) => value !== null) ?? values[0];
}

function fieldOf(given: unknown, key: string): unknown {
  const source = fieldsOf(given);
  return isObject(source) ? own(source, key) : undefined;
}
