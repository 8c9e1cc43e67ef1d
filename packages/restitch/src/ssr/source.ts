import type { Controller } from '../index.js';
import { getState, type StoreState } from '../state/index.js';

/** The global array through which scripts in the page pass state to the controller. */
export const QUEUE = '__restitch';

/**
 * Returns a function for frameworks that insert HTML into a stream in their own way. Each call of
 * the function returns the script for the data that arrived since the last call. It returns `''` if
 * no data arrived. Put the text into a script element before the HTML that uses the data. The text
 * is already escaped for a script element, and the element removes itself.
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

export function sourceOf(state: StoreState): string {
  const json = JSON.stringify(state).replace(
    /[\\'<>\u2028\u2029]/g,
    (character) => ESCAPES[character] ?? '',
  );
  // The array is checked, because an element with the `id` or `name` `__restitch` is a global, too.
  // The state is parsed from text, because `__proto__` in an object literal would not be a field.
  const queue = `(Array.isArray(self.${QUEUE})?self.${QUEUE}:self.${QUEUE}=[])`;
  return `${queue}.push(JSON.parse('${json}'));document.currentScript.remove()`;
}

/** The escapes of characters that could end the script or the string in it. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '<': '\\x3c',
  '>': '\\x3e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

interface Sent {
  readonly value: unknown;
  readonly expiresAt: number;
  readonly rest?: unknown;
}

function isSame(a: Sent, b: Sent): boolean {
  return (
    a.expiresAt === b.expiresAt && isSameValue(a.value, b.value) && isSameValue(a.rest, b.rest)
  );
}

/** Optimization: most values are the same objects in each export. */
function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function unsent(state: StoreState, sent: Map<string, Sent>): StoreState | undefined {
  const isNew = (name: readonly unknown[], part: Sent): boolean => {
    const key = JSON.stringify(name);
    const before = sent.get(key);
    sent.set(key, part);
    return before === undefined || !isSame(before, part);
  };
  const entities = filtered(state.entities, (key, { pk, fields, expiresAt, ...rest }) =>
    isNew(['row', key, pk], { value: fields, expiresAt, rest }),
  );
  const lists = filtered(state.lists, (key, { args, listing, expiresAt }) =>
    isNew(['list', key, args], { value: listing, expiresAt }),
  );
  const results = state.results.filter(({ key, schema, value, expiresAt }) =>
    isNew(['result', key, schema], { value, expiresAt }),
  );
  const { rendered: older = [] } = state;
  const rendered = [...older, ...ended(sent, older)].filter(({ of, cells }) =>
    isNew(['rendered', of], { value: cells, expiresAt: 0 }),
  );
  const isEmpty = [entities, lists, results, rendered].every(
    (part) => Object.keys(part).length === 0,
  );
  return isEmpty ? undefined : { ...state, entities, lists, results, rendered };
}

/**
 * A component that waits for two responses is rendered twice. If the second render shows newer
 * values, the browser must not use the older values that an earlier part contains.
 */
function ended(
  sent: ReadonlyMap<string, Sent>,
  older: NonNullable<StoreState['rendered']>,
): NonNullable<StoreState['rendered']> {
  const current = new Set(older.map(({ of }) => of));
  const names = [...sent.keys()].filter((name) => name.startsWith('["rendered",'));
  // The cast: `isNew` makes the names.
  return names
    .map((name) => (JSON.parse(name) as readonly [kind: string, of: string])[1])
    .filter((of) => !current.has(of))
    .map((of) => ({ of, cells: [] }));
}

function filtered<T>(
  tables: Readonly<Record<string, readonly T[]>>,
  test: (key: string, part: T) => boolean,
): Readonly<Record<string, readonly T[]>> {
  const kept = Object.entries(tables).map(
    ([key, parts]) => [key, parts.filter((part) => test(key, part))] as const,
  );
  return Object.fromEntries(kept.filter(([, parts]) => parts.length > 0));
}
