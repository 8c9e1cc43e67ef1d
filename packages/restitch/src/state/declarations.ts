import { setField } from '../schema/fields.js';
import type { EntityShape, Shape } from '../schema/shapes.js';
import { signatureOf } from '../schema/signature.js';
import { deserialize } from '../store/views/denormalize.js';
import { isKey, pkText } from '../store/cells/keys.js';
import { mapFields, NOT_JSON } from './json.js';
import type { Naming } from './leaving.js';
import { isPlain } from '../schema/same.js';
import { own } from '../store/cells/plainValues.js';
import type { Fields } from '../store/cells/Cell.js';
import type { Declarations } from '../store/cells/StoreState.js';

/** How classes declare the fields of their rows; undefined where all of them are plain values. */
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

/** A field that is deserialized holds the raw value, as a plain one does. */
function declarationOf({ relations }: EntityShape, field: string): string {
  const part = relations.get(field);
  return part ? signatureOf(part) : '';
}

/**
 * The fields of a hydrated row that classes can read, for each of which one of them must declare it as those did that exported
 * it; `fields` itself where these are all. Undefined where they are of another row, or a class throws over what is left.
 */
export function fittingFields(
  shapes: readonly EntityShape[],
  fields: Fields,
  pk: string,
  declared: Declarations = {},
): Fields | undefined {
  try {
    // What a class makes its own key of may be more than fields.
    if (!shapes.some(({ custom }) => custom.pk || pkText(fields['id']) === pk)) {
      return undefined;
    }
    const fitting = mapFields(fields, (value, field) =>
      shapes.some((shape) => {
        // The cast: if it is something else, the state is damaged, and this throws.
        const texts = (own(declared, field) ?? ['']) as readonly string[];
        // A class for which it is plain stored it as it came.
        const relation = texts.includes('') ? undefined : shape.relations.get(field);
        const part = relation ?? shape.readers.get(field);
        return texts.includes(declarationOf(shape, field)) && isReadable(part, value);
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

/** Whether a stored value can be read as a shape; what it refers to is not looked at. */
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
      // It passes through whatever is of none of its classes.
      return true;
    default:
  }
  try {
    return deserialize(shape, value) !== NOT_JSON;
  } catch {
    return false;
  }
}
