/** What a reader may see of the model's state, and whether an instance of the library shows just that. */
import { DEFAULTS, entityOf, RELATIONS, type RowKey } from './effects.js';
import type { Visible } from './model.js';
import { LIST_NAMES } from './program.js';

/** The fields that an instance of this row shows; relations as the key of the row they lead to. */
function shownFields(visible: Visible, key: RowKey): Record<string, unknown> {
  const entity = entityOf(key);
  const row = visible.rows.get(key) ?? {};
  const fields: Record<string, unknown> = { ...DEFAULTS[entity], ...row };
  for (const [field, target] of Object.entries(RELATIONS[entity] ?? {})) {
    const pk = row[field];
    if (typeof pk !== 'string') continue;
    const related = `${target}:${pk}`;
    fields[field] = visible.rows.has(related) ? related : undefined;
  }
  return fields;
}

/** Everything that is shown with these rows and lists (`list:all`), themselves included. */
export function reachedFrom(visible: Visible, keys: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...keys];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    const list = LIST_NAMES.find((name) => next === `list:${name}`);
    if (list !== undefined) queue.push(...(visible.lists.get(list) ?? []));
    else {
      const row = visible.rows.get(next) ?? {};
      for (const [field, target] of Object.entries(RELATIONS[entityOf(next)] ?? {})) {
        if (typeof row[field] === 'string') queue.push(`${target}:${row[field]}`);
      }
    }
  }
  return reached;
}

/** Whether to tell apart what looks alike: relations to absent rows by their pk, and whether something was said about those. */
export type Detail = 'shown' | 'stored';

/**
 * All that a row shows, through its relations: two moments with different texts must not give the same object. With the detail `stored`
 * it also tells what lies behind: where that is equal too, the object must be the identical one. Undefined where there is no row.
 */
export function rowContent(visible: Visible, key: RowKey, detail: Detail): string | undefined {
  if (!visible.rows.has(key)) return undefined;
  const reached = new Map<RowKey, Record<string, unknown>>();
  const queue = [key];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    const fields = shownFields(visible, next);
    reached.set(next, detail === 'shown' ? fields : { ...fields, behind: behind(visible, next) });
    for (const field of Object.keys(RELATIONS[entityOf(next)] ?? {})) {
      const related = fields[field];
      if (typeof related === 'string') queue.push(related);
    }
  }
  const sorted = [...reached.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([key, sorted], (_name, value: unknown) =>
    value === undefined ? '(undefined)' : value,
  );
}

function behind(visible: Visible, key: RowKey): unknown {
  const row = visible.rows.get(key) ?? {};
  const absent = Object.entries(RELATIONS[entityOf(key)] ?? {}).map(
    ([field, target]) => `${target}:${String(row[field])}`,
  );
  return [
    Object.keys(row).sort(),
    absent
      .filter((related) => !visible.rows.has(related))
      .map((related) => [related, visible.touched.has(related)]),
  ];
}

export function listContent(
  visible: Visible,
  members: readonly RowKey[] | undefined,
  detail: Detail,
): string | undefined {
  return members && JSON.stringify(members.map((member) => rowContent(visible, member, detail)));
}

/** The instances seen during one look: one row must be one object, wherever it is met. */
export class Sightings {
  readonly #byKey = new Map<RowKey, unknown>();
  readonly #keyOf = new Map<unknown, RowKey>();
  readonly #visible: Visible;

  constructor(visible: Visible) {
    this.#visible = visible;
  }

  /** Returns what is wrong with `instance` as the view of row `key`, following relations; undefined when nothing is. */
  check(key: RowKey, instance: unknown, path: string): string | undefined {
    if (!this.#visible.rows.has(key))
      return instance === undefined
        ? undefined
        : `${path}: shown, should not exist: ${brief(instance)}`;
    if (typeof instance !== 'object' || instance === null)
      return `${path}: missing, should be ${brief(shownFields(this.#visible, key))}`;
    const seen = this.#byKey.get(key);
    if (seen !== undefined)
      return seen === instance ? undefined : `${path}: another object than elsewhere for ${key}`;
    const other = this.#keyOf.get(instance);
    if (other !== undefined) return `${path}: the object of ${other} also shown for ${key}`;
    this.#byKey.set(key, instance);
    this.#keyOf.set(instance, key);
    const shown = new Map(Object.entries(instance));
    const expected = shownFields(this.#visible, key);
    for (const [field, value] of Object.entries(expected)) {
      // How a temporary row shows its missing id is not settled.
      if (field === 'id' && key.includes('~')) continue;
      const actual = shown.get(field);
      if (RELATIONS[entityOf(key)]?.[field] !== undefined && typeof value === 'string') {
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
