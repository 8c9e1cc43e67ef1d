import type { EntityShape, Shape } from './shapes.js';

/** Only single records can be required: a list without a deleted member is a list. */
export function requiredFields({ defaults, relations }: EntityShape): ReadonlySet<string> {
  const fields = new Set<string>();
  const values = defaults();
  for (const [field, { kind }] of relations) {
    if ((kind === 'entity' || kind === 'union') && values[field]) {
      fields.add(field);
    }
  }
  return fields;
}

/** Whether anything in a shape is more than a value to deserialize. `seen`: what is looked through already, in a circle. */
export function holdsRecords(shape: Shape, seen: Set<Shape> = new Set()): boolean {
  if (seen.has(shape)) {
    return false;
  }
  seen.add(shape);
  switch (shape.kind) {
    case 'leaf':
    case 'deserialize':
      return false;
    case 'array':
    case 'values':
      return holdsRecords(shape.member, seen);
    case 'object':
      return [...shape.fields.values()].some((part) => holdsRecords(part, seen));
    default:
      return true;
  }
}
