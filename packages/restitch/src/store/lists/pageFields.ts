import { setField } from '../../schema/fields.js';
import type { Shape } from '../../schema/shapes.js';
import { isListing } from './members.js';
import { isCellNode } from '../views/nodes.js';
import { isObject } from '../cells/plainValues.js';
import type { CellNode, Node } from '../views/Node.js';
import type { Fields } from '../cells/Cell.js';

/**
 * Fields beside a list, such as `nextCursor` in `{ results: […], nextCursor }`. They are kept with the list, since they belong
 * to whichever answer determined its end: after a further page they are those of the page, wherever the list is read.
 */

/** The fields of an object that are plain values: neither records nor lists. */
export function plainFields(fields: ReadonlyMap<string, Shape>, normalized: Fields): Fields {
  return Object.fromEntries(
    Object.entries(normalized).filter(([field]) => isPlainField(fields.get(field))),
  );
}

/** Where the plain fields of an object further up stand among those beside the list; no server sends such a field. */
const levelField = (level: number): string => `\uFFFF${level}`;

/** What stands beside a list, with the plain fields of an object that is `level` objects further up. */
export function addPageFields(beside: Fields | undefined, level: number, plain: Fields): Fields {
  return level === 0 ? plain : { ...beside, [levelField(level)]: plain };
}

/** An object as it reads now that the list in it ends elsewhere: its plain fields are those that are kept with the list. */
export function withPageFields(
  fields: ReadonlyMap<string, Shape>,
  filled: Record<string, unknown>,
  list: CellNode | undefined,
  level: number,
  read: (part: Shape, raw: unknown) => unknown,
): Record<string, unknown> {
  const shown = list?.cell.shown;
  const kept = isListing(shown) ? shown.beside : undefined;
  // The cast: the fields of an object further up were put there as such.
  const beside = level === 0 ? kept : (kept?.[levelField(level)] as Fields | undefined);
  if (!beside) {
    return filled;
  }
  const next: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(filled), ...Object.keys(beside)])) {
    const part = fields.get(field);
    if (field.startsWith('\uFFFF')) {
      continue;
    }
    if (!isPlainField(part)) {
      setField(next, field, filled[field]);
    } else if (Object.hasOwn(beside, field)) {
      setField(next, field, part ? readOnce(beside, field, part, read) : beside[field]);
    }
  }
  return next;
}

/** What was deserialized, by what it stood beside: as long as that is the same object, so is what is read. */
const known = new WeakMap<Fields, Map<string, unknown>>();

function readOnce(
  beside: Fields,
  field: string,
  part: Shape,
  read: (part: Shape, raw: unknown) => unknown,
): unknown {
  const values = known.get(beside) ?? new Map<string, unknown>();
  known.set(beside, values);
  if (!values.has(field)) {
    values.set(field, read(part, beside[field]));
  }
  return values.get(field);
}

/** Values that pass through as they are have no part. */
function isPlainField(part: Shape | undefined): boolean {
  return part === undefined || part.kind === 'deserialize';
}

/** What stands beside a list is shown by whoever contains it, although the list itself may be the same. */
export function besideOf(node: Node): unknown {
  const isList = isCellNode(node) && node.shape.kind === 'collection';
  // The source of a list's node is what its cell showed.
  return isList && isObject(node.source) ? node.source['beside'] : undefined;
}
