import type { Controller } from '../index.js';
import { getState, type StoreState } from '../state/index.js';

/** The global array through which scripts in the page hand state over. */
export const QUEUE = '__restitch';

/**
 * Makes a function that gives the script for what was settled since its last call, or `''` when nothing was: for frameworks
 * that insert HTML into a stream in a way of their own. Put the text into a script element before the HTML that uses the data;
 * it is escaped for that place, and the element removes itself.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 * import { stateSource } from 'restitch/ssr';
 *
 * const controller = new Controller();
 * const next = stateSource(controller);
 * const script = next();
 * const html = script && `<script>${script}</script>`;
 * ```
 */
export function stateSource(controller: Controller): () => string {
  const sent = new Map<string, Sent>();
  return () => {
    const state = unsent(getState(controller), sent);
    return state ? sourceOf(state) : '';
  };
}

/** The script that hands over some state. */
export function sourceOf(state: StoreState): string {
  const json = JSON.stringify(state).replace(
    /[\\'<>\u2028\u2029]/g,
    (character) => ESCAPES[character] ?? '',
  );
  // An element with that `id` or `name` is a global as well, and is no array. Parsed rather than written as an object: a field
  // called `__proto__` is a field.
  const queue = `(Array.isArray(self.${QUEUE})?self.${QUEUE}:self.${QUEUE}=[])`;
  return `${queue}.push(JSON.parse('${json}'));document.currentScript.remove()`;
}

/** In a text of a script, what could end the script or the text. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '<': '\\x3c',
  '>': '\\x3e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** What was sent of one row, list or answer. */
interface Sent {
  readonly value: unknown;
  readonly expiresAt: number;
  readonly declared?: unknown;
}

function isSame(a: Sent, b: Sent): boolean {
  return (
    a.expiresAt === b.expiresAt &&
    isSameValue(a.value, b.value) &&
    isSameValue(a.declared, b.declared)
  );
}

/** Most values are those of the store; the others are made anew at each export. */
function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The part of a state that was not sent yet, or has changed since; undefined when that is nothing. */
function unsent(state: StoreState, sent: Map<string, Sent>): StoreState | undefined {
  const isNew = (name: readonly unknown[], part: Sent): boolean => {
    const key = JSON.stringify(name);
    const before = sent.get(key);
    sent.set(key, part);
    return before === undefined || !isSame(before, part);
  };
  const entities = filtered(state.entities, (key, { pk, fields, expiresAt, declared }) =>
    isNew(['row', key, pk], { value: fields, expiresAt, declared }),
  );
  const lists = filtered(state.lists, (key, { args, listing, expiresAt }) =>
    isNew(['list', key, args], { value: listing, expiresAt }),
  );
  const results = state.results.filter(({ key, schema, value, expiresAt }) =>
    isNew(['answer', key, schema], { value, expiresAt }),
  );
  const rendered = (state.rendered ?? []).filter(({ of, cells }) =>
    isNew(['rendered', of], { value: cells, expiresAt: 0 }),
  );
  const isEmpty = [entities, lists, results, rendered].every(
    (part) => Object.keys(part).length === 0,
  );
  return isEmpty ? undefined : { ...state, entities, lists, results, rendered };
}

/** Leaves out what a test refuses, and then what is empty. */
function filtered<T>(
  tables: Readonly<Record<string, readonly T[]>>,
  test: (key: string, part: T) => boolean,
): Readonly<Record<string, readonly T[]>> {
  const kept = Object.entries(tables).map(
    ([key, parts]) => [key, parts.filter((part) => test(key, part))] as const,
  );
  return Object.fromEntries(kept.filter(([, parts]) => parts.length > 0));
}
