import type { NodePath } from '@babel/traverse';
import type { Expression } from '@babel/types';
import { dotted } from './clients.js';
import { type Module, textOf } from './module.js';
import { refuse } from './reasons.js';
import { constantInit, knownType } from './values.js';

/** Returns a timeout for restitch. In both libraries, 0 means no timeout. */
export function timeoutText(module: Module, value: NodePath<Expression>): string {
  const literal = value.isNumericLiteral() ? value : constantInit(value);
  const text = textOf(module, value.node);
  if (literal?.isNumericLiteral()) return text;
  const known = knownType(value);
  if (known && known !== 'number') refuse('config-option', '`timeout` that is no number');
  if (dotted(value.node)) return text;
  // The text is arithmetic, such as `60 * 1000`.
  if (known === 'number' && /^[\d\s*+_.]+$/.test(text)) return text;
  return refuse('config-option', '`timeout` that cannot be followed');
}
