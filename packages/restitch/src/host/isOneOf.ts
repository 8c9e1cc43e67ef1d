export function isOneOf(classNames: readonly string[], value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return classNames.some((name) => {
    const type: unknown = Reflect.get(globalThis, name);
    // The tag identifies objects of another window. In React Native, objects have no such tag.
    return tag === `[object ${name}]` || (typeof type === 'function' && value instanceof type);
  });
}
