import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import type { Use } from './clients.js';
import type { Planned } from './plan.js';
import type { Project } from './project.js';
import { because, type Reason } from './reasons.js';

/** Drops requests whose conversion would break code that handles only errors of axios. */
export function dropMishandled(
  project: Project,
  requests: Map<Node, Planned>,
  refused: Map<Use, Reason>,
  nodes: ReadonlySet<Node>,
): void {
  for (let size = -1; size !== requests.size;) {
    size = requests.size;
    dropHalfHandled(requests, refused, nodes);
    dropEscaping(project, requests, refused);
  }
}

// If a handler must change, either all its requests are converted, or none.
function dropHalfHandled(
  requests: Map<Node, Planned>,
  refused: Map<Use, Reason>,
  nodes: ReadonlySet<Node>,
): void {
  for (let size = -1; size !== requests.size;) {
    size = requests.size;
    for (const [node, planned] of requests) {
      const half = planned.handlers.some(
        ({ edits, block }) => edits.length > 0 && block && !seesOnly(block, requests, nodes),
      );
      if (!half) continue;
      requests.delete(node);
      refused.set(
        planned.request.use,
        because('error-handler', 'it sees errors of other requests, too'),
      );
    }
  }
}

// An error that leaves its function may reach code that handles only errors of axios.
function dropEscaping(
  { readers, importers }: Project,
  requests: Map<Node, Planned>,
  refused: Map<Use, Reason>,
): void {
  const rewritten = new Set(
    [...requests.values()].flatMap(({ handlers }) => handlers.map(({ node }) => node)),
  );
  const left = readers.filter(({ handler }) => !handler || !rewritten.has(handler));
  for (const [node, { request, handlers, isDefinition }] of requests) {
    if (isDefinition || handlers.some(({ ends }) => ends)) continue;
    const { path } = request.use.module;
    const reader = left.find(
      (one) => one.general || one.path === path || importers.reaches(one.path, path),
    );
    if (!reader) continue;
    requests.delete(node);
    refused.set(request.use, because('error-handler', `in ${reader.path}`));
  }
}

function seesOnly(
  block: NodePath,
  requests: ReadonlyMap<Node, Planned>,
  nodes: ReadonlySet<Node>,
): boolean {
  let only = true;
  const root = (node: Node): Node => {
    if (requests.has(node)) return node;
    if (node.type === 'CallExpression') return root(node.callee);
    if (node.type === 'MemberExpression') return root(node.object);
    return node;
  };
  block.traverse({
    CallExpression: ({ node }) => {
      if (nodes.has(node) && !requests.has(node)) only = false;
    },
    AwaitExpression: ({ node }) => {
      if (!requests.has(root(node.argument))) only = false;
    },
  });
  return only;
}
