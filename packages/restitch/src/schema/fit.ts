import { fieldsOf } from './form.js';
import { isObject } from './same.js';
import { argText } from './argText.js';
import type { ListArgs } from './Collection.js';

/** How a record fits a list: every argument that filters is matched, one is contradicted, or nothing is known of one. */
export type Fit = 'matches' | 'contradicts' | 'unknown';

/** How a record fits a list by what it and the call say about the arguments of the list. Values compare as text. */
export function fitOf(
  isNonFilter: (key: string) => boolean,
  wanted: ListArgs,
  record: Readonly<Record<string, unknown>>,
  args: readonly unknown[],
): Fit {
  let fit: Fit = 'matches';
  for (const [key, text] of Object.entries(wanted)) {
    if (isNonFilter(key)) {
      continue;
    }
    const value = valueOf(key, record, args);
    const texts = [value].flat().map(argText);
    const choices = choicesIn(text) ?? [text];
    const held = choices.filter((choice) => texts.includes(choice)).length;
    // An empty text is often no filter.
    if (held === 0 && value !== undefined && text !== '') {
      return 'contradicts';
    }
    // Whether a server asks for any or for all of several values is not known.
    if (held === 0 || (Array.isArray(value) && held < choices.length)) {
      fit = 'unknown';
    }
  }
  return fit;
}

/** As `argText` writes an array of texts or numbers; no other argument looks like that. */
const TEXTS = /^\["([^"\\]|\\.)*"(,"([^"\\]|\\.)*")*\]$/;

/** The values that an argument lets a server choose from; undefined where it is a single one. */
function choicesIn(text: string): readonly string[] | undefined {
  return TEXTS.test(text) ? (JSON.parse(text) as string[]) : undefined;
}

/**
 * What the record says, else the arguments, the first that say more than null; null if only that is said. A null in the record stands
 * against the body of the call, which it answers, and not against the parameters, which say where it belongs.
 */
function valueOf(key: string, record: unknown, args: readonly unknown[]): unknown {
  const sources = fieldOf(record, key) === null ? args.slice(0, -1) : args;
  const values = [record, ...sources]
    .map((source) => fieldOf(source, key))
    .filter((value) => value !== undefined);
  return values.find((value) => value !== null) ?? values[0];
}

function fieldOf(given: unknown, key: string): unknown {
  const source = fieldsOf(given);
  return isObject(source) && Object.hasOwn(source, key) ? Reflect.get(source, key) : undefined;
}
