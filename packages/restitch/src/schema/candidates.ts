import { isDevelopment } from '../errors/development.js';
import type { IndexCandidate } from './Lookup.js';
import { indexText, pkText } from './referenceText.js';
import { isObject } from './same.js';
import type { EntityShape } from './shapes.js';

/**
 * Returns the row that `queryKey` selects: its primary key, or a candidate for an indexed field.
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
  const isKnown = field !== undefined && [...indexes].includes(field);
  if (!isKnown || !('~find' in indexes)) {
    throw new TypeError(
      isDevelopment
        ? isKnown
          ? `\`indexes\` of ${name} is a plain array: write \`static indexes = indexBy('${field}')\`.`
          : `\`queryKey\` of ${name} names \`${field}\`, which is not one of its \`indexes\`.`
        : `${name}.queryKey`,
    );
  }
  const text = indexText(value);
  return text === undefined ? undefined : indexes['~find'](shape, field, text);
}
