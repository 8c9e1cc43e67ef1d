import type { RecordKey } from './recordKeys.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Several records have the same text as a key. */
const SEVERAL = Symbol();

type Known = Map<string, string | typeof SEVERAL>;

/**
 * Returns the records with the changes. Returns undefined if the changes do not determine which
 * records changed. For example, `id: 1` of the primary key `a/1` can be `b/1` in another record.
 *
 * `deleted` contains keys. The keys in `unclear` may belong to records that are gone already. `field`
 * is the option `pk` of `changesSince`.
 */
export function mergeRecords(
  before: readonly Fields[],
  changed: readonly Fields[],
  deleted: readonly unknown[],
  unclear: readonly unknown[],
  keys: ReadonlyMap<unknown, RecordKey>,
  field: string | undefined,
  belongs: (record: Fields) => boolean,
): readonly Fields[] | undefined {
  const textOf = (record: Fields): string | undefined => {
    const { [field ?? 'id']: value } = record;
    // The cast: a key is a text or a number.
    return value == null ? undefined : String(value as string | number);
  };
  /** A record of another class can have the same primary key. */
  const keyOf = (record: Fields): string | undefined => {
    const known = field === undefined ? keys.get(record) : undefined;
    return known ? JSON.stringify([known.table, known.pk]) : textOf(record);
  };
  const records = new Map<string, Fields>();
  const byPk: Known = new Map();
  const byField: Known = new Map();
  for (const record of before) {
    const key = keyOf(record);
    if (key === undefined || records.has(key)) {
      return undefined;
    }
    records.set(key, record);
    note(byPk, keys.get(record)?.pk, key);
    note(byField, textOf(record), key);
  }
  // Deleted keys come first: a deleted record that is also among the changes was created again.
  for (const given of deleted) {
    const text = String(given);
    const key = (field === undefined ? byPk.get(text) : undefined) ?? byField.get(text);
    if (key === SEVERAL || (key !== undefined && unclear.includes(given))) {
      return undefined;
    }
    records.delete(key ?? text);
  }
  for (const record of changed) {
    const text = textOf(record);
    const other = text === undefined ? undefined : byField.get(text);
    const isOther = other === SEVERAL || (other !== undefined && records.has(other));
    let key = keyOf(record);
    if (isOther && !(key !== undefined && records.has(key))) {
      // Either the record got another key, or it is another record.
      key = keys.has(record) || other === SEVERAL ? undefined : other;
    }
    if (key === undefined) {
      return undefined;
    }
    records.set(key, record);
    if (!belongs(record)) {
      records.delete(key);
    }
  }
  return [...records.values()];
}

function note(known: Known, text: string | undefined, key: string): void {
  if (text !== undefined) {
    known.set(text, known.has(text) ? SEVERAL : key);
  }
}
