import type { NodePath } from '@babel/traverse';
import type { Expression, Node } from '@babel/types';
import { dotted } from './clients.js';
import type { Draw, Entry } from './draw.js';
import { isEncoded } from './encoded.js';
import type { Module } from './module.js';
import { argumentFor } from './pathValue.js';
import { refuse } from './reasons.js';
import { decoded, nameOfValue, type Part, type Url } from './url.js';
import { insideCast, knownType } from './values.js';

/** Returns text with the special characters of a path template escaped. */
export const escaped = (text: string): string => text.replace(/[{}()[\]+?!:*\\]/g, '\\$&');

/** Returns a name that is not taken yet, and adds it to `taken`. */
export function freeName(wanted: string, taken: Set<string | undefined>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`;
  taken.add(name);
  return name;
}

/**
 * Returns the template of a path and the arguments for it.
 *
 * @param taken The names of other arguments. The names of the path are added.
 */
export function pathOf(
  draw: Draw,
  url: Url,
  taken: Set<string | undefined>,
  open: boolean,
): { template: string; entries: Entry[] } {
  const entries: Entry[] = [];
  let template = '';
  for (const part of url.path) {
    if (typeof part === 'string') {
      template += escaped(part);
      continue;
    }
    if (open) refuse('query-clash', 'an object of unknown keys could hold that of a path value');
    const value = segmentValue(draw.module, part);
    const name = freeName(nameOfValue(value), taken);
    template += `:${name}`;
    entries.push(argumentFor(draw, name, value));
  }
  return { template, entries };
}
// Returns true if one case of an expression is an empty text.
const mayBeEmpty = (path: NodePath): boolean =>
  path.isConditionalExpression()
    ? mayBeEmpty(path.get('consequent')) || mayBeEmpty(path.get('alternate'))
    : path.isStringLiteral({ value: '' }) ||
      (path.isTemplateLiteral() && path.node.end === (path.node.start ?? 0) + 2);

const isName = (node: Node): boolean => dotted(node) !== '';

// Returns the value of a whole segment. Refuses an expression that may be empty or missing, because
// restitch would not send the request.
function segmentValue(module: Module, part: Exclude<Part, string>): NodePath<Expression> {
  const value = decoded(part);
  if (isEncoded(module, value)) refuse('url-unknown', 'a value in its path is encoded already');
  const known = knownType(value);
  if (known && known !== 'string' && known !== 'number')
    refuse('url-unknown', 'a value in its path is neither a text nor a number');
  const plain = insideCast(value) ?? value;
  if (plain.isIdentifier() || plain.isMemberExpression() || plain.isCallExpression()) return value;
  if (mayBeEmpty(plain)) refuse('url-unknown', 'a value in its path may be missing');
  if (known) return value;
  // The value is an expression such as `id || 'me'`.
  if (plain.isLogicalExpression() && plain.node.operator !== '&&' && isName(plain.node.left)) {
    const right = plain.get('right');
    if (isName(right.node) || (knownType(right) && !mayBeEmpty(right))) return value;
  }
  return refuse('url-unknown', 'a value in its path may be missing');
}
