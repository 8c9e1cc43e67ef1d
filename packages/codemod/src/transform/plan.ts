import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { type Instance, requiredModule, type Use } from './clients.js';
import { type Draft, draftOf } from './draft.js';
import { type Handler, handlersOf } from './errors.js';
import type { BaseOptions } from './draw.js';
import { readInstance } from './instances.js';
import type { Edit } from './edits.js';
import { endOf, type Module, startOf } from './module.js';
import { isErrorCheck, type Project, requestNodes } from './project.js';
import { because, type Reason, Refusal } from './reasons.js';
import { readRequest, type Request } from './request.js';
import { readResult, type Result } from './results.js';

/** A request that is converted. */
export interface Planned {
  readonly request: Request;
  readonly draft: Draft;
  readonly result: Result;
  readonly handlers: readonly Handler[];
  /** Whether the call itself becomes the definition: `const getUsers = axios.get('/users')`. */
  readonly isDefinition: boolean;
}

/** What becomes of each use. */
export interface Plan {
  readonly requests: ReadonlyMap<Node, Planned>;
  readonly refused: ReadonlyMap<Use, Reason>;
  readonly bases: ReadonlyMap<Instance, BaseOptions>;
}

/** Decides about every request. */
export function makePlan(project: Project): Plan {
  const requests = new Map<Node, Planned>();
  const refused = new Map<Use, Reason>();
  const bases = new Map<Instance, BaseOptions>();
  const nodes = requestNodes(project);
  for (const instance of project.instances) {
    const name = project.classNames.get(instance) ?? '';
    const reason = attempt(() => {
      bases.set(instance, readInstance(instance, name));
    });
    if (reason) instance.blocked ??= reason;
  }
  for (const use of project.uses) {
    const reason = reasonOf(project, use);
    if (reason) refused.set(use, reason);
    if (reason || use.kind !== 'request') continue;
    const refusal = attempt(() => {
      requests.set(use.path.node, planRequest(project, use, nodes, bases));
    });
    if (refusal) refused.set(use, refusal);
  }
  for (let size = -1; size !== requests.size;) {
    size = requests.size;
    dropHalfHandled(requests, refused, nodes);
    dropEscaping(project, requests, refused);
  }
  return { requests, refused, bases };
}

function attempt(action: () => void): Reason | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

function reasonOf(project: Project, use: Use): Reason | undefined {
  const { client, kind, module } = use;
  if (kind === 'type' || kind === 'is-axios-error') return undefined;
  if (kind === 'export') return client.kind === 'axios' ? because('client-passed-on') : undefined;
  if (project.mocking.has(module)) return because('mocks-axios');
  if (kind === 'interceptors' || kind === 'defaults') return because(kind);
  if (kind === 'value') return because('client-passed-on');
  if (kind === 'other') return because('other-axios-api');
  if (kind === 'create') {
    const made = project.instances.find(({ call }) => call === use.path);
    return made ? sharedReason(made.blocked, module) : because('instance-not-at-module-level');
  }
  return sharedReason(client.kind === 'axios' ? project.blocked : client.blocked, module);
}

function sharedReason(reason: Reason | undefined, { path }: Module): Reason | undefined {
  if (!reason) return undefined;
  const { where } = reason;
  const elsewhere = where !== undefined && where !== path;
  return { ...(elsewhere ? because(reason.code, `in ${where}`) : reason), shared: true };
}

function planRequest(
  project: Project,
  use: Use,
  nodes: ReadonlySet<Node>,
  bases: ReadonlyMap<Instance, BaseOptions>,
): Planned {
  const request = readRequest(use, nodes);
  const { call } = request;
  const isDefinition = isInitializer(project, use);
  const result: Result = isDefinition
    ? { edits: [], used: true, handlers: [], places: [], consumed: [] }
    : readResult(use.module, call);
  const base = use.client.kind === 'instance' ? bases.get(use.client) : undefined;
  const draft = draftOf(request, base, { resultUsed: result.used, isDefinition });
  checkCycles(project, use, draft);
  const handlers = handlersOf(result.places, result.handlers, (path) =>
    isErrorCheck(project, path),
  );
  checkComments(use.module, {
    start: startOf(call.node),
    end: endOf(call.node),
    pieces: [...draft.args, ...draft.extend].flat(),
  });
  for (const edit of [...result.edits, ...handlers.flatMap(({ edits }) => edits)])
    checkComments(use.module, edit);
  return { request, draft, result, handlers, isDefinition };
}

// A constant of the module that nobody waits for.
function isInitializer(project: Project, { path, module }: Use): boolean {
  const { parentPath: declarator } = path;
  if (!declarator?.isVariableDeclarator() || declarator.node.init !== path.node) return false;
  const { id } = declarator.node;
  const declaration = declarator.parentPath;
  const exported = declaration.parentPath?.isExportNamedDeclaration() === true;
  const top = exported ? declaration.parentPath?.parentPath : declaration.parentPath;
  if (id.type !== 'Identifier' || id.typeAnnotation || !top?.isProgram()) return false;
  if (!declaration.isVariableDeclaration({ kind: 'const' })) return false;
  const binding = declarator.scope.getBinding(id.name);
  if (!binding || module.around !== '') return false;
  if (exported && project.importers.has(module.path)) return false;
  return binding.referencePaths.every(
    (reference) =>
      reference.isExportNamedDeclaration() && reference.node.declaration === declaration.node,
  );
}

// A definition is made when its module is run: what it names from other modules must be there by then. A call inside of a
// function runs later, when all of them are.
function checkCycles({ importers, resolve }: Project, { module, client }: Use, draft: Draft): void {
  const { path } = module;
  const comesBack = (from: string): boolean => {
    const target = resolve(from, path);
    return target !== undefined && (target === path || importers.reaches(target, path));
  };
  const sources = draft.names.map(({ path: { parent, node } }) =>
    parent.type === 'ImportDeclaration'
      ? parent.source.value
      : node.type === 'VariableDeclarator'
        ? requiredModule(node.init)
        : undefined,
  );
  if (client.kind === 'instance' && client.module !== module) {
    if (importers.reaches(client.module.path, path)) throw new Refusal(because('import-cycle'));
    sources.push(client.links.find((link) => link.module === module && link.from)?.from);
  }
  if (sources.some((from) => from !== undefined && comesBack(from)))
    throw new Refusal(because('import-cycle'));
}

// Whatever is not kept must hold no comment.
function checkComments({ comments }: Module, { start, end, pieces }: Edit): void {
  for (const comment of comments) {
    const from = comment.start ?? 0;
    if (from < start || from >= end) continue;
    const kept = pieces.some(
      (piece) => typeof piece !== 'string' && from >= piece[0] && from < piece[1],
    );
    if (!kept) throw new Refusal(because('comment-inside'));
  }
}

// Where a handler has to change, all that it sees must be converted. One that is not takes the others with it.
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

// An error that leaves its function may come to a reader that knows those of axios only.
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
