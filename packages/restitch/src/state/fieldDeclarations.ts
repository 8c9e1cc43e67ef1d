import { setField } from '../schema/setField.js';
import type { EntityShape, Shape } from '../schema/shapes.js';
import { signatureOf } from '../schema/signature.js';
import { deserialize } from '../store/views/denormalize.js';
import { isKey, pkText } from '../schema/referenceText.js';
import { parseUnionRef } from '../schema/unionRef.js';
import { mapFields, NOT_JSON } from './json.js';
import type { Naming } from './requireNames.js';
import { isPlain } from '../schema/same.js';
import { own } from '../store/cells/plainValues.js';
import type { Fields } from '../store/cells/Cell.js';
import type { Declarations } from '../store/cells/StoreState.js';

/**
 * Returns the field declarations of the classes of a table. Undefined means that all fields are
 * plain values.
 */
export function declarationsOf(
  shapes: readonly EntityShape[],
  named: Naming,
): Declarations | undefined {
  let declared: Record<string, readonly string[]> | undefined;
  for (const { related } of shapes) {
    for (const [field] of related) {
      const texts = new Set(
        shapes.map((shape) => named(declarationOf(shape, field), shape.relations.get(field))),
      );
      setField((declared ??= {}), field, [...texts]);
    }
  }
  return declared;
}

/**
 * Returns the declaration of one field as text. A deserialized field counts as a plain one, because
 * it stores the raw value.
 */
function declarationOf({ relations }: EntityShape, field: string): string {
  const part = relations.get(field);
  return part ? signatureOf(part) : '';
}

/**
 * Returns the fields of a hydrated row that classes can read. One of them must declare a field as
 * the exporting program did. Undefined if the fields belong to another row, or if a class rejects
 * the remaining fields.
 */
export function fittingFields(
  shapes: readonly EntityShape[],
  fields: Fields,
  pk: string,
  declared: Declarations = {},
): Fields | undefined {
  try {
    // A class with its own `pk` may compute it from other data, so its rows are not checked.
    if (!shapes.some(({ custom }) => custom.pk || pkText(fields['id']) === pk)) {
      return undefined;
    }
    const fitting = mapFields(fields, (value, field) =>
      shapes.some((shape) => {
        // The cast: any other value means damaged state, and throws below.
        const texts = (own(declared, field) ?? ['']) as readonly string[];
        // If the field is plain for one of the exporting classes, the stored value is unchanged.
        const relation = texts.includes('') ? undefined : shape.relations.get(field);
        const part = relation ?? shape.readers.get(field);
        const text = declarationOf(shape, field);
        const fits = texts.includes(text) && isReadable(part, value);
        // Another class of the exporting program may have stored a reference.
        const isOwn = texts.length === 1 || /collection|union/.test(text) || !mayRefer(value);
        return fits && isOwn;
      })
        ? value
        : NOT_JSON,
    );
    for (const { entity, custom } of shapes) {
      if (custom.create || custom.validate) {
        entity.createIfValid(fitting);
      }
    }
    return fitting;
  } catch {
    return undefined;
  }
}

/**
 * Returns true if a value may contain a reference to a list or in a union, which other classes
 * cannot read. A map of texts can be the arguments of a list.
 */
function mayRefer(value: unknown): boolean {
  if (isPlain(value)) {
    const parts = Object.values(value);
    const isList = parts.length > 0 && parts.every((part) => typeof part === 'string');
    return isList || parts.some(mayRefer);
  }
  return Array.isArray(value) ? value.some(isUnionRef) : isUnionRef(value);
}

const isUnionRef = (value: unknown): boolean => parseUnionRef(value) !== undefined;

/**
 * Returns true if a stored value can be read as a shape. It does not check the records that the
 * value refers to.
 */
export function isReadable(shape: Shape | undefined, value: unknown): boolean {
  if (!shape || (value ?? null) === null) {
    return true;
  }
  const isPart = (part: Shape | undefined) => (item: unknown) => isReadable(part, item);
  switch (shape.kind) {
    case 'entity':
      return isKey(value);
    case 'array':
      return Array.isArray(value) && value.every(isPart(shape.member));
    case 'values':
      return isPlain(value) && Object.values(value).every(isPart(shape.member));
    case 'object':
      return (
        isPlain(value) && [...shape.fields].every(([name, part]) => isPart(part)(own(value, name)))
      );
    case 'collection':
      return isPlain(value);
    case 'union':
      // A union returns values without a class unchanged.
      return true;
    default:
  }
  try {
    return deserialize(shape, value) !== NOT_JSON;
  } catch {
    return false;
  }
}
