import { entryOf } from '../host/entryOf.js';
import { pkText } from './referenceText.js';
import type { EntityClass } from './Schema.js';
import { isObject, isPlain, own } from './same.js';
import { assignFields } from './setField.js';
import type { EntityShape } from './shapes.js';

/**
 * Returns the fields with deserialized values and related records. A custom `pk` receives them for
 * stored records and for arguments, as in an instance. Set by the store.
 */
export const keyReading: { read: (entity: EntityClass, fields: object) => object } = {
  read: (_, fields) => fields,
};

/** For a custom `pk`, this is the declared field whose value `pk` returns unchanged. */
export function keyFieldOf({ custom, defaults, entity }: EntityShape): string | undefined {
  return custom.pk
    ? Object.keys(defaults()).find((field) => pkOf(entity, { [field]: PROBE }) === PROBE)
    : 'id';
}

/**
 * Returns the fields without a value that a custom `pk` reads. A default counts as a value, except
 * for `''`, 0 and a date. Otherwise, a record without a key would get the key of these defaults:
 *
 * ```
 *   pk                              fields        key by defaults    empty key fields
 *   this.code                       {}            0                  code
 *   `${this.org}/${this.id}`        { id: 1 }     /1                 org
 *   this.slug || this.id            { id: 1 }     1                  none: `id` replaces `slug`
 * ```
 */
export function emptyKeyFields(entity: EntityClass, fields: object): readonly string[] {
  const known = pkOf(entity, fields);
  if (known === undefined) {
    return [];
  }
  const isDefault = known === pkOf(entity, {});
  return otherKeyFields(entity, fields, EMPTY).filter(
    (field) =>
      // A `pk` can expect null, as in `this.parent === null ? 'root' : …`.
      (own(fields, field) === undefined || known.includes('null')) &&
      (isDefault || pkOf(entity, { ...fields, [field]: PROBE }) !== PROBE),
  );
}

/** Returns the fields without a value that `pk` reads, also those with a default. */
export function otherKeyFields(
  entity: EntityClass,
  fields: object,
  only?: ReadonlySet<unknown>,
): readonly string[] {
  const defaults: object = { id: undefined, ...new entity() };
  return Object.keys(defaults).filter((field) => {
    const value: unknown = own(defaults, field);
    if (own(fields, field) != null || (only && !only.has(value) && !isObject(value))) {
      return false;
    }
    const probe = probeFor(value);
    const pk = pkOf(entity, { ...fields, [field]: probe });
    return probe === PROBE || probe === PROBE_RECORD
      ? pk?.includes(PROBE)
      : pk && pk !== pkOf(entity, fields);
  });
}

/** A `pk` can call methods of a date or bigint, so the probe is of the same type. */
function probeFor(value: unknown): unknown {
  return value instanceof Date
    ? PROBE_DATE
    : typeof value === 'bigint'
      ? PROBE_BIGINT
      : isObject(value)
        ? PROBE_RECORD
        : PROBE;
}

/** Returns the fields that `pk` reads, also those that only decide: `this.old ? 1 : this.id`. */
export function readFieldsOf(entity: EntityClass): ReadonlySet<string> {
  return entryOf(allReadFields, entity, () => {
    const names = new Set(otherKeyFields(entity, {}));
    const note = (name: string, value: unknown, isNested: boolean): void => {
      // A getter is no field, but it reads fields.
      const isGetter = !Object.hasOwn(new entity(), name) && name in entity.prototype;
      if (!isNested && !isGetter && typeof value !== 'function') {
        names.add(name);
      }
    };
    observePk(entity, {}, note);
    // A `pk` can read a field only if another one has a value, as in `this.id && …`.
    for (let size = 0; size < names.size;) {
      size = names.size;
      const probes: Record<string, unknown> = { ...new entity() };
      names.forEach((name) => (probes[name] = probeFor(probes[name])));
      observePk(entity, probes, note);
    }
    return names;
  });
}

