/** What was thrown, as an Error: it may be anything, also what has no text. */
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
