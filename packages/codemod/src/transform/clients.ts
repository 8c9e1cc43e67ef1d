import type { Binding, NodePath } from '@babel/traverse';
import type { CallExpression, Node } from '@babel/types';
import type { BridgeClass } from './bridged.js';
import type { Field } from './fields.js';
import type { Module } from './module.js';
import type { Reason } from './reasons.js';

/** The client `axios` of the package itself. */
export interface Axios {
  readonly kind: 'axios';
}

/** An instance from `axios.create()`. */
export interface Instance {
  readonly kind: 'instance';
  readonly module: Module;
  /** The name of the constant or the member. Without such a name, the name of the file is used. */
  readonly variable: string;
  readonly call: NodePath<CallExpression>;
  /** The statement that is replaced, including its `export`. */
  readonly statement: NodePath;
  readonly links: Link[];
  /** Set if a member of a class contains the instance. */
  readonly field?: Field;
  /** The class that an earlier conversion wrote for the instance. */
  bridge?: BridgeClass | undefined;
  /** The reason why no call on the instance is converted, once it is known. */
  blocked: Reason | undefined;
}

/** The object that sends a request. */
export type Client = Axios | Instance;

/** A place where a module exports an instance or imports it. */
export interface Link {
  readonly module: Module;
  readonly kind:
    | 'import'
    | 'require'
    | 'export-declaration'
    | 'export-default'
    | 'export-specifier'
    | 'reexport'
    | 'exports-all'
    | 'exports-member';
  readonly node: Node;
  /** The exported name: `default`, `module.exports` or a name such as `api`. */
  readonly name: string;
  /** The module that an import names, such as `./api`. */
  readonly from?: string;
  /** The local name, for an import. */
  readonly local?: string;
}

/** One way in which code uses a client. */
export interface Use {
  readonly module: Module;
  readonly client: Client;
  readonly kind:
    | 'request'
    | 'create'
    | 'is-axios-error'
    | 'type'
    | 'export'
    | 'interceptors'
    | 'defaults'
    | 'value'
    | 'bridge'
    | 'other';
  readonly path: NodePath;
  /**
   * The method in lower case, as in `axios.get()`. Undefined for `axios()` and `axios.request()`.
   */
  readonly method?: string | undefined;
}

export const AXIOS: Axios = { kind: 'axios' };

const AXIOS_METHODS = /^(get|delete|head|options|post|put|patch|request)$/;

/** Returns `name` for `require('name')` and `require('name').default`. */
export function requiredModule(node: Node | null | undefined): string | undefined {
  if (node?.type === 'MemberExpression' && propertyName(node) === 'default')
    return requiredModule(node.object);
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  const [argument] = node.arguments;
  return node.callee.name === 'require' && argument?.type === 'StringLiteral'
    ? argument.value
    : undefined;
}

/** Returns the name of a property if it is known, as in `a.name` and `a['name']`. */
export function propertyName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression')
    return undefined;
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  return node.property.type === 'StringLiteral' ? node.property.value : undefined;
}

/** Returns the name in an import or export, such as `a` in `{ a as b }`. */
export const specifierName = (node: Node): string =>
  node.type === 'Identifier' ? node.name : node.type === 'StringLiteral' ? node.value : '';

/**
 * Returns the imports of a module and its `require` constants. `name` is `default`, `*`,
 * `module.exports` or the name of an export.
 */
export function importsOf(module: Module): {
  readonly binding: Binding;
  readonly from: string;
  readonly name: string;
  readonly node: Node;
}[] {
  const found: ReturnType<typeof importsOf> = [];
  for (const binding of Object.values(module.program.scope.bindings)) {
    const { path } = binding;
    const { node, parent } = path;
    if (parent.type === 'ImportDeclaration') {
      const name =
        node.type === 'ImportSpecifier'
          ? specifierName(node.imported)
          : node.type === 'ImportNamespaceSpecifier'
            ? '*'
            : 'default';
      found.push({ binding, from: parent.source.value, name, node });
    } else if (node.type === 'VariableDeclarator') {
      const from = requiredModule(node.init);
      if (from === undefined || !binding.constant) continue;
      if (node.id.type === 'Identifier') {
        const name = node.init?.type === 'MemberExpression' ? 'default' : 'module.exports';
        found.push({ binding, from, name, node });
      } else if (node.id.type === 'ObjectPattern') {
        for (const property of node.id.properties) {
          if (property.type !== 'ObjectProperty' || property.value !== binding.identifier) continue;
          found.push({ binding, from, name: specifierName(property.key), node });
        }
      }
    }
  }
  return found;
}

