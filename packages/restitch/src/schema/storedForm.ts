import { isObject, isPlain } from './same.js';
import type { Shape } from './shapes.js';

/**
 * False for a value that another class has stored as the server sent it, because that class does
 * not declare the field: it contains records where this shape has keys.
 */
export function isStoredForm(shape: Shape, value: unknown): boolean {
  if (value === null || value === undefined) {
    return true;
  }
  switch (shape.kind) {
    case 'entity':
      return !isObject(value);
    case 'collection':
      // The arguments of the list, as texts.
      return (
        isPlain(value) && Object.values(value).every((argument) => typeof argument === 'string')
      );
    case 'array':
      return Array.isArray(value) && value.every((item) => isStoredForm(shape.member, item));
    case 'values':
      return Object.values(value).every((item) => isStoredForm(shape.member, item));
    case 'object':
      return (
        isObject(value) &&
        !Array.isArray(value) &&
        [...shape.fields].every(([field, part]) => isStoredForm(part, Reflect.get(value, field)))
      );
    case 'custom':
    case 'lazy':
      return isStoredForm(shape.member, value);
    default:
      return true;
  }
}
