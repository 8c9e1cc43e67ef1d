import { setField } from '../schema/Entity.js';
import { type Cursor, deserialize, fieldOf, fill, type Was } from './fill.js';
import { isFields } from './fold.js';
import { freeze } from './freeze.js';
import { nodeAt } from './nodes.js';
import { noteOrigin } from './origins.js';
import type { CellNode } from './state.js';

/**
 * A new instance of the row that a node shows, still without its relations, so that rows in a circle can point at one
 * another; undefined where there is no row to show.
 */
export function allocateRow(node: CellNode): object | undefined {
  const { cell, shape } = node;
  const fields = cell.shown;
  if (shape.kind !== 'entity' || !isFields(fields)) {
    return undefined;
  }
  const { relations, readers, custom, entity } = shape;
  if (custom.validate && !custom.create && entity.validate(fields)) {
    return undefined;
  }
  const instance: object | undefined = custom.create ? entity.createIfValid(fields) : new entity();
  if (!instance) {
    return undefined;
  }
  const plain = custom.create ? NO_FIELDS : shape.plain(instance);
  for (const key of Object.keys(fields)) {
    if (plain.has(key)) {
      // The cast: it has a field of that name, so that no accessor is in the way and `setField` need not look.
      (instance as Record<string, unknown>)[key] = fields[key];
      continue;
    }
    const reader = readers.get(key);
    if (reader) {
      setField(instance, key, deserialize(reader, fields[key], fieldOf(node, key)));
    } else if (!(custom.create || relations.has(key))) {
      setField(instance, key, fields[key]);
    }
  }
  if (readers.size > 0) {
    noteOrigin(instance, fields);
  }
  return relations.size === 0 ? freeze(instance) : instance;
}

const NO_FIELDS: ReadonlySet<string> = new Set();

/**
 * Gives a new instance its relations. Equal parts of the previous instance are kept. False where a record that the class
 * requires is gone: the row then counts as missing.
 */
export function relateRow({ cell, shape, links }: CellNode, instance: object, was: Was): boolean {
  const fields = cell.shown;
  if (shape.kind !== 'entity' || shape.relations.size === 0 || !isFields(fields)) {
    return true;
  }
  const cursor: Cursor = { links, next: 0 };
  for (const [field, part] of shape.related) {
    if (Object.hasOwn(fields, field)) {
      const child = nodeAt(links, cursor.next);
      const value = fill(part, fields[field], cursor, fieldOf(was, field));
      if (
        child &&
        child.goneIn > 0 &&
        child !== nodeAt(links, cursor.next) &&
        shape.requires(field)
      ) {
        return false;
      }
      // A relation to a row that is not here keeps the class's default.
      if (value !== undefined) {
        setField(instance, field, value);
      } else if (shape.custom.create) {
        setField(instance, field, shape.defaults()[field]);
      }
    }
  }
  freeze(instance);
  return true;
}
