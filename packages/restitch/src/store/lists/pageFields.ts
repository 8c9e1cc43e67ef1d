import { entryOf } from '../../host/entryOf.js';
import { fieldsWhere } from '../../schema/same.js';
import { setField } from '../../schema/setField.js';
import type { Shape } from '../../schema/shapes.js';
import { isListing } from './members.js';
import { isObject } from '../cells/plainValues.js';
import type { Fields, Stored } from '../cells/Cell.js';

/** A list is stored with the page fields of its last page, such as `nextCursor`. */

export function plainFields(fields: ReadonlyMap<string, Shape>, normalized: Fields): Fields {
  return fieldsWhere(normalized, (field) => isPlainField(fields.get(field)));
}

/** Returns a name that no server sends, for the fields of an outer object. */
const levelField = (level: number): string => `\uFFFF${level}`;

/** `level` is 0 for fields next to the list, and 1 for `next` in `{ next, data: { results } }`. */
export function addPageFields(
  pageFields: Fields | undefined,
  level: number,
  plain: Fields,
): Fields {
  return level === 0 ? plain : { ...pageFields, [levelField(level)]: plain };
}

/**
 * The fields of an object that contains a list are those of the last page. In a row, they are the
 * row's own fields until a further page arrives: another response can contain the list, too.
 */
export function withPageFields(
  fields: ReadonlyMap<string, Shape>,
  filled: Record<string, unknown>,
  current: Stored,
  level: number,
  isInRow: boolean,
  read: (part: Shape, raw: unknown) => unknown,
): Record<string, unknown> {
  const isKept = isListing(current) && (current.isPaged || !isInRow);
  const kept = isKept ? current.pageFields : undefined;
  const pageFields = level === 0 ? kept : (kept?.[levelField(level)] as Fields | undefined);
  if (!pageFields) {
    return filled;
  }
  const next: Record<string, unknown> = {};
  for (const field of Object.keys({ ...filled, ...pageFields })) {
    const part = fields.get(field);
    if (field.startsWith('\uFFFF')) {
      continue;
    }
    if (!isPlainField(part)) {
      setField(next, field, filled[field]);
    } else if (Object.hasOwn(pageFields, field)) {
      setField(next, field, part ? readOnce(pageFields, field, part, read) : pageFields[field]);
    }
  }
  return next;
}

/** Deserialized page fields, so that each read returns the same objects. */
const known = new WeakMap<Fields, Map<string, unknown>>();

function readOnce(
  pageFields: Fields,
  field: string,
  part: Shape,
  read: (part: Shape, raw: unknown) => unknown,
): unknown {
  const values = entryOf(known, pageFields, () => new Map<string, unknown>());
  return entryOf(values, field, () => read(part, pageFields[field]));
}

function isPlainField(part: Shape | undefined): boolean {
  return part === undefined || part.kind === 'deserialize';
}

/** Before the first build, the `source` of a list node is not a listing. */
export function pageFieldsOf(source: unknown): unknown {
  return isObject(source) ? source['pageFields'] : undefined;
}
