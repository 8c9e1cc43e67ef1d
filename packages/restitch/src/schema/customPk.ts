import type { Entity } from './Entity.js';
import { pkText } from './referenceText.js';
import { assignFields } from './setField.js';
import type { EntityShape } from './shapes.js';

export function instanceOf(shape: EntityShape, fields: object): Entity {
  return assignFields(new shape.entity(), fields);
}

export function customPk(
  shape: EntityShape,
  record: object,
  args: readonly unknown[],
  parent?: unknown,
  key?: string,
): string | undefined {
  const { entity } = shape;
  const instance = record instanceof entity ? record : instanceOf(shape, record);
  return pkText(entity.prototype.pk.call(instance, parent, key, args));
}
