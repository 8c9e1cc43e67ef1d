import { argText } from '../schema/argText.js';
import type { ListArgs } from '../schema/Collection.js';

/** The one owner of the key formats: nothing else builds or reads a key. */

/** A primary key as text, or undefined where a value is no identity. `5` and `'5'` are one key. */
export function pkText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value === '' ? undefined : value;
  }
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

/** The arguments of a list as text, without those that are absent, in alphabetical order. */
export function listArgs(raw: unknown): ListArgs {
  const args: Record<string, string> = {};
  if (typeof raw !== 'object' && raw !== undefined) {
    // A positional argument has no name that a field could have: it tells lists apart and matches no row.
    Object.defineProperty(args, '@0', { enumerable: true, value: argText(raw) });
  } else if (typeof raw === 'object' && raw !== null) {
    for (const key of Object.keys(raw).sort()) {
      const value = (raw as Record<string, unknown>)[key];
      if (value !== undefined && value !== null) {
        // Defined, so that an argument called `__proto__` is an argument.
        Object.defineProperty(args, key, { enumerable: true, value: argText(value) });
      }
    }
  }
  return args;
}

/** The primary key of a list. */
export function listKey(args: ListArgs): string {
  return JSON.stringify(args);
}

/**
 * The primary key of a row created here, until the server names it: unique by transaction and position, and by the store's
 * `seed` no key that a server sends.
 */
export function temporaryPk(seed: number, start: number, position: number): string {
  return `~new-${start}-${seed}${position}`;
}

/** The start of the transaction that created a row, of its temporary key; undefined for any other value. */
export function startOfTemporary(seed: number, value: unknown): number | undefined {
  const parts = typeof value === 'string' ? /^~new-(\d+)-(\d+)$/.exec(value) : undefined;
  return parts?.[2]?.startsWith(String(seed)) ? Number(parts[1]) : undefined;
}

/** A member of a union as one text: its discriminator and primary key. No text that a server sends begins like it. */
export function unionRef(discriminator: string, pk: string): string {
  return `\0${JSON.stringify([discriminator, pk])}`;
}

/** What `unionRef` was made of, or undefined for any other value. */
export function parseUnionRef(
  value: unknown,
): { readonly discriminator: string; readonly pk: string } | undefined {
  if (typeof value !== 'string' || !value.startsWith('\0')) {
    return undefined;
  }
  try {
    const [discriminator, pk]: unknown[] = JSON.parse(value.slice(1));
    return typeof discriminator === 'string' && typeof pk === 'string'
      ? { discriminator, pk }
      : undefined;
  } catch {
    return undefined;
  }
}
