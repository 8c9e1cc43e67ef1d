import type { NodePath } from '@babel/traverse';
import type {
  CallExpression,
  Expression,
  Node,
  ObjectExpression,
  ObjectProperty,
} from '@babel/types';
import type { Use } from './clients.js';
import { refuse } from './reasons.js';
import { constantInit, insideCast, knownType } from './values.js';

/** The parts of a request in the source, before they are converted. */
export interface Request {
  readonly use: Use;
  readonly call: NodePath<CallExpression>;
  /** The method in upper case. */
  readonly method: string;
  readonly url: NodePath<Expression> | undefined;
  readonly body: NodePath<Expression> | undefined;
  /** The options by name, without `url`, `method` and `data`. */
  readonly options: ReadonlyMap<string, ConfigOption>;
  /** The constant that contains the config, as in `axios.get(url, config)`. */
  readonly via: string | undefined;
  /** The type of the response body. */
  readonly type: Node | undefined;
  /** The type of the result after interceptors. */
  readonly result: Node | undefined;
}

export interface ConfigOption {
  readonly value: NodePath<Expression>;
  /** The constant that contains the config, as in `axios.get(url, config)`. */
  readonly via: string | undefined;
}

const WITH_BODY = /^(post|put|patch)$/;

export function readRequest(use: Use, requests: ReadonlySet<Node>): Request {
  // The cast: `classifyUse` returns a call for each request.
  const call = use.path as NodePath<CallExpression>;
  const args = call.get('arguments');
  const expressions = args.map((argument) =>
    argument.isExpression() ? argument : refuse('config-unknown', 'spread arguments'),
  );
  const { method } = use;
  let [url, ...rest]: (NodePath<Expression> | undefined)[] = expressions;
  if (method === undefined && (url?.isObjectExpression() || holdsConfig(url, requests))) {
    if (rest.length > 0) refuse('config-unknown', 'more arguments than axios takes');
    rest = [url];
    url = undefined;
  } else if (method === undefined && rest.length === 0 && url && knownType(url) !== 'string')
    refuse('config-unknown', 'it is no literal, so the method is not known');
  const takesBody = method !== undefined && WITH_BODY.test(method);
  let body = takesBody ? rest.shift() : undefined;
  const [config, ...extra] = rest;
  if (extra.length > 0) refuse('config-unknown', 'more arguments than axios takes');

  const options = config ? readConfig(config, requests) : new Map<string, ConfigOption>();
  const via = [...options.values()].find(({ via }) => via !== undefined)?.via;
  const take = (name: string): NodePath<Expression> | undefined => {
    const value = options.get(name)?.value;
    options.delete(name);
    return value;
  };
  if (takesBody && options.has('data')) refuse('config-option', '`data` along with a body');
  const data = take('data');
  body ??= data;
  if (method === undefined) url ??= take('url');
  const named = method === undefined ? take('method') : undefined;
  if (named && !named.isStringLiteral()) refuse('config-unknown', 'the method is not a literal');
  if (options.has('url') || options.has('method')) {
    refuse('config-option', '`url` or `method` in addition to that of the call');
  }
  const types = call.node.typeParameters ?? call.node.typeArguments;
  const params = types && 'params' in types ? types.params : [];
  return {
    use,
    call,
    method: (
      method ?? (named?.isStringLiteral() ? named.node.value : ownMethod(use))
    ).toUpperCase(),
    url,
    body,
    options,
    via,
    type: params[0],
    result: params[1],
  };
}

/** Returns the method for a request that names none: the method of its instance, or GET. */
function ownMethod({ client, module }: Use): string {
  const refuseOther = (): never => refuse('config-unknown', 'the method is that of the client');
  if (module.neighbors.some(/\bdefaults\s*(\.\s*method\b|\[\s*['"]method)/)) refuseOther();
  const [config] = client.kind === 'axios' ? [] : client.call.get('arguments');
  if (!config || isNothing(config.node)) return 'get';
  const written = insideCast(config as NodePath) ?? config;
  const literal = written.isObjectExpression() ? written : constantInit(written as NodePath);
  if (!literal?.isObjectExpression()) return refuseOther();
  for (const property of literal.get('properties')) {
    if (!property.isObjectProperty() || keyName(property.node) === undefined) return refuseOther();
    const value = property.get('value');
    if (keyName(property.node) !== 'method') continue;
    return value.isStringLiteral() ? value.node.value : refuseOther();
  }
  return 'get';
}

const holdsConfig = (
  path: NodePath<Expression> | undefined,
  requests: ReadonlySet<Node>,
): boolean => path !== undefined && constantObject(path, requests) !== undefined;

/**
 * Returns the object literal of a constant that only requests use, so that no code can change it.
 */
export function constantObject(
  path: NodePath,
  requests: ReadonlySet<Node>,
): NodePath<ObjectExpression> | undefined {
  if (!path.isIdentifier()) return undefined;
  const binding = path.scope.getBinding(path.node.name);
  if (!binding?.constant || !binding.path.isVariableDeclarator()) return undefined;
  const declared = binding.path.get('init');
  const init = (declared.node && insideCast(declared as NodePath)) || declared;
  if (!init.isObjectExpression() || binding.path.node.id.type !== 'Identifier') return undefined;
  const safe = binding.referencePaths.every(
    (reference) => reference.listKey === 'arguments' && requests.has(reference.parent),
  );
  return safe ? init : undefined;
}

function readConfig(
  config: NodePath<Expression>,
  requests: ReadonlySet<Node>,
): Map<string, ConfigOption> {
  if (isNothing(config.node)) return new Map();
  const literal = config.isObjectExpression() ? config : constantObject(config, requests);
  if (!literal) refuse('config-unknown');
  const via = config.isIdentifier() ? config.node.name : undefined;
  const options = new Map<string, ConfigOption>();
  for (const property of literal.get('properties')) {
    if (!property.isObjectProperty() || property.node.computed) refuse('config-unknown');
    const value = property.get('value');
    if (!value.isExpression()) refuse('config-unknown');
    if (isNothing(value.node)) continue;
    const name = keyName(property.node) ?? refuse('config-unknown');
    if (options.has(name)) refuse('config-unknown', 'a doubled option');
    options.set(name, { value, via });
  }
  return options;
}

/** Returns true if an expression is `undefined`. */
export const isNothing = (node: Node): boolean =>
  node.type === 'Identifier' && node.name === 'undefined';

/** Returns the name of a property, if it is known. */
export function keyName({ key, computed }: ObjectProperty): string | undefined {
  if (computed) return undefined;
  if (key.type === 'Identifier') return key.name;
  return key.type === 'StringLiteral' || key.type === 'NumericLiteral' ? `${key.value}` : undefined;
}
