import { isDevelopment } from '../errors/development.js';
import type { IndexCandidate } from './Lookup.js';
import { pkText } from './referenceText.js';
import { isObject } from './same.js';
import type { EntityShape } from './shapes.js';

/** Returns the primary key from `queryKey`, or a candidate for an indexed field. */
export function candidateOf(
  shape: EntityShape,
  args: readonly unknown[],
): string | IndexCandidate | undefined {
  const { entity, name } = shape;
  const { indexes } = entity;
  const named: unknown = entity.queryKey(args);
  if (!isObject(named)) {
    return pkText(named);
  }
  if (!('$find' in indexes)) {
    const [field] = Object.keys(named);
    throw new TypeError(
      isDevelopment
        ? `\`queryKey\` of ${name} names \`${field}\`: write \`static indexes = indexBy('${field}')\`.`
        : `${name}.queryKey`,
    );
  }
  return indexes.$find(shape, named);
}
