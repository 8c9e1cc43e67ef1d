import { entryOf } from '../../host/entryOf.js';
import { boundOf, unboundHook } from '../../schema/listHomes.js';
import { fieldsWhere } from '../../schema/same.js';
import { setField } from '../../schema/setField.js';
import type { CollectionShape, Shape } from '../../schema/shapes.js';
import { isListing } from './members.js';
import { isObject } from '../cells/plainValues.js';
import { ANY, fieldsAt, fieldsOf, lastPlace } from './fieldsByPlace.js';
import type { Fields, Stored } from '../cells/Cell.js';
import type { NormalizedList } from '../normalize/Normalized.js';

/** A list is stored with the page fields of its last page, such as `nextCursor`. */

/** The list in the last object that was read. In `{ list }`, the level is 1 after the object. */
export interface ReadList {
  readonly shape: CollectionShape;
  readonly list: Stored;
  readonly level: number;
}

export function plainFields(fields: ReadonlyMap<string, Shape>, normalized: Fields): Fields {
  return fieldsWhere(normalized, (field) => isPlainField(fields.get(field)));
}

/** Returns a name that no server sends, for the fields of an outer object. */
const levelField = (level: number): string => `\uFFFF${level}`;

/** `level` is 0 for fields next to the list, and 1 for `next` in `{ next, data: { results } }`. */
export function addPageFields(list: NormalizedList, level: number, plain: Fields): void {
  const place = placeOf(list);
  list.pageFields = fieldsAt(place, {
    ...fieldsOf(list.pageFields, place),
    ...(level === 0 ? plain : { [levelField(level)]: plain }),
  });
}

/** An unbound collection stands for the list of its only endpoint. */
function placeOf({ isPage, shape: { collection } }: NormalizedList): string {
  const { home } = boundOf(collection);
  return home?.place ?? (isPage || unboundHook.lists?.endpointOf(collection) ? ANY : '');
}

/**
 * The fields of an object that contains a list are those of the last page or response of its own
 * endpoint. In a row, they are the row's own fields until a further page arrives.
 */
export function withPageFields(
  fields: ReadonlyMap<string, Shape>,
  filled: Record<string, unknown>,
  { shape, list, level }: ReadList,
  isInRow: boolean,
  read: (part: Shape, raw: unknown) => unknown,
): Record<string, unknown> {
  const kept = isListing(list) && (list.isPaged || !isInRow) ? list.pageFields : undefined;
  const place = isInRow ? lastPlace(kept) : boundOf(shape.collection).home?.place;
  const own = fieldsOf(kept, place ?? ANY);
  const pageFields = level === 0 ? own : (own?.[levelField(level)] as Fields | undefined);
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
