import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { textOf } from './module.js';
import { refuse } from './reasons.js';
import type { Request } from './request.js';
import { walk } from './walk.js';

/** The place where the type of a result is written. */
export interface ResultTyping {
  /** The option that types the result: a `process` that returns its argument. */
  readonly process?: string;
  /** The type that is written at the call, because it names local types. */
  readonly cast?: string;
}

/** Types the result like the type argument of the call. */
export function resultTyping({ type, call, use, result }: Request): ResultTyping {
  if (result) refuse('local-type', 'more than one type argument');
  return type ? typedAs(call, type, textOf(use.module, type)) : {};
}

/**
 * Writes the type of the result at the endpoint. A type that names local types is written at the
 * call.
 */
export function typedAs(call: NodePath, named: Node, text: string): ResultTyping {
  if (named.type === 'TSAnyKeyword') return {};
  return isModuleType(call, named)
    ? { process: `process: (value: ${text}) => value` }
    : { cast: text };
}

/** Returns true if a written type means the same at module level. */
export function isModuleType(from: NodePath, type: Node): boolean {
  const local = localTypes(from);
  let free = true;
  walk(type, (node, parent) => {
    if (node.type === 'TSThisType') free = false;
    if (node.type !== 'Identifier' || !parent) return;
    if (NAMES_TYPE.test(parent.type) && local.has(node.name)) free = false;
    // The type is `typeof value` of a local value.
    if (parent.type === 'TSTypeQuery' && isLocalValue(from, node.name)) free = false;
  });
  return free;
}

// Matches nodes in which an identifier is the name of a type, not of a member or parameter.
const NAMES_TYPE =
  /^(TSTypeReference|TSQualifiedName|TSExpressionWithTypeArguments|TSTypeParameterInstantiation)$/;

function isLocalValue(from: NodePath, name: string): boolean {
  const binding = from.scope.getBinding(name);
  return binding !== undefined && binding.scope !== from.scope.getProgramParent();
}

const DECLARES_TYPE = /^(TS(TypeAlias|Interface|Enum)|Class)Declaration$/;

// Returns the type parameters of the functions around a node and the types declared in these
// functions.
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
