import { Entity, isEntityClass } from '../schema/Entity.js';
import { parsePath } from './path.js';

/**
 * The row that a call of `delete` is about: what the class's `pk` makes of the path parameters. The last of them stands for the
 * field of the key that is not among them, whatever its name, so `/rows/:rowId` deletes the row with that `id`.
 */
export function deletedKey(schema: unknown, path: string, params: unknown): unknown {
  const last = [...parsePath(path, path).names].at(-1) ?? '';
  const given = new Map(Object.entries(params ?? {}));
  const value = given.get(last);
  if (!isEntityClass(schema) || schema.prototype.pk === Entity.prototype.pk) {
    return value;
  }
  const missing = new Set<string>();
  const record = new Proxy(new schema(), {
    get(target, name) {
      if (typeof name === 'symbol' || typeof Reflect.get(target, name) === 'function') {
        return Reflect.get(target, name);
      }
      if (!given.has(name)) missing.add(name);
      return given.get(name) ?? value;
    },
  });
  const pk = schema.prototype.pk.call(record, undefined, undefined, [params]);
  return missing.size > 1 ? params : pk;
}
