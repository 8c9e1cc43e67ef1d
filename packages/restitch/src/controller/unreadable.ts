import { isDevelopment } from '../errors/development.js';
import { SchemaError } from '../errors/SchemaError.js';
import { isFields } from '../store/fold.js';
import { goneIn } from '../store/gone.js';
import type { Missing } from '../store/missing.js';
import type { CellNode } from '../store/state.js';

/** Why nothing can be shown of a response that was stored. */
export function unreadable(
  name: string,
  nodes: readonly CellNode[],
  missing: Missing | undefined,
): SchemaError {
  const [reason, fix] = missing ? lost(missing) : reasonOf(nodes);
  const message = `${name}: the response cannot be read: ${reason}.`;
  return new SchemaError('unreadable', isDevelopment ? `${message} ${fix}` : message);
}

type Reason = readonly [reason: string, fix: string];

function lost({ fields }: Missing): Reason {
  return [
    `the stored record lacks ${fields.join(', ')}`,
    '`merge` or `shouldUpdate`, of its class or of another one with that key, kept what was stored, or left the fields out.',
  ];
}

function reasonOf(nodes: readonly CellNode[]): Reason {
  const node = nodes.find(({ value }) => value === undefined);
  const { cell, shape } = node ?? {};
  if (!node || cell === undefined || shape?.kind !== 'entity') {
    return ['it holds no record', '`process` gave nothing for it, or the response is empty.'];
  }
  const record = `${shape.name} '${cell.pk}'`;
  if (cell.shown === null) {
    return [`${record} was deleted`, '`process` gives nothing for a deleted record.'];
  }
  if (goneIn(node) > 0) {
    return [
      `${record} requires a deleted record`,
      'Let the server send that record along, or give the field a falsy default.',
    ];
  }
  const said = isFields(cell.shown) && shape.entity.validate(cell.shown);
  return said
    ? [
        `\`validate\` said of ${record}: ${said}`,
        'The response itself was accepted: `merge` or `shouldUpdate` made something else of what is stored.',
      ]
    : [`\`createIfValid\` gave nothing for ${record}`, 'Let it accept what is stored.'];
}
