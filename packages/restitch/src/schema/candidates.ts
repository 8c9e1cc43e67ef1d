import { isDevelopment } from '../errors/development.js';
import type { IndexCandidate } from './Lookup.js';
import { pkText } from './referenceText.js';
import { isObject } from './same.js';
import type { EntityShape } from './shapes.js';

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
    throw new TypeError(
      isDevelopment
        ? `\`queryKey\` of ${name} names \`${Object.keys(named)[0]}\`: write \`static indexes = indexBy('${Object.keys(named)[0]}')\`.`
        : `${name}.queryKey`,
    );
  }
  return indexes.$find(shape, named);
}
