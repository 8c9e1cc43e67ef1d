import { Entity, isEntityClass } from '../schema/Entity.js';

/**
 * Returns the primary key of the record that a call of `delete` names: the class's `pk` of the path
 * parameters. The last parameter provides the key field that is not among them, whatever its name.
 * For example, `/rows/:rowId` deletes the row with that `id`.
 *
 * @param names The placeholders of the path, without those of its query.
 */
export function deletedKey(schema: unknown, names: readonly string[], params: unknown): unknown {
  const given: Readonly<Record<string, unknown>> = { ...Object(params) };
  const value = given[names.at(-1) ?? ''];
  if (!isEntityClass(schema) || schema.prototype.pk === Entity.prototype.pk) {
    return value;
  }
  const missing = new Set<string>();
  const record = new Proxy(new schema(), {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || typeof own === 'function') {
        return own;
      }
      if (!Object.hasOwn(given, name)) missing.add(name);
      return given[name] ?? value;
    },
  });
  const pk = schema.prototype.pk.call(record, undefined, undefined, [params]);
  return missing.size > 1 ? params : pk;
}
