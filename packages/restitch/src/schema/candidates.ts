import { isDevelopment } from '../errors/development.js';
import type { IndexCandidate } from './Lookup.js';
import { pkText } from './references.js';
import { isObject } from './same.js';
import type { EntityShape } from './shapes.js';

/**
 * Returns the row that arguments name by the `queryKey` of its class: its primary key, or a
 * candidate by an indexed field.
 */
export function candidateOf(
  shape: EntityShape,
  args: readonly unknown[],
): string | IndexCandidate | undefined {
  const { entity, name } = shape;
  const named: unknown = entity.queryKey(args);
  if (!isObject(named)) {
    return pkText(named);
  }
  const { indexes } = entity;
  const [[field, value] = []] = Object.entries(named);
  if (field === undefined || ![...indexes].includes(field)) {
    throw new TypeError(
      isDevelopment
        ? `\`queryKey\` of ${name} names \`${field}\`, which is not one of its \`indexes\`.`
        : `${name}.queryKey`,
    );
  }
  if (!('~find' in indexes)) {
    throw new TypeError(
      isDevelopment
        ? `\`indexes\` of ${name} is a plain array: write \`static indexes = indexBy('${field}')\`.`
        : `${name}.indexes`,
    );
  }
  const text = pkText(value);
  return text === undefined ? undefined : indexes['~find'](shape, field, text);
}
