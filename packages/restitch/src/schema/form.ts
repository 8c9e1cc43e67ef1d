/** The entries of a form, or undefined of anything else. Forms of React Native can be sent but not read: they have none. */
export function entriesOfForm(
  value: unknown,
): readonly (readonly [name: string, value: FormDataEntryValue])[] | undefined {
  if (typeof FormData !== 'function' || !(value instanceof FormData)) {
    return undefined;
  }
  return Symbol.iterator in value ? [...value] : [];
}
