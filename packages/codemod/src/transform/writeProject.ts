import type { Node } from '@babel/types';
import { hasClass } from './bridged.js';
import { isReplaced, writeClass } from './classes.js';
import type { Client, Instance, Link, Use } from './clients.js';
import { importClass } from './componentMembers.js';
import { isUsed, writeImports } from './imports.js';
import { removeLink, writeLink } from './links.js';
import { type Module, type RestitchName, startOf } from './module.js';
import type { Plan, Planned } from './plan.js';
import type { Project } from './project.js';
import type { Reason } from './reasons.js';
import { writeCanceled } from './canceled.js';
import { removeTodos, todoPlace, writeTodo } from './todo.js';
import { removeInlined } from './inlined.js';
import { walk } from './walk.js';
import { writeDefinitions, writeRequests, type Written } from './write.js';

export interface ProjectOptions {
  readonly inline?: boolean;
  readonly todo?: boolean;
}

/** Adds all edits of a plan to the modules. */
export function writeProject(project: Project, plan: Plan, options: ProjectOptions): void {
  const byModule = new Map<Module, Planned[]>();
  for (const planned of plan.requests.values()) {
    const { module } = planned.request.use;
    const list = byModule.get(module);
    if (list) list.push(planned);
    else byModule.set(module, [planned]);
  }
  const written = new Map<Module, Written>();
  for (const module of project.modules) {
    const planned = (byModule.get(module) ?? []).sort(
      (a, b) => startOf(a.request.call.node) - startOf(b.request.call.node),
    );
    const inline = options.inline ?? false;
    written.set(module, writeRequests(module, planned, plan, { inline }));
  }
  const needs = new Map<Module, Set<RestitchName>>();
  for (const [module, { needs: own }] of written) needs.set(module, new Set(own));
  const consumed = new Map([...written].map(([module, one]) => [module, one.consumed]));
  for (const instance of project.instances) {
    const base = plan.bases.get(instance);
    if (!base) continue;
    const used = [...written]
      .filter(([, { classes }]) => classes.has(instance))
      .map(([module]) => module);
    const replaced = isReplaced(project, plan, instance, consumed);
    if (!replaced && used.length === 0) continue;
    for (const module of used) importClass(instance, base.className, module);
    if (instance.bridge) {
      writeBridged(instance, base.className, used, consumed);
      continue;
    }
    if (instance.field) {
      needs.get(instance.module)?.add('axiosEndpoint');
      continue;
    }
    writeClass(instance, base, replaced);
    for (const link of instance.links) {
      const unused = !replaced && isLinkUnused(link, consumed.get(link.module));
      if (isRepeated(instance, link)) {
        if (replaced || unused) removeLink(link);
        continue;
      }
      writeLink(link, base.className, {
        replaced,
        needed:
          link.kind === 'export-default'
            ? passesOn(instance, link.module) && !isNamed(instance, link.module)
            : used.includes(link.module) || passesOn(instance, link.module),
        unused,
      });
    }
    const own = needs.get(instance.module);
    own?.add(plan.bridged.has(instance) ? 'axiosEndpoint' : 'RestEndpoint');
    if (instance.module.typescript) own?.add('RestGenerics');
    if (replaced) consume(consumed.get(instance.module), instance);
  }
  for (const module of project.modules) {
    const dropped = consumed.get(module) ?? new Set<Node>();
    const removed = writeImports(module, needs.get(module) ?? new Set(), dropped);
    writeDefinitions(module, written.get(module)?.definitions ?? [], removed);
    removeInlined(module, byModule.get(module) ?? []);
  }
  const isConverted = plan.requests.size > 0;
  for (const module of project.modules) if (isConverted) writeCanceled(module);
  const left = placesOf(plan);
  for (const { request } of plan.requests.values())
    removeTodos(request.use.module, request.call, left);
  if (options.todo !== false) writeTodos(project, plan);
}

// Returns true if another import of the same module already imports the class. Named imports take
// precedence over default imports.
function isRepeated({ links }: Instance, link: Link): boolean {
  const all = links.filter(({ module, kind }) => module === link.module && kind === 'import');
  const first = all.find(({ node }) => node.type === 'ImportSpecifier') ?? all[0];
  return link.kind === 'import' && link !== first;
}

// Adds imports of an existing class to the modules that now use it.
function writeBridged(
  instance: Instance,
  className: string,
  used: readonly Module[],
  consumed: ReadonlyMap<Module, ReadonlySet<Node>>,
): void {
  const { links, module: home } = instance;
  for (const link of links) {
    const { module, kind } = link;
    const isImport = kind === 'import' || kind === 'require';
    if (module === home || !isImport || !used.includes(module) || hasClass(module, className))
      continue;
    const unused = isLinkUnused(link, consumed.get(module));
    if (!isRepeated(instance, link))
      writeLink(link, className, { replaced: false, needed: true, unused });
    else if (unused) removeLink(link);
  }
}

// Returns the positions of comments about uses that are not converted.
function placesOf({ refused }: Plan): ReadonlyMap<Module, ReadonlySet<number>> {
  const places = new Map<Module, Set<number>>();
  for (const { module, path } of refused.keys()) {
    const place = todoPlace(module, path);
    const known = places.get(module) ?? new Set();
    places.set(module, known);
    if (place !== undefined) known.add(place);
  }
  return places;
}

// A reason that all requests of a client share is written once: at the use that causes it, or else
// at `axios.create()`. A file without other changes gets no comment.
function writeTodos({ instances, blocked }: Project, { refused }: Plan): void {
  const explained = new Set<Client>();
  const changed = new Set<Module>();
  for (const [{ client, kind, module }, { shared }] of refused) {
    if (!shared && kind !== 'request') explained.add(client);
    if (module.edits.length > 0) changed.add(module);
  }
  const isCause = ({ kind, path }: Use, { code }: Reason): boolean => {
    const made = kind === 'create' && instances.find(({ call }) => call === path);
    return made !== false && made !== undefined && !explained.has(made) && blocked?.code !== code;
  };
  const done = new Map<Module, Set<string>>();
  for (const [use, reason] of refused) {
    const { module } = use;
    if (!changed.has(module) || (reason.shared && !isCause(use, reason))) continue;
    const seen = done.get(module) ?? new Set<string>();
    done.set(module, seen);
    writeTodo(module, use.path, reason, seen);
  }
}

// Returns true if a module exports the instance that it imports.
const passesOn = ({ links, module: home }: Instance, module: Module): boolean =>
  module !== home && links.some((link) => link.module === module && link.kind.startsWith('export'));

// Returns true if a module exports the instance in braces, so that the class can be added there.
const isNamed = ({ links }: Instance, module: Module): boolean =>
  links.some((link) => link.module === module && link.kind === 'export-specifier');

// Returns true if an importing module no longer names the instance itself.
function isLinkUnused({ module, kind, node, local }: Link, dropped?: ReadonlySet<Node>): boolean {
  if ((kind !== 'import' && kind !== 'require') || !local || !dropped) return false;
  return !isUsed(module, local, dropped, node);
}

// Collects the names in the statement that the class replaces.
function consume(into: Set<Node> | undefined, { statement }: Instance): void {
  walk(statement.node, (node) => {
    if (node.type === 'Identifier') into?.add(node);
  });
}