/** True if the arguments contain each field that `pk` reads, so that they fit one record only. */
export function isWholeKey(entity: EntityClass, given: unknown): boolean {
  const parts = readFieldsOf(entity);
  let isWhole = true;
  for (const part of parts.size > 1 && isObject(given) ? parts : []) {
    isWhole &&= own(given as object, part) != null;
  }
  return isWhole;
}

/** True if `pk` returns the same for records without any field. */
export function isDefaultKey(entity: EntityClass, fields: object): boolean {
  return pkOf(entity, fields) === pkOf(entity, {});
}

/** Optimization: most records have a value for each field that can be empty. */
export function lacksKey(entity: EntityClass, fields: object): boolean {
  const all = entryOf(canBeEmpty, entity, () => emptyKeyFields(entity, {}));
  return (
    all.some((field) => own(fields, field) == null) && emptyKeyFields(entity, fields).length > 0
  );
}

/**
 * True if the key contains the text of a field that does not identify a record:
 *
 * - of a field without a value and default, as in `a/undefined`
 * - of a missing field of a related record, of which the server sent the key only
 * - of a date: this text depends on the time zone, and lacks the milliseconds
 * - of an object: `[object Object]`
 * - of a number that `JSON.parse` has rounded
 */
export function isIncomplete(entity: EntityClass, fields: object, key: unknown): boolean {
  const text = String(key);
  let isMissing = false;
  // The parent and its key, which `pk` may use, can be undefined.
  let isUndefined = entity.prototype.pk.length === 0 && text.includes('undefined');
  if (/undefined|NaN|Invalid Date|GMT|\[object |\d{16}|e\+/.test(text)) {
    observePk(entity, fields, (_, value) => {
      const isDate = value instanceof Date;
      const isUnfit =
        isObject(value) || (!/string|boolean/.test(typeof value) && pkText(value) === undefined);
      isMissing ||=
        (isUnfit && text.includes(String(value))) ||
        (isDate ? Number.isNaN(value.getTime()) : isObject(value) && text.includes('[object '));
      // The text can belong to a value, or to `this.owner?.name` without an owner.
      isUndefined &&= value !== null && !`${value as string}`.includes('undefined');
    });
  }
  return isMissing || isUndefined;
}

/** `isNested` is true for a field of a related record. */
function observePk(
  entity: EntityClass,
  fields: object,
  note: (name: string, value: unknown, isNested: boolean) => void,
): void {
  const observed = (record: object, isNested: boolean): object =>
    new Proxy(record, {
      get(target, name, observer) {
        const value: unknown = Reflect.get(target, name, observer);
        if (typeof name === 'string') {
          note(name, value, isNested);
        }
        return !isNested && isPlain(value) ? observed(value, true) : value;
      },
    });
  callPk(entity, observed(assignFields(new entity(), fields), false));
}

const allReadFields = new WeakMap<EntityClass, ReadonlySet<string>>();
const canBeEmpty = new WeakMap<EntityClass, readonly string[]>();

/** Returns undefined if `pk` needs arguments or a parent. */
export function pkOf(entity: EntityClass, fields: object): string | undefined {
  return callPk(entity, assignFields(new entity(), fields));
}

function callPk({ prototype }: EntityClass, record: object): string | undefined {
  try {
    return pkText(prototype.pk.call(record, undefined, undefined, []));
  } catch {
    return undefined;
  }
}

const EMPTY: ReadonlySet<unknown> = new Set([undefined, null, '', 0, 0n]);

// Digits stay the same in `encodeURIComponent`, `toLowerCase` and `Number`.
const PROBE = '7310582946013';

// Values that no class uses as a default.
const PROBE_DATE = new Date(9e12);
const PROBE_BIGINT = 9_999_999_999n;

/** Stands for a related record: `pk` may read its key, as in `${this.team}:${this.user.id}`. */
const PROBE_RECORD: object = new Proxy({}, { get: () => PROBE });
