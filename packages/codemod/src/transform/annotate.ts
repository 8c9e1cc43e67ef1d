import type { NodePath } from '@babel/traverse';
import { type Edit, insertion } from './edits.js';
import { endOf, type Module, startOf } from './module.js';
import type { Request } from './request.js';
import { parametersOf } from './values.js';

/**
 * Adds types to the parameters of callbacks in a config. The converted endpoint receives the config
 * as its option `axiosConfig`, which does not infer these types.
 */
export function annotateCallbacks(module: Module, { options }: Request): Edit[] {
  if (!module.typescript) return [];
  const edits: Edit[] = [];
  const add = (path: NodePath): void => {
    const isMember = path.parentPath?.isObjectProperty() || path.parentPath?.isArrayExpression();
    if (isMember) edits.push(...annotate(module, path));
  };
  for (const { value, via } of options.values()) {
    if (via !== undefined) continue;
    if (value.isFunction()) add(value);
    value.traverse({ Function: add });
  }
  return edits;
}

function annotate({ source }: Module, path: NodePath): Edit[] {
  const parameters = parametersOf(path);
  return parameters.flatMap((parameter): Edit[] => {
    const { node } = parameter;
    if (node.type === 'AssignmentPattern' || ('typeAnnotation' in node && node.typeAnnotation))
      return [];
    const end = endOf(node);
    // A callback such as `text => …` has no parentheses.
    const isBare = startOf(path.node) === startOf(node) || !/^\s*[,)]/.test(source.slice(end));
    return isBare
      ? [insertion(startOf(node), '('), insertion(end, ': any)')]
      : [insertion(end, ': any')];
  });
}
