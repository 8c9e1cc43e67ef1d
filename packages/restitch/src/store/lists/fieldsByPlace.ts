import { isObject, reuseFields } from '../cells/plainValues.js';
import type { Fields } from '../cells/Cell.js';

/**
 * If two endpoints read one list, the fields next to it can have different meanings. So each place
 * has its own fields. `'\uFFFF'` names the place of the last page:
 *
 * ```
 *   { '\uFFFF': '/thread', '/comments': { total: 2 }, '/thread': { title: 'Help' } }
 * ```
 */
type ByPlace = Fields | undefined;

const NONE: Fields = {};
const LAST = '\uFFFF';

/** Stands for every place, for a response without an endpoint that reads the list. */
export const ANY = '*';

export const fieldsAt = (place: string, fields: Fields): Fields => ({
  [LAST]: place,
  [place]: fields,
});

export const lastPlace = (fields: ByPlace): string => String(fields?.[LAST]);

export function fieldsOf(fields: ByPlace, place: string): ByPlace {
  const own = fields?.[place] ?? fields?.[ANY];
  // Damaged state can contain other values.
  return isObject(own) ? own : undefined;
}

/** If the list starts again, other places lose their fields: their last page left the list. */
export function joinFields(before: ByPlace, given: ByPlace, isRestart: boolean): ByPlace {
  if (!before || !given) {
    return given ?? (isRestart ? undefined : before);
  }
  const place = lastPlace(given);
  const own = reuseFields(fieldsOf(before, place) ?? NONE, fieldsOf(given, place) ?? NONE);
  return reuseFields(before, {
    ...(isRestart || place === ANY ? {} : before),
    ...fieldsAt(place, own),
  });
}

/** Returns the fields after a response that is not the last page of the list. */
export function keepLast(before: ByPlace, given: ByPlace): ByPlace {
  const place = lastPlace(before);
  return before && given && place !== ANY && place !== lastPlace(given)
    ? { ...joinFields(before, given, false), [LAST]: place }
    : (before ?? given);
}
