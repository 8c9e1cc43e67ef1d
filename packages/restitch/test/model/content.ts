/** What a reader may see of one state of the model, as texts that can be compared with those of another state. */
import { DEFAULTS, entityOf, RELATIONS, type RowKey } from './effects.js';
import type { Visible } from './model.js';
import { LIST_NAMES, type ListName } from './program.js';

/** Whether to distinguish states that look alike: relations to absent rows by their pk, and whether something was said about those. */
export type Detail = 'current' | 'stored';

interface Shown {
  /** The fields that an instance shows; relations as the key of the row they lead to. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly related: readonly RowKey[];
  /** This row alone, by either detail. */
  readonly texts: Readonly<Record<Detail, string>>;
}

/** Everything that one state shows, worked out once. */
export class Contents {
  readonly visible: Visible;
  readonly #rows = new Map<RowKey, Shown | undefined>();
  readonly #reached = new Map<RowKey, readonly RowKey[]>();
  readonly #texts: Readonly<Record<Detail, Map<string, string | undefined>>> = {
    current: new Map(),
    stored: new Map(),
  };

  constructor(visible: Visible) {
    this.visible = visible;
  }

  /** The fields that an instance of this row shows; undefined where there is no row. */
  fields(key: RowKey): ReadonlyMap<string, unknown> | undefined {
    return this.#shown(key)?.fields;
  }

  /**
   * All that a row or a list (`list:all`) shows, through its relations: two moments with different texts must not give the same object.
   * With the detail `stored` it also contains the stored values: where that is equal too, the object must be the identical one. Undefined
   * where there is no row, or the list is unknown.
   */
  text(key: string, detail: Detail): string | undefined {
    const texts = this.#texts[detail];
    if (!texts.has(key)) {
      const list = listNamed(key);
      texts.set(
        key,
        list === undefined
          ? this.#textOfRow(key, detail)
          : this.visible.lists
              .get(list)
              ?.map((member) => this.text(member, detail))
              .join(' | '),
      );
    }
    return texts.get(key);
  }

  /** Everything that is shown with these rows and lists, themselves included; absent rows, too. Nothing `except` leads anywhere. */
  reachedFrom(keys: readonly string[], except?: ReadonlySet<string>): ReadonlySet<string> {
    const reached = new Set<string>();
    const queue = [...keys];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (reached.has(next) || except?.has(next)) continue;
      reached.add(next);
      const list = listNamed(next);
      if (list === undefined) queue.push(...relationsOf(this.visible, next));
      else queue.push(...(this.visible.lists.get(list) ?? []));
    }
    return reached;
  }

  #textOfRow(key: RowKey, detail: Detail): string | undefined {
    if (!this.visible.rows.has(key)) return undefined;
    const texts = this.#rowsShownWith(key).map((other) => this.#shown(other)?.texts[detail]);
    return `${key}: ${texts.join(' ')}`;
  }

  /** The rows that are there and shown with this one, itself included, by their keys. */
  #rowsShownWith(key: RowKey): readonly RowKey[] {
    const known = this.#reached.get(key);
    if (known !== undefined) return known;
    const reached = new Set([key]);
    // A Set is visited to its end, also where that moves.
    for (const next of reached)
      for (const related of this.#shown(next)?.related ?? []) reached.add(related);
    const sorted = [...reached].sort();
    this.#reached.set(key, sorted);
    return sorted;
  }

  #shown(key: RowKey): Shown | undefined {
    if (!this.#rows.has(key)) this.#rows.set(key, shownOf(this.visible, key));
    return this.#rows.get(key);
  }
}

function shownOf(visible: Visible, key: RowKey): Shown | undefined {
  const row = visible.rows.get(key);
  if (row === undefined) return undefined;
  const entity = entityOf(key);
  const relations = RELATIONS[entity] ?? {};
  const fields = new Map<string, unknown>();
  const related: RowKey[] = [];
  let current = `${key}{`;
  let behind = `(${Object.keys(row).sort().join()}`;
  for (const [field, value] of Object.entries({ ...DEFAULTS[entity], ...row })) {
    const target = relations[field];
    let visibly: unknown = value;
    if (target !== undefined) {
      const other = `${target}:${String(row[field])}`;
      const isThere = visible.rows.has(other);
      if (typeof value === 'string') visibly = isThere ? other : undefined;
      if (isThere) related.push(other);
      else behind += ` ${other}${visible.touched.has(other) ? '!' : ''}`;
    }
    fields.set(field, visibly);
    current += `${field}=${typeof visibly === 'string' ? JSON.stringify(visibly) : String(visibly)} `;
  }
  current += '}';
  return { fields, related, texts: { current: current, stored: `${current}${behind})` } };
}

function relationsOf(visible: Visible, key: RowKey): readonly RowKey[] {
  const row = visible.rows.get(key) ?? {};
  return Object.entries(RELATIONS[entityOf(key)] ?? {}).flatMap(([field, target]) =>
    typeof row[field] === 'string' ? [`${target}:${row[field]}`] : [],
  );
}

const LISTS_BY_KEY: ReadonlyMap<string, ListName> = new Map(
  LIST_NAMES.map((name) => [`list:${name}`, name]),
);

/** The list that this key names, if it is no row's. */
export function listNamed(key: string): ListName | undefined {
  return LISTS_BY_KEY.get(key);
}
