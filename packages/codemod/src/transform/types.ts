import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { textOf } from './module.js';
import { refuse } from './reasons.js';
import type { Request } from './request.js';
import { walk } from './walk.js';

/** The text that gives a result its type. At most one member is set. */
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
    // At module level, `typeof x` would not find a local value `x`.
    if (parent.type === 'TSTypeQuery' && isLocalValue(from, node.name)) free = false;
  });
  return free;
}

// Matches the parents of identifiers that name a type. In `A.B`, the member `B` counts as well.
const NAMES_TYPE =
  /^(TSTypeReference|TSQualifiedName|TSExpressionWithTypeArguments|TSTypeParameterInstantiation)$/;

function isLocalValue(from: NodePath, name: string): boolean {
  const binding = from.scope.getBinding(name);
  return binding !== undefined && binding.scope !== from.scope.getProgramParent();
}

const DECLARES_TYPE = /^(TS(TypeAlias|Interface|Enum)|Class)Declaration$/;

// Returns the type parameters of the functions and classes around a node, and the types declared
// in the blocks around it.
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
