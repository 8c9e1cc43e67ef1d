/** The formats of primary keys and of references to rows. No other module builds or parses them. */

/** Returns undefined if a value cannot be a key. `5` and `'5'` are the same key. */
export function pkText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value === '' ? undefined : value;
  }
  // A number that is not finite results from a faulty calculation.
  return Number.isFinite(value) || typeof value === 'bigint' ? String(value) : undefined;
}

/** An indexed field can be empty, unlike a primary key. */
export function indexText(value: unknown): string | undefined {
  return value === '' ? value : pkText(value);
}

export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Returns the reference to a row. Outside of a union, it is the primary key. In a union, it
 * contains the discriminators too. It starts with `\0`, so that no text of a server equals it.
 */
export function rowRef(path: readonly string[], pk: string): string {
  return path.length === 0 ? pk : `\0${JSON.stringify([...path, pk])}`;
}

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
