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
import type { Fields, Stored } from '../store/cells/Cell.js';
import type { Declarations } from '../store/cells/StoreState.js';

/** Returns the declarations of each field with a schema, as texts. */
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

/** The text is empty for a plain field, and for a field with a deserializer such as `Date`. */
function declarationOf({ relations }: EntityShape, field: string): string {
  const part = relations.get(field);
  return part ? signatureOf(part) : '';
}

/** Fields with `declare` do not exist at run time, so they count as undeclared. */
export function declares({ relations, readers, defaults }: EntityShape, field: string): boolean {
  return relations.has(field) || readers.has(field) || Object.hasOwn(defaults(), field);
}

export interface Fitting {
  /** Undefined if the fields belong to another row, or if a class rejects them. */
  readonly stored: Stored;
  /** The fields that wait for a class that this program has not used yet, and the `unfit` ones. */
  readonly unread: ReadonlySet<string>;
  /** The fields that a class of this program declares otherwise. */
  readonly unfit: ReadonlySet<string>;
  /** The fields that a class of this program needs, but cannot read. */
  readonly lost: ReadonlySet<string>;
  /** True if the exporting program had a declaration that this program has not. */
  readonly hasOthers: boolean;
}

/**
 * Returns the fields of a hydrated row that this program can read. A field is readable if a class
 * of this program declares it like a class of the exporting program.
 */
export function fittingFields(
  shapes: readonly EntityShape[],
  fields: Fields,
  pk: string,
  declared: Declarations = {},
): Fitting {
  const unread = new Set<string>();
  const unfit = new Set<string>();
  const lost = new Set<string>();
  let hasOthers = false;
  try {
    // A class with its own `pk` may compute the key from other data, so its rows are not checked.
    if (!shapes.some(({ custom }) => custom.pk || pkText(fields['id']) === pk)) {
      return misfit(fields);
    }
    const fitting = mapFields(fields, (value, field) => {
      // The cast: `declared` was checked.
      const texts = (own(declared, field) ?? ['']) as readonly string[];
      hasOthers ||= texts.some((text) =>
        shapes.every((shape) => declarationOf(shape, field) !== text),
      );
      if (shapes.some((shape) => fitsField(shape, field, value, texts))) {
        return value;
      }
      unread.add(field);
      const isOfOther = shapes.every((shape) => !declares(shape, field));
      if (
        isOfOther ||
        (texts.length > 1 && shapes.some((shape) => texts.includes(declarationOf(shape, field))))
      ) {
        if (shapes.some((shape) => own(shape.defaults(), field) !== undefined)) {
          lost.add(field);
        }
      } else {
        unfit.add(field);
        lost.add(field);
      }
      return NOT_JSON;
    });
    for (const { entity, custom } of shapes) {
      if (custom.create || custom.validate) {
        entity.createIfValid(fitting);
      }
    }
    return { stored: fitting, unread, unfit, lost, hasOthers };
  } catch {
    return misfit(fields);
  }
}

export function misfit(stored: Fields): Fitting {
  const fields = new Set(Object.keys(stored));
  return { stored: undefined, unread: fields, unfit: fields, lost: fields, hasOthers: true };
}

function fitsField(
  shape: EntityShape,
  field: string,
  value: unknown,
  texts: readonly string[],
): boolean {
  const text = declarationOf(shape, field);
  // If an exporting class declares the field as plain, the value can have any form.
  const relation = texts.includes('') ? undefined : shape.relations.get(field);
  // True if another exporting class may have stored a reference that this class cannot read.
  const isForeign =
    texts.some((other) => other !== text && HAS_REFERENCES.test(other)) &&
    !HAS_REFERENCES.test(text) &&
    mayRefer(value);
  return (
    texts.includes(text) && !isForeign && isReadable(relation ?? shape.readers.get(field), value)
  );
}

const HAS_REFERENCES = /collection|union/;

/** Returns true if a value may refer to a list (a map of texts) or to a member of a union. */
function mayRefer(value: unknown): boolean {
  if (isPlain(value)) {
    const parts = Object.values(value);
    const isList = parts.length > 0 && parts.every((part) => typeof part === 'string');
    return isList || parts.some(mayRefer);
  }
  return Array.isArray(value) ? value.some(isUnionRef) : isUnionRef(value);
}

const isUnionRef = (value: unknown): boolean => parseUnionRef(value) !== undefined;

/** Checks that references are readable, but not the records behind them. */
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
      // A union returns a value unchanged if the value matches no class.
      return true;
    default:
  }
  try {
    return deserialize(shape, value) !== NOT_JSON;
  } catch {
    return false;
  }
}
