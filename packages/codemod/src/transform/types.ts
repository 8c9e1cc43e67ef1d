import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { textOf } from './module.js';
import { refuse } from './reasons.js';
import type { Request } from './request.js';
import { walk } from './walk.js';

/**
 * The option that types the answer as the type argument of the call did: `process` returns what it gets. Undefined without one.
 */
export function answerType(request: Request): string | undefined {
  const { type, call, use, result } = request;
  if (result) refuse('local-type', 'more than one type argument');
  if (!type || type.type === 'TSAnyKeyword') return undefined;
  if (!isModuleType(call, type)) refuse('local-type');
  return `process: (value: ${textOf(use.module, type)}) => value`;
}

/** Whether a written type means the same at module level. */
export function isModuleType(from: NodePath, type: Node): boolean {
  const local = localTypes(from);
  let free = true;
  walk(type, (node, parent) => {
    if (node.type === 'TSThisType') free = false;
    if (node.type !== 'Identifier' || !parent) return;
    if (NAMES_TYPE.test(parent.type) && local.has(node.name)) free = false;
    // `typeof value`
    if (parent.type === 'TSTypeQuery' && isLocalValue(from, node.name)) free = false;
  });
  return free;
}

// Where an identifier is the name of a type, rather than that of a member or a parameter.
const NAMES_TYPE =
  /^(TSTypeReference|TSQualifiedName|TSExpressionWithTypeArguments|TSTypeParameterInstantiation)$/;

function isLocalValue(from: NodePath, name: string): boolean {
  const binding = from.scope.getBinding(name);
  return binding !== undefined && binding.scope !== from.scope.getProgramParent();
}

const DECLARES_TYPE = /^(TS(TypeAlias|Interface|Enum)|Class)Declaration$/;

// Type parameters and the types declared in the functions around a node.
function localTypes(from: NodePath): Set<string> {
  const names = new Set<string>();
  for (let path = from.parentPath; path && !path.isProgram(); path = path.parentPath) {
    const { node } = path;
    if ('typeParameters' in node && node.typeParameters && 'params' in node.typeParameters) {
      for (const parameter of node.typeParameters.params)
        if (parameter.type === 'TSTypeParameter') names.add(parameter.name);
    }
    if (node.type === 'BlockStatement') {
      for (const statement of node.body) {
        if (
          DECLARES_TYPE.test(statement.type) &&
          'id' in statement &&
          statement.id?.type === 'Identifier'
        )
          names.add(statement.id.name);
      }
    }
  }
  return names;
}