export function classifyUse(module: Module, client: Client, reference: NodePath): Use {
  const of = (kind: Use['kind'], path: NodePath, method?: string): Use => ({
    module,
    client,
    kind,
    path,
    method,
  });
  const { parentPath: parent, node } = reference;
  if (!parent) return of('value', reference);
  if (node.type === 'ExportNamedDeclaration') return of('export', reference);
  if (parent.isExportSpecifier() || parent.isExportDefaultDeclaration())
    return of('export', reference);
  if (isCommonJsExport(reference)) return of('export', reference);
  if (
    parent.type.startsWith('TS') &&
    !/^TS(As|NonNull|Satisfies|Type(Assert|Cast))/.test(parent.type)
  )
    return of('type', reference);
  if (parent.isCallExpression() && parent.node.callee === node) return of('request', parent);
  if (parent.isCallExpression() && dotted(parent.node.callee).endsWith('axiosEndpoint'))
    return of('bridge', reference);
  if (parent.isOptionalMemberExpression() && parent.node.object === node)
    return of('other', parent);
  if (!parent.isMemberExpression() || parent.node.object !== node) return of('value', reference);

  const name = propertyName(parent.node);
  const call = parent.parentPath;
  if (name === 'default' && client.kind === 'axios') return classifyUse(module, client, parent);
  if (name === 'interceptors') return of('interceptors', parent);
  if (name === 'defaults') return of(onlyReads(parent) ? 'other' : 'defaults', parent);
  // `axios[method](…)` stays unchanged, but does not block the other calls of the client.
  const isCalled = call.isCallExpression() && call.node.callee === parent.node;
  if (name === undefined && isCalled) return of('other', call);
  if (name === undefined || isWritten(parent)) return of('value', parent);
  if (!call.isCallExpression() || call.node.callee !== parent.node) return of('other', parent);
  if (AXIOS_METHODS.test(name)) return of('request', call, name === 'request' ? undefined : name);
  if (name === 'create') return of('create', call);
  return of(name === 'isAxiosError' ? 'is-axios-error' : 'other', call);
}

/**
 * Returns true if code assigns to a member, deletes it, or uses it as a target of destructuring.
 */
export function isWritten(path: NodePath): boolean {
  const { parent, node } = path;
  return (
    (parent.type === 'AssignmentExpression' && parent.left === node) ||
    parent.type === 'UpdateExpression' ||
    (parent.type === 'UnaryExpression' && parent.operator === 'delete') ||
    /Pattern$|^RestElement$/.test(parent.type) ||
    (/^For(In|Of)Statement$/.test(parent.type) && (parent as { left?: Node }).left === node)
  );
}

// Returns true if code only reads values from `defaults`. `.defaults.baseURL` and
// `.defaults.timeout` are no objects, so they cannot be changed later.
function onlyReads(defaults: NodePath): boolean {
  const { parentPath: parent } = defaults;
  return (
    parent?.isMemberExpression() === true &&
    parent.node.object === defaults.node &&
    /^(baseURL|timeout)$/.test(propertyName(parent.node) ?? '') &&
    !isWritten(parent)
  );
}

/**
 * Returns true for `api` in `module.exports = api` and in `exports.api = api`. Also returns true
 * for `api` in `module.exports = { api }`.
 */
export function isCommonJsExport(value: NodePath): boolean {
  let path: NodePath | null = value.parentPath;
  if (path?.isObjectProperty() && path.node.value === value.node) {
    path = path.parentPath;
    if (!path?.isObjectExpression()) return false;
    return isAssignedTo(path, /^module\.exports$/);
  }
  return isAssignedTo(value, /^(module\.)?exports(\.[\w$]+)?$/);
}

function isAssignedTo(value: NodePath, target: RegExp): boolean {
  const assignment = value.parentPath;
  return (
    assignment?.isAssignmentExpression({ operator: '=' }) === true &&
    assignment.node.right === value.node &&
    target.test(dotted(assignment.node.left)) &&
    assignment.parentPath?.isExpressionStatement() === true &&
    assignment.parentPath.parentPath?.isProgram() === true
  );
}

/** Returns `a.b.c` as text; empty for any other expression. */
export function dotted(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return '';
  const object = dotted(node.object);
  return object && `${object}.${propertyName(node) ?? ''}`;
}
