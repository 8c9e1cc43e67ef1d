import { argText, byName, hasNames } from '../../schema/argText.js';
import { setField } from '../../schema/setField.js';
import { isPlain } from '../../schema/same.js';
import type { ListArgs } from '../../schema/Collection.js';
import type { Store } from './Store.js';

export function listArgs(raw: unknown): ListArgs {
  const args: Record<string, string> = {};
  // A positional argument gets the name `@0`, which matches no field of a row.
  for (const [name, value] of hasNames(raw)
    ? Object.entries(raw).sort(byName)
    : [['@0', raw] as const]) {
    if (value !== undefined) {
      setField(args, name, argText(value));
    }
  }
  return args;
}

/** Damaged hydrated state can contain an argument that is not a text. Returns `{}` then. */
export function storedArgs(stored: unknown): ListArgs {
  return isPlain(stored) && Object.values(stored).every((text) => typeof text === 'string')
    ? (stored as ListArgs)
    : {};
}

export function listKey(args: ListArgs): string {
  return JSON.stringify(args);
}

type Seeded = Pick<Store, 'seed' | 'random'>;

/** Draws the seed at first use: prerendering frameworks reject random values during a render. */
function seedOf(store: Seeded): number {
  store.seed ||= 100_000_000 + Math.floor(store.random() * 900_000_000);
  return store.seed;
}

/** A program that repeats a create after a reload passes the same `id` and gets the same key. */
export function temporaryPk(
  store: Seeded,
  start: number,
  position: number,
  id: string | undefined,
): string {
  return id === undefined ? `~new-${start}-${seedOf(store)}${position}` : `~new-${id}:${position}`;
}

/** Returns a negative integer that no server assigns. */
export function temporaryNumber(position: number, id: string | undefined): string {
  if (id === undefined) {
    count += 1;
    return String(FIRST_NUMBER - count);
  }
  let hash = position;
  for (const letter of id) {
    hash = (hash * 31 + letter.charCodeAt(0)) % HASH_LIMIT;
  }
  return String(FIRST_NUMBER - HASH_LIMIT - hash);
}

let count = 0;

// Half of the range of exact integers. All temporary numbers have sixteen digits, from -450… to
// -464…, so that no other number is taken for one.
const FIRST_NUMBER = -(2 ** 52);

// Larger than any count, so that numbers with and without an `id` never collide.
const HASH_LIMIT = 2 ** 46;

export function mayHoldTemporary(text: string): boolean {
  return /~new-|-\d{16}/.test(text);
}

/** The key can come from any store, such as the one before a reset. */
export function isTemporaryKey(text: string): boolean {
  return (
    /^~new-(\d+-\d{10,}|.*:\d+)$/s.test(text) ||
    (/^-4[56]\d{14}$/.test(text) && Number(text) < FIRST_NUMBER)
  );
}

/** `from` can be the whole text, a JSON string in the text, or a negative number anywhere. */
export function renamedText(text: string, from: string, to: string): string {
  if (text === from || from.startsWith('-')) {
    return text.replaceAll(from, to);
  }
  return text.replaceAll(JSON.stringify(from), JSON.stringify(to));
}
