/** Returns true for an instance of one of the named host classes, such as `FormData`. */
export function isOneOf(names: readonly string[], value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return names.some((name) => {
    const type: unknown = Reflect.get(globalThis, name);
    // The tag identifies objects of another window. In React Native, objects have no such tag.
    return tag === `[object ${name}]` || (typeof type === 'function' && value instanceof type);
  });
}
