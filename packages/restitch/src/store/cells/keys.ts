import { argText, byName, hasNames } from '../../schema/argText.js';
import { setField } from '../../schema/fields.js';
import { isObject } from './plainValues.js';
import type { ListArgs } from '../../schema/Collection.js';
import type { Store } from './Store.js';

/** The one owner of the key formats: nothing else builds or reads a key. */

/** A primary key as text, or undefined where a value is no identity. `5` and `'5'` are one key. */
export function pkText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value === '' ? undefined : value;
  }
  // What is not finite is a calculation gone wrong.
  return Number.isFinite(value) || typeof value === 'bigint' ? String(value) : undefined;
}

/** Whether a stored value is the key of a row. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The arguments of a list as text, without those that are absent, in alphabetical order. */
export function listArgs(raw: unknown): ListArgs {
  const args: Record<string, string> = {};
  // A positional argument has no name that a field could have: it tells lists apart and matches no row.
  for (const [name, value] of hasNames(raw)
    ? Object.entries(raw).sort(byName)
    : [['@0', raw] as const]) {
    if (value !== undefined) {
      setField(args, name, argText(value));
    }
  }
  return args;
}

/** The arguments of a list as the store holds them; of damaged state none, for `listKey` throws for what is no JSON. */
export function storedArgs(stored: unknown): ListArgs {
  // The cast: each value was found to be a text.
  return isObject(stored) && Object.values(stored).every(isText) ? (stored as ListArgs) : {};
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** The primary key of a list. */
export function listKey(args: ListArgs): string {
  return JSON.stringify(args);
}

/** What the store draws once for its temporary keys. */
type Seeded = Pick<Store, 'seed' | 'random'>;

/** Drawn at the first create: prerendering frameworks refuse a random value in a render. Nine digits, the first no zero. */
function seedOf(store: Seeded): number {
  store.seed ||= 100_000_000 + Math.floor(store.random() * 900_000_000);
  return store.seed;
}

/**
 * The primary key of a row created here, until the server names it: unique by transaction and position, and by the store's seed
 * no key that a server sends.
 */
export function temporaryPk(store: Seeded, start: number, position: number): string {
  return `~new-${start}-${seedOf(store)}${position}`;
}

/** The same for a class whose keys are numbers: a negative integer that no server counts to, another one at each call. */
export function temporaryNumber(): string {
  count += 1;
  return String(FIRST_NUMBER - count);
}

let count = 0;

// Integers are exact up to twice that, and all of these have sixteen digits.
const FIRST_NUMBER = -(2 ** 52);

/** Whether a text may hold the temporary key of a row. */
export function mayHoldTemporary(text: string): boolean {
  return /~new-|-\d{16}/.test(text);
}

/** Whether a text is the temporary key of a row that was created in this store. No other text draws the store's seed. */
export function isTemporaryKey(store: Seeded, text: string): boolean {
  return (
    /^~new-\d+-(\d+)$/.exec(text)?.[1]?.startsWith(String(seedOf(store))) ??
    (/^-\d{16}$/.test(text) && Number(text) < FIRST_NUMBER)
  );
}

/** A text with a primary key replaced: as a whole, or where it stands in JSON, as in references and in what lists are owned by. */
export function renamedText(text: string, from: string, to: string): string {
  if (text === from || from.startsWith('-')) {
    return text.replaceAll(from, to);
  }
  return text.replaceAll(JSON.stringify(from), JSON.stringify(to));
}

/**
 * A row as a reference: its primary key, in a union together with the discriminators that lead to its class, as one text. No
 * text that a server sends begins like that.
 */
export function rowRef(path: readonly string[], pk: string): string {
  return path.length === 0 ? pk : `\0${JSON.stringify([...path, pk])}`;
}

/** What the reference of a union was made of, or undefined for any other value. */
export function parseUnionRef(
  value: unknown,
): { readonly path: readonly string[]; readonly pk: string } | undefined {
  if (typeof value !== 'string' || !value.startsWith('\0')) {
    return undefined;
  }
  try {
    const parts: unknown = JSON.parse(value.slice(1));
    if (
      !Array.isArray(parts) ||
      parts.length < 2 ||
      parts.some((part) => typeof part !== 'string')
    ) {
      return undefined;
    }
    return { path: parts.slice(0, -1), pk: parts.at(-1) };
  } catch {
    return undefined;
  }
}
