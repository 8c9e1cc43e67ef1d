import type { Binding, NodePath } from '@babel/traverse';
import { dotted } from './clients.js';
import { type Module, textOf } from './module.js';
import { insideCast } from './values.js';

/** Matches names of values that are probably encoded, and of functions that probably encode. */
const NAMED = /encod|escape|^safe($|[A-Z_])|^enc($|[A-Z_])/i;
const CALLS = /\b(encodeURI(Component)?|escape)\s*\(|\.\s*stringify\s*\(/;

/**
 * Returns true if a value may already be percent-encoded when it is put into a URL. An endpoint
 * would encode it a second time. Axios sends the text of a URL unchanged.
 */
export function isEncoded(module: Module, value: NodePath): boolean {
  const seen = new Set<Binding>();
  const check = (path: NodePath): boolean => {
    const inside = insideCast(path);
    if (inside) return check(inside);
    if (path.isIdentifier()) return isNamed(path.node.name) || isBoundEncoded(path);
    if (path.isMemberExpression() || path.isOptionalMemberExpression()) {
      const { property, computed } = path.node;
      if (!computed && property.type === 'Identifier' && isNamed(property.name)) return true;
      return check(path.get('object') as NodePath);
    }
    if (path.isCallExpression() || path.isOptionalCallExpression()) {
      const callee = path.get('callee') as NodePath;
      return isEncoder(module, callee) || many(path.get('arguments')) || check(callee);
    }
    if (path.isConditionalExpression())
      return check(path.get('consequent')) || check(path.get('alternate'));
    if (path.isLogicalExpression() || path.isBinaryExpression())
      return check(path.get('left') as NodePath) || check(path.get('right') as NodePath);
    if (path.isTemplateLiteral()) return many(path.get('expressions'));
    return path.isAwaitExpression() && check(path.get('argument'));
  };
  const many = (paths: readonly NodePath[] | NodePath): boolean => [paths].flat().some(check);
  const isBoundEncoded = (path: NodePath): boolean => {
    const binding = path.isIdentifier() && path.scope.getBinding(path.node.name);
    if (!binding || seen.has(binding)) return false;
    seen.add(binding);
    if (binding.kind === 'param') return isGivenEncoded(module, binding);
    const writes = [binding.path, ...binding.constantViolations];
    return writes.some(({ node, type }) => type !== 'FunctionDeclaration' && encodes(module, node));
  };
  return check(value);
}

const isNamed = (name: string): boolean => NAMED.test(name);

const encodes = (module: Module, node: NodePath['node']): boolean =>
  CALLS.test(textOf(module, node)) || /\bencoded/i.test(textOf(module, node));

// Returns true if a function encodes its argument. The function may come from the module, another
// file or a package. The text or the name of the function decides.
function isEncoder(module: Module, callee: NodePath): boolean {
  const name = dotted(callee.node);
  if (isNamed(name.split('.').at(-1) ?? '')) return true;
  const [object = ''] = name.split('.');
  if (callee.isMemberExpression() && callee.get('object').isThisExpression())
    return CALLS.test(module.source);
  const binding = object ? callee.scope.getBinding(object) : undefined;
  if (!binding) return false;
  const { node, parent } = binding.path;
  if (parent.type === 'ImportDeclaration')
    return CALLS.test(module.neighbors.find(parent.source.value)?.source ?? '');
  return encodes(module, node);
}

// Returns true if a caller passes an encoded value for the parameter.
function isGivenEncoded(module: Module, { scope }: Binding): boolean {
  const name = nameOfFunction(scope.path);
  const call = name && new RegExp(`\\b${name}\\s*\\((?:[^()]|\\([^()]*\\))*?(encodeURI|encoded)`);
  return call !== '' && module.neighbors.some(call);
}

function nameOfFunction({ node, parent }: NodePath): string {
  const own = 'id' in node && node.id ? node.id : 'key' in node ? node.key : undefined;
  const outer = 'id' in parent ? parent.id : 'key' in parent ? parent.key : undefined;
  const id = own ?? outer;
  const named = typeof id === 'object' && id !== null && 'name' in id ? id.name : '';
  return typeof named === 'string' ? named.replaceAll('$', '\\$') : '';
}
