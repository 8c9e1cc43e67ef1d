import type { Node } from '@babel/types';
import { attempt, checkComments, checkCycles, isInitializer, sharedReason } from './checks.js';
import type { Client, Instance, Use } from './clients.js';
import { type Draft, draftOf } from './draft.js';
import type { BaseOptions } from './draw.js';
import { type Handler, handlersOf } from './errors.js';
import { dropMishandled } from './handled.js';
import { readInstance } from './instances.js';
import { endOf, startOf } from './module.js';
import { planBridges } from './planBridges.js';
import { isErrorCheck, type Project, requestNodes } from './project.js';
import { because, type Reason } from './reasons.js';
import { repeatedBy } from './repeats.js';
import { readRequest, type Request } from './request.js';
import { readResult, type Result } from './results.js';

/** A request that is converted. */
export interface Planned {
  readonly request: Request;
  readonly draft: Draft;
  readonly result: Result;
  readonly handlers: readonly Handler[];
  /**
   * True if the call itself becomes the definition, as in `const getUsers = axios.get('/users')`.
   */
  readonly isDefinition: boolean;
}

/** The decision about each use. */
export interface Plan {
  readonly requests: ReadonlyMap<Node, Planned>;
  readonly refused: ReadonlyMap<Use, Reason>;
  /** The uses that cannot be converted without the bridge. */
  readonly strict: ReadonlyMap<Use, Reason>;
  readonly bases: ReadonlyMap<Instance, BaseOptions>;
  /** The clients with requests over the bridge (`restitch/axios`). */
  readonly bridged: ReadonlySet<Client>;
  /**
   * The calls by which an interceptor sends a request again, with the client of the interceptor.
   * These calls stay unchanged.
   */
  readonly repeats: ReadonlyMap<Use, Client>;
}

/** Decides how each request is converted, or why it stays. */
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
  const repeats = new Map<Use, Client>();
  for (const use of refused.keys()) {
    const client = repeatedBy(project, use);
    if (!client || !bridged.has(client)) continue;
    repeats.set(use, client);
    refused.delete(use);
  }
  return { requests, refused, strict, bases, bridged, repeats };
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
