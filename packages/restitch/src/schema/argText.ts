/** An argument or field as the text by which lists compare it: `5` and `'5'` are the same. */
export function argText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  if (value instanceof Date) {
    return value.toISOString();
  }
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
