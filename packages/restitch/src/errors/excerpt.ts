declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Returns the start of a value as text, for an error message. Undefined in production. */
export function sample(value: unknown): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch {
      // The value has no JSON, so it is described by its type.
    }
    text ??= value === undefined ? 'undefined' : Object.prototype.toString.call(value);
    return text.length > 120 ? `${text.slice(0, 120)}…` : text;
  }
  return;
}
