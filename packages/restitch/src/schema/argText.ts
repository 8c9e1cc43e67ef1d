/**
 * An argument or field as the text by which lists compare it: `5` and `'5'` are the same, inside arrays and objects too, and
 * the order of an object's fields says nothing.
 */
export function argText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  if (value instanceof Date) {
    return value.toISOString();
  }
  return isNumber(value) ? String(value) : JSON.stringify(value, canonical);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function canonical(field: string, value: unknown): unknown {
  return isNumber(value) ? String(value) : sortMembers(field, value);
}

/** For `JSON.stringify`: the same object written in another order is the same text. */
export function sortMembers(_field: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
