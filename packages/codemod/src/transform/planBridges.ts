import type { NodePath } from '@babel/traverse';
import type { CallExpression, Node } from '@babel/types';
import { annotateCallbacks } from './annotate.js';
import { bridgeClass, bridgeDraftOf, readLoose } from './bridge.js';
import { bridgeClassIn } from './bridged.js';
import { AXIOS, type Client, type Instance, type Use } from './clients.js';
import type { OwnClass } from './draft.js';
import type { BaseOptions } from './draw.js';
import { claimName, type Module, startOf, endOf, textOf } from './module.js';
import { attempt, checkComments, checkCycles, isInitializer } from './checks.js';
import { isBefore } from './fields.js';
import { canImport, needsImport } from './componentMembers.js';
import type { Planned } from './plan.js';
import type { Project } from './project.js';
import { because, type Reason, Refusal } from './reasons.js';
import { readRequest } from './request.js';
import { type Resolves, resolvesTo } from './resolves.js';
import { readResult, type Result } from './results.js';

/** An unfinished plan. */
interface Draft {
  readonly requests: Map<Node, Planned>;
  readonly refused: Map<Use, Reason>;
  readonly bases: Map<Instance, BaseOptions>;
  readonly nodes: ReadonlySet<Node>;
  readonly bridged: Set<Client>;
}

/**
 * Plans the bridge (`restitch/axios`) for requests that cannot be converted without axios. An
 * instance sends all of its requests over the bridge, or none. Of the requests of `axios` itself,
 * only those that need the bridge use it.
 */
export function planBridges(project: Project, draft: Draft): void {
  for (const instance of project.instances) planInstance(project, draft, instance);
  const resolves = resolvesOf(project, AXIOS);
  const classes = new Map<string, OwnClass>();
  for (const use of project.uses) {
    const { module, client, kind } = use;
    if (client.kind !== 'axios' || kind !== 'request' || !draft.refused.has(use)) continue;
    if (project.mocking.has(module)) continue;
    const text = clientText(module, use);
    const key = `${module.path} ${text}`;
    const refusal = attempt(() => {
      const own = classes.get(key) ?? ownClass(module, text);
      const base = { ...EMPTY, className: own.name, text: own.text };
      draft.requests.set(use.path.node, planBridged(project, use, draft, base, resolves, own));
      classes.set(key, own);
      draft.refused.delete(use);
      draft.bridged.add(AXIOS);
    });
    if (refusal) draft.refused.set(use, refusal);
  }
  const isBridged = project.uses.some(({ client, kind }) => client === AXIOS && kind === 'bridge');
  if (draft.bridged.has(AXIOS) || isBridged) dropReasons(draft, AXIOS);
}

const EMPTY = {
  hasUrl: false,
  baseUrl: '',
  headers: [],
  hasTimeout: false,
  hasCredentials: false,
  contentType: undefined,
};

function planInstance(project: Project, draft: Draft, instance: Instance): void {
  const { requests, refused, bases, bridged } = draft;
  if (instance.bridge) {
    bridged.add(instance);
    dropReasons(draft, instance);
  }
  const own = project.uses.filter(
    ({ client, kind, module }) =>
      client === instance && kind === 'request' && !project.mocking.has(module),
  );
  // True for a class from an earlier conversion that other modules cannot import.
  const isForeign =
    !instance.bridge &&
    project.uses.some(({ client, kind }) => client === instance && kind === 'bridge');
  if (isForeign || !own.some((use) => refused.has(use)) || project.mocking.has(instance.module))
    return;
  const resolves = resolvesOf(project, instance);
  const base = baseOf(project, instance);
  const planned = new Map<Use, Planned>();
  const left = new Map<Use, Reason>();
  for (const use of own) {
    const reason = attempt(() => {
      planned.set(use, planBridged(project, use, draft, base, resolves, undefined));
    });
    if (reason) left.set(use, reason);
  }
  // The bridge must convert at least one request that was refused before.
  if (![...planned.keys()].some((use) => refused.has(use))) return;
  bases.set(instance, base);
  bridged.add(instance);
  for (const use of own) {
    requests.delete(use.path.node);
    refused.delete(use);
  }
  for (const [use, one] of planned) requests.set(use.path.node, one);
  for (const [use, reason] of left) refused.set(use, reason);
  dropReasons(draft, instance);
}

// Over the bridge, the interceptors, defaults and other uses of the client keep working.
function dropReasons({ refused }: Draft, client: Client): void {
  for (const use of refused.keys())
    if (
      (use.client === client && /^(interceptors|defaults|value|export)$/.test(use.kind)) ||
      (client.kind === 'instance' && use.path === client.call)
    )
      refused.delete(use);
}

