import type { CallExpression, Node } from '@babel/types';
import type { NodePath } from '@babel/traverse';
import { type Client, dotted, propertyName, type Use } from './clients.js';
import { endOf, startOf } from './module.js';
import type { Project } from './project.js';

/**
 * Returns the client whose interceptor sends a request again, as in `api(error.config)`. Such a
 * call stays, because the interceptor stays. Returns undefined for other calls.
 */
export function repeatedBy({ uses }: Project, use: Use): Client | undefined {
  const { path, kind, method, module } = use;
  if (kind !== 'request' || method !== undefined) return undefined;
  const [config, ...more] = (path as NodePath<CallExpression>).node.arguments;
  if (!config || more.length > 0 || dotted(config) === '') return undefined;
  const adding = uses.filter((one) => one.kind === 'interceptors' && one.module === module);
  let client: Client | undefined;
  path.findParent(({ node }) => {
    if (node.type !== 'CallExpression' || propertyName(node.callee) !== 'use') return false;
    const { callee } = node;
    client = adding.find((one) => isInside(one.path.node, callee))?.client;
    return client !== undefined;
  });
  return client;
}

const isInside = (inner: Node, outer: Node): boolean =>
  startOf(inner) >= startOf(outer) && endOf(inner) <= endOf(outer);
