import { entitiesOf } from './shape.js';
import type { EntityShape, Shape } from './shapes.js';

/** Shapes with equal texts can read each other's stored results, even in another program. */
export function signatureOf(shape: Shape, within: readonly Shape[] = []): string {
  const { kind } = shape;
  const level = within.indexOf(shape);
  if (level >= 0) {
    return `^${within.length - level}`;
  }
  const path = [...within, shape];
  switch (shape.kind) {
    case 'leaf':
    case 'deserialize':
      // The value is stored as the server sent it, so the conversion does not matter.
      return '';
    case 'entity':
      return shape.table;
    case 'array':
      return `[${signatureOf(shape.member, path)}]`;
    case 'values':
      return `{*:${signatureOf(shape.member, path)}}`;
    case 'object': {
      const parts = [...shape.fields].map(
        ([field, part]) => `${JSON.stringify(field)}:${signatureOf(part, path)}`,
      );
      return `{${parts.sort().join()}}`;
    }
    case 'collection':
      return `${kind}${shape.key}`;
    case 'edit':
      return `${kind}${shape.list.key}`;
    case 'invalidate':
    case 'all':
    case 'custom':
    case 'lazy':
      return `${kind}(${signatureOf(shape.member, path)})`;
    case 'union': {
      const parts = [...entitiesOf(shape)].map(
        ({ entity, path: way }) => `${JSON.stringify(way)}:${entity.table}`,
      );
      return `${kind}{${parts.sort().join()}}`;
    }
    default:
      return kind;
  }
}

/** Yields the entity classes of the records in a value, without their relations. */
export function* entitiesIn(shape: Shape, seen: Set<Shape> = new Set()): Iterable<EntityShape> {
  if (seen.has(shape)) {
    return;
  }
  seen.add(shape);
  if (shape.kind === 'entity' || shape.kind === 'union') {
    for (const { entity } of entitiesOf(shape)) {
      yield entity;
    }
  } else if (shape.kind === 'object') {
    for (const part of shape.fields.values()) {
      yield* entitiesIn(part, seen);
    }
  } else if ('member' in shape) {
    yield* entitiesIn(shape.member, seen);
  }
}

/** True if a value of this shape can contain records of the class, except in relations. */
export function isAbout(shape: Shape, { table }: Pick<EntityShape, 'table'>): boolean {
  for (const entity of entitiesIn(shape)) {
    if (entity.table === table) {
      return true;
    }
  }
  return false;
}
