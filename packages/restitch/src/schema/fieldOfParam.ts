/**
 * Segments of a wildcard such as `*path` are joined: `['a', 'b']` becomes `'a/b'`. For a text
 * field, `5` becomes `'5'`, because both have the same URL. For a number or boolean field, texts
 * such as `'5'` become values, because `pk` may compute with them.
 */
export function fieldOfParam(value: unknown, declared?: unknown): unknown {
  const field = Array.isArray(value) && !Array.isArray(declared) ? value.join('/') : value;
  const type = typeof declared;
  const typed = fromText(field);
  return type === 'string' && typeof field === 'number'
    ? String(field)
    : typeof typed === type
      ? typed
      : field;
}

/** Converts `'5'` and `'true'`, but no other forms, such as `'05'`. */
export function fromText(value: unknown): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  const number = Number(value);
  return value === 'true' || value === 'false'
    ? value === 'true'
    : String(number) === value && Number.isFinite(number)
      ? number
      : value;
}
