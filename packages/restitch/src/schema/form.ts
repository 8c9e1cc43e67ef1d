/** The entries of a form, or undefined of anything else. Forms of React Native can be sent but not read: they have none. */
export function entriesOfForm(
  value: unknown,
): readonly (readonly [name: string, value: FormDataEntryValue])[] | undefined {
  if (typeof FormData !== 'function' || !(value instanceof FormData)) {
    return undefined;
  }
  return Symbol.iterator in value ? [...value] : [];
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
