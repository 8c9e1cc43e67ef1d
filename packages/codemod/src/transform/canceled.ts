import type { NodePath } from '@babel/traverse';
import { propertyName } from './clients.js';
import { insertion } from './edits.js';
import { endOf, type Module, startOf, textOf } from './module.js';

const CANCELED = 'CanceledError';
const ABORTED = 'AbortError';

/**
 * Adds a test for `AbortError` to each comparison of a `name` with `'CanceledError'`. When a
 * converted request is canceled, its error has the name `AbortError`.
 */
export function writeCanceled(module: Module): void {
  if (!module.source.includes(CANCELED)) return;
  module.program.traverse({
    BinaryExpression(path) {
      const { operator, left, right } = path.node;
      if (!/^[!=]==?$/.test(operator)) return;
      const literal = [left, right].find((one) => one.type === 'StringLiteral');
      const name = [left, right].find((one) => propertyName(one) === 'name');
      if (literal?.type !== 'StringLiteral' || literal.value !== CANCELED || !name) return;
      const joins = operator.startsWith('=') ? '||' : '&&';
      if (isJoined(module, path, joins)) return;
      const text = textOf(module, path.node).replace(CANCELED, ABORTED);
      const isAlone = path.parentPath.isLogicalExpression({ operator: joins }) || isTest(path);
      if (!isAlone) module.edits.push(insertion(startOf(path.node), '('));
      module.edits.push(insertion(endOf(path.node), ` ${joins} ${text}${isAlone ? '' : ')'}`));
    },
  });
}

const isTest = ({ key, parent }: NodePath): boolean =>
  (key === 'test' && /^(If|While)Statement$/.test(parent.type)) ||
  parent.type === 'ReturnStatement';

// Returns true if `AbortError` is already tested, as in
// `name === 'CanceledError' || name === 'AbortError'`.
function isJoined(module: Module, path: NodePath, operator: '||' | '&&'): boolean {
  const { parentPath: parent } = path;
  if (!parent?.isLogicalExpression({ operator })) return false;
  return textOf(module, parent.node).includes(ABORTED) || isJoined(module, parent, operator);
}
