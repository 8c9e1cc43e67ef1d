import { isOneOf } from '../host/isOneOf.js';

type FormEntry = readonly [name: string, value: FormDataEntryValue];

/** A form of React Native cannot be read, so it has no entries here. */
export function entriesOfForm(value: unknown): readonly FormEntry[] | undefined {
  if (!isOneOf(['FormData', 'URLSearchParams'], value)) {
    return undefined;
  }
  const isIterable = Symbol.iterator in Object(value);
  // The cast: the entries of both classes have this type.
  return isIterable ? [...(value as Iterable<FormEntry>)] : [];
}

/** Returns a new form of the same class. */
export function formOf(
  given: object,
  entries: readonly (readonly [name: string, value: unknown])[],
): object {
  // The cast: both classes of forms have a constructor without required arguments.
  const form = Reflect.construct(given.constructor, []) as FormData;
  for (const [name, item] of entries) {
    // The cast: an entry is a text, a real key or a file. `append` converts a key to a text.
    form.append(name, item as string);
  }
  return form;
}

/** Converts the texts of a form or path to the types of the fields in `like`: `'5'` becomes 5. */
export function fieldsLike(
  fields: object,
  like: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values = Object.entries(fields)
    .map(([name, value]): [string, unknown] => [name, valueLike(value, like[name])])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(values);
}

function valueLike(value: unknown, like: unknown): unknown {
  if (typeof value !== 'string') {
    // As in JSON.
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }
  switch (typeof like) {
    case 'boolean':
      return /^(true|on)$/.test(value) || (value === 'false' ? false : undefined);
    case 'number':
      return value.trim() && Number.isFinite(Number(value)) ? Number(value) : undefined;
    default:
      return Array.isArray(like) ? [value] : value;
  }
}

/**
 * Returns the fields that are sent: those of a form, or of the JSON of an object. A file becomes
 * undefined, because the server replaces it by a text, such as its URL.
 */
export function fieldsOf(value: unknown): unknown {
  const form = entriesOfForm(value);
  if (!form) {
    const { toJSON } = Object(value) as { readonly toJSON?: unknown };
    return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, ['']) : value;
  }
  const fields = new Map<string, unknown>();
  for (const [name, item] of form) {
    const all = fields.has(name) ? [fields.get(name), item].flat() : item;
    const isText = [all].flat().every((one) => typeof one === 'string');
    fields.set(name, isText ? all : undefined);
  }
  return Object.fromEntries(fields);
}