function planBridged(
  project: Project,
  use: Use,
  { nodes }: Draft,
  base: BaseOptions,
  resolves: Resolves,
  own: OwnClass | undefined,
): Planned {
  const loose = readLoose(use, () => readRequest(use, nodes));
  const { request } = loose;
  const { call } = request;
  const result = resultOf(project, use, resolves);
  const draft = bridgeDraftOf(loose, base, result ? resolves : 'unknown', own);
  checkComments(use.module, {
    start: startOf(call.node),
    end: endOf(call.node),
    pieces: [...draft.args, ...draft.extend].flat(),
  });
  checkImport(project, use);
  const { field } = use.client.kind === 'instance' ? use.client : {};
  // Code after the class may create objects of it, which need the constants in the endpoints.
  if (
    field &&
    !draft.names.every((binding) => isBefore(field, binding.path.getStatementParent()?.node))
  )
    throw new Refusal(because('instance-not-at-module-level'));
  const isLate = !field && attempt(() => checkCycles(project, use, draft)) !== undefined;
  const typed = annotateCallbacks(use.module, request);
  return {
    request,
    draft: { ...draft, isLate },
    result: { ...(result ?? UNREAD), edits: [...(result?.edits ?? []), ...typed] },
    handlers: [],
    isDefinition: false,
  };
}

// A new import must not change which of two modules is run first.
function checkImport({ importers }: Project, { client, module }: Use): void {
  if (client.kind !== 'instance' || !needsImport(client, module)) return;
  const home = client.module.path;
  if (!canImport(client, module)) throw new Refusal(because('client-not-followed'));
  if (importers.reaches(home, module.path) && !importers.reaches(module.path, home))
    throw new Refusal(because('import-cycle'));
}

const UNREAD: Result = { edits: [], used: true, handlers: [], places: [], consumed: [] };

// Returns the edits of the code that reads `data`. Undefined if code may read more of the response.
function resultOf(project: Project, use: Use, resolves: Resolves): Result | undefined {
  if (resolves === 'value') return UNREAD;
  if (resolves === 'unknown' || isInitializer(project, use)) return undefined;
  let result: Result | undefined;
  const refusal = attempt(() => {
    const found = readResult(use.module, use.path, true);
    for (const edit of found.edits) checkComments(use.module, edit);
    result = found;
  });
  return refusal ? undefined : result;
}

// Returns the kind of result that all requests of a client have.
function resolvesOf(project: Project, client: Client): Resolves {
  const { uses, modules, importers } = project;
  const own = uses.filter((use) => use.client === client);
  const found = resolvesTo(own);
  if (found === 'unknown' || (client === AXIOS && project.isUnseen)) return 'unknown';
  // Any code that receives the client may add interceptors.
  const isShared = own.some(
    ({ kind }) => kind === 'value' || (kind === 'export' && client === AXIOS),
  );
  const known = new Set(
    uses.filter(({ kind }) => kind === 'interceptors').map(({ module }) => module.path),
  );
  const others = modules[0]?.neighbors.paths(/interceptors\s*\??\.\s*response/, isGiven) ?? [];
  const isForeign = others.some(
    (path) =>
      !known.has(path) &&
      (isShared || (client.kind === 'instance' && importers.reaches(path, client.module.path))),
  );
  return isForeign ? 'unknown' : found;
}

// Returns true if a file adds interceptors to a client that it did not create.
function isGiven(source: string): boolean {
  const names = [...source.matchAll(/([\w$]+)\s*\??\.\s*interceptors\b/g)].map(([, name]) => name);
  return names.some(
    (name = '') =>
      !new RegExp(
        `(?<![\\w$])${name.replaceAll('$', '\\$')}\\s*(:[^=\\n]*)?=\\s*[\\w.]*axios[\\w.]*\\.create\\(`,
        'i',
      ).test(source),
  );
}

function baseOf({ classNames }: Project, instance: Instance): BaseOptions {
  const { module, statement } = instance;
  const variable = statement.isExportDefaultDeclaration()
    ? claimName(module, instance.variable, [])
    : instance.variable;
  const className = classNames.get(instance) ?? '';
  return { ...EMPTY, className, variable, text: bridgeClass(module, className, variable) };
}

function ownClass(module: Module, client: string): OwnClass {
  const known = bridgeClassIn(module, client);
  if (known) return { name: known.name, text: '', end: known.end };
  const name = claimName(module, 'AxiosEndpoint', []);
  return { name, text: bridgeClass(module, name, client) };
}

// Returns the text of the client: `axios`, or `axios.default` for a namespace.
function clientText(module: Module, use: Use): string {
  const { callee } = (use.path as NodePath<CallExpression>).node;
  return textOf(
    module,
    use.method || isRequest(callee) ? (callee as { object: Node } & Node).object : callee,
  );
}

const isRequest = (callee: Node): boolean =>
  callee.type === 'MemberExpression' &&
  callee.property.type === 'Identifier' &&
  callee.property.name === 'request';
