/**
 * Returns undefined for a value that is not a form. Forms of React Native have no entries: they can
 * be sent but not read.
 */
export function entriesOfForm(
  value: unknown,
): readonly (readonly [name: string, value: FormDataEntryValue])[] | undefined {
  const isForm =
    (typeof FormData === 'function' && value instanceof FormData) ||
    (typeof URLSearchParams === 'function' && value instanceof URLSearchParams);
  if (!isForm) {
    return undefined;
  }
  return Symbol.iterator in value ? [...value] : [];
}

/**
 * Converts a text from a form or path to the type of `like`. Returns undefined if the text is not a
 * value of that type.
 */
export function valueLike(value: unknown, like: unknown): unknown {
  if (Array.isArray(like) && value !== undefined) {
    return [value].flat();
  }
  if (typeof value !== 'string' || !/number|boolean/.test(typeof like)) {
    return value;
  }
  if (typeof like === 'boolean') {
    return /^(true|on)$/.test(value) || (value === 'false' ? false : undefined);
  }
  return value.trim() && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/**
 * Returns the fields of a form; a repeated field becomes an array. A file becomes undefined,
 * because the server replaces it by a text, such as its URL. Other values are returned unchanged.
 */
export function fieldsOf(value: unknown): unknown {
  const form = entriesOfForm(value);
  if (!form) {
    return value;
  }
  const fields = new Map<string, unknown>();
  for (const [name, item] of form) {
    const isNew = !fields.has(name);
    const before = fields.get(name);
    const isText = typeof item === 'string' && (isNew || before !== undefined);
    fields.set(name, isText ? (isNew ? item : [before, item].flat()) : undefined);
  }
  return Object.fromEntries(fields);
}
