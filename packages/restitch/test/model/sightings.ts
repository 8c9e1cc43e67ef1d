/** Whether instances of the library show just what the model does. */
import type { Contents } from './content.js';
import { entityOf, RELATIONS, type RowKey } from './effects.js';

/** The instances seen during one look: one row must be one object, wherever it is met. */
export class Sightings {
  readonly #byKey = new Map<RowKey, unknown>();
  readonly #keyOf = new Map<unknown, RowKey>();
  readonly #contents: Contents;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  /** Returns what is wrong with `instance` as the view of row `key`, following relations; undefined when nothing is. */
  check(key: RowKey, instance: unknown, path: string): string | undefined {
    const expected = this.#contents.fields(key);
    if (expected === undefined)
      return instance === undefined
        ? undefined
        : `${path}: shown, should not exist: ${brief(instance)}`;
    if (typeof instance !== 'object' || instance === null)
      return `${path}: missing, should be ${brief(Object.fromEntries(expected))}`;
    const seen = this.#byKey.get(key);
    if (seen !== undefined)
      return seen === instance ? undefined : `${path}: another object than elsewhere for ${key}`;
    const other = this.#keyOf.get(instance);
    if (other !== undefined) return `${path}: the object of ${other} also shown for ${key}`;
    this.#byKey.set(key, instance);
    this.#keyOf.set(instance, key);
    const current = new Map(Object.entries(instance));
    const relations = RELATIONS[entityOf(key)];
    for (const [field, value] of expected) {
      // How a temporary row shows its missing id is not settled.
      if (field === 'id' && key.includes('~')) continue;
      const actual = current.get(field);
      if (relations?.[field] !== undefined && typeof value === 'string') {
        const wrong = this.check(value, actual, `${path}.${field}`);
        if (wrong !== undefined) return wrong;
      } else if (!Object.is(actual, value))
        return `${path}.${field}: shown ${brief(actual)}, should be ${brief(value)}`;
    }
    return undefined;
  }

  /** As `check`, for a list. */
  checkList(
    members: readonly RowKey[] | undefined,
    data: unknown,
    path: string,
  ): string | undefined {
    if (members === undefined)
      return data === undefined ? undefined : `${path}: shown, should be unknown: ${brief(data)}`;
    if (!Array.isArray(data)) return `${path}: missing, should be ${brief(members)}`;
    const rows: readonly unknown[] = data;
    if (rows.length !== members.length)
      return `${path}: shown ${brief(rows)}, should be ${brief(members)}`;
    for (const [index, member] of members.entries()) {
      const wrong = this.check(member, rows[index], `${path}[${index}]`);
      if (wrong !== undefined)
        return `${wrong} (list should be ${brief(members)}, shown ${brief(rows)})`;
    }
    return undefined;
  }
}

/** One line about a value; instances by their own fields, relations by id. */
export function brief(value: unknown): string {
  const text = JSON.stringify(
    value,
    function replace(this: unknown, name: string, part: unknown): unknown {
      const nested = name !== '' && !Array.isArray(this);
      if (nested && typeof part === 'object' && part !== null)
        return 'id' in part ? `→${String(part.id)}` : '…';
      return part;
    },
  );
  return text ?? 'undefined';
}
