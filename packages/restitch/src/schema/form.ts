/** The entries of a form, or undefined of anything else. Forms of React Native can be sent but not read: they have none. */
export function entriesOfForm(
  value: unknown,
): readonly (readonly [name: string, value: FormDataEntryValue])[] | undefined {
  if (typeof FormData !== 'function' || !(value instanceof FormData)) {
    return undefined;
  }
  return Symbol.iterator in value ? [...value] : [];
}

/** A text of a form or path as a value of the kind that `like` is; undefined where it is none. */
export function valueLike(value: unknown, like: unknown): unknown {
  if (Array.isArray(like)) {
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

/** A form as its fields, an array where one is repeated; anything else as it is. */
export function fieldsOf(value: unknown): unknown {
  const form = entriesOfForm(value);
  if (!form) {
    return value;
  }
  const fields = new Map<string, unknown>();
  for (const [name, item] of form) {
    fields.set(name, fields.has(name) ? [fields.get(name), item].flat() : item);
  }
  return Object.fromEntries(fields);
}
