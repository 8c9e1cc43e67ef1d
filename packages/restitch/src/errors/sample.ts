declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Returns the start of a value for an error message. */
export function sample(value: unknown): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch {
      // A value without JSON is described by its type.
    }
    text ??= value === undefined ? 'undefined' : Object.prototype.toString.call(value);
    return text.length > 120 ? `${text.slice(0, 120)}…` : text;
  }
  return;
}
