import type { CallExpression } from '@babel/types';
import type { NodePath } from '@babel/traverse';
import { type Client, dotted, type Use } from './clients.js';
import type { Project } from './project.js';

/**
 * The client that a request is a part of: one of its interceptors sends a config again that it was given. Such a call has no URL of
 * its own, and leaves with the interceptor.
 */
export function repeatedBy({ bindings }: Project, use: Use): Client | undefined {
  const { path, kind, method } = use;
  if (kind !== 'request' || method !== undefined) return undefined;
  const [config, ...more] = (path as NodePath<CallExpression>).node.arguments;
  if (!config || more.length > 0 || dotted(config) === '') return undefined;
  const added = path.findParent(
    (one) => one.isCallExpression() && ADDS.test(dotted(one.node.callee)),
  );
  if (!added?.isCallExpression()) return undefined;
  const [name = ''] = dotted(added.node.callee).split('.');
  const binding = added.scope.getBinding(name);
  return binding && bindings.get(binding);
}

const ADDS = /\.interceptors\.(request|response)\.use$/;
