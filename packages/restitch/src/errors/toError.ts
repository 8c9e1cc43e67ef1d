/** Any value can be thrown, even an object that cannot be converted to text. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(textOf(error), { cause: error });
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
