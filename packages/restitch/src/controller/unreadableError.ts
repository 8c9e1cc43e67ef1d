import { isDevelopment } from '../errors/development.js';
import { SchemaError } from '../errors/SchemaError.js';
import { isFields } from '../store/journal/applyPatch.js';
import { isMissing } from '../store/views/nodes.js';
import type { Missing } from '../store/views/missingFields.js';
import type { CellNode } from '../store/views/Node.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** `docs/errors.md` explains each reason. */
export function unreadable(
  name: string,
  nodes: readonly CellNode[],
  missing: Missing | undefined,
): SchemaError {
  const node = nodes.find(({ value }) => value === undefined);
  const reason = missing
    ? isDevelopment
      ? `\`merge\` or \`shouldUpdate\` kept a record without ${missing.fields.join(', ')}`
      : missing.fields.join(', ')
    : reasonOf(node);
  return new SchemaError(
    'unreadable',
    isDevelopment ? `${name}: the response cannot be read: ${reason}.` : `${name}: ${reason}`,
  );
}

function reasonOf(node: CellNode | undefined): string {
  const { cell, shape } = node ?? {};
  if (!node || !isFields(cell?.current) || shape?.kind !== 'entity') {
    return isDevelopment ? 'its record was deleted, or `process` returned nothing' : '';
  }
  const problem = shape.entity.validate(cell.current);
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    const refusal = problem
      ? `\`validate\` returned "${problem}"`
      : '`createIfValid` returned nothing';
    return `${shape.name} '${cell.pk}': ${isMissing(node) ? 'it requires a deleted record' : refusal}`;
  }
  return `${shape.name} ${cell.pk} ${problem ?? ''}`;
}
