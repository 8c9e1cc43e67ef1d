import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { type Client, type Instance, requiredModule, type Use } from './clients.js';
import { type Draft, draftOf } from './draft.js';
import { type Handler, handlersOf } from './errors.js';
import type { BaseOptions } from './draw.js';
import { readInstance } from './instances.js';
import type { Edit } from './edits.js';
import { endOf, type Module, startOf } from './module.js';
import { isErrorCheck, type Project, requestNodes } from './project.js';
import { because, type Reason, Refusal } from './reasons.js';
import { dropMishandled } from './handled.js';
import { planBridges } from './planBridges.js';
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
  /** What could not be converted without the bridge. */
  readonly strict: ReadonlyMap<Use, Reason>;
  readonly bases: ReadonlyMap<Instance, BaseOptions>;
  /** The clients of which requests go over the bridge. */
  readonly bridged: ReadonlySet<Client>;
}

/** Decides about every request. */
export function makePlan(project: Project, withoutAxios: boolean): Plan {
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
  dropMishandled(project, requests, refused, nodes);
  const bridged = new Set<Client>();
  const strict = new Map(refused);
  if (!withoutAxios) planBridges(project, { requests, refused, bases, nodes, bridged });
  return { requests, refused, strict, bases, bridged };
}

/** The reason for which an action gives up. */
export function attempt(action: () => void): Reason | undefined {
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
  if (kind === 'type' || kind === 'is-axios-error' || kind === 'bridge') return undefined;
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

/** The reason of a client for one of its uses. */
export function sharedReason(reason: Reason | undefined, { path }: Module): Reason | undefined {
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

/** Whether a request is the value of a constant of the module that nothing waits for. */
export function isInitializer(project: Project, { path, module }: Use): boolean {
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
/** Refuses a definition that would be made before what it names is there. */
export function checkCycles(
  { importers, resolve }: Project,
  { module, client }: Use,
  draft: Draft,
): void {
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

/** Refuses an edit that would lose a comment. */
export function checkComments({ comments }: Module, { start, end, pieces }: Edit): void {
  for (const comment of comments) {
    const from = comment.start ?? 0;
    if (from < start || from >= end) continue;
    const kept = pieces.some(
      (piece) => typeof piece !== 'string' && from >= piece[0] && from < piece[1],
    );
    if (!kept) throw new Refusal(because('comment-inside'));
  }
}
