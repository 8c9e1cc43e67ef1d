import type { Binding, NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { AXIOS, type Client, type Instance, type Use } from './clients.js';
import { bridgeClassOf } from './bridged.js';
import { fieldInstances } from './fields.js';
import type { Importers } from './importers.js';
import { axiosImports, instanceOf, usesOf } from './find.js';
import { componentMembers, memberUses } from './componentMembers.js';
import { classNameFor } from './instances.js';
import { linkModules, type Resolve } from './link.js';
import { sharedAxios } from './shared.js';
import type { Module } from './module.js';
import { changesUnfollowed, memberNamesIn } from './unfollowed.js';
import type { ErrorReader } from './readers.js';
import { because, type Reason } from './reasons.js';

/** The modules that are converted, and facts about all of them. */
export interface Project {
  readonly modules: readonly Module[];
  readonly uses: readonly Use[];
  readonly instances: readonly Instance[];
  readonly bindings: ReadonlyMap<Binding, Client>;
  /** Bindings of `isAxiosError`. */
  readonly checks: ReadonlySet<Binding>;
  /**
   * The names of the classes that replace instances. Each name is free in all modules that use the
   * instance.
   */
  readonly classNames: ReadonlyMap<Instance, string>;
  /** The modules that replace axios or a client with a mock. They stay unchanged. */
  readonly mocking: ReadonlySet<Module>;
  /** Names of members that contain a client in every component, such as `$http`. */
  readonly memberNames: ReadonlySet<string>;
  /** The reason why no call of `axios` itself is converted. */
  readonly blocked: Reason | undefined;
  /** True if all importers of a module are among the modules. */
  readonly complete: boolean;
  readonly importers: Importers;
  readonly resolve: Resolve;
  readonly readers: readonly ErrorReader[];
  /** True if `axios` may have interceptors in code that is not read. */
  readonly isUnseen: boolean;
}

const MOCKS =
  /\b(jest|vi|vitest)\s*\.\s*(mock|doMock|unstable_mockModule|spyOn|mocked)\b|axios-mock-adapter|moxios|jest-mock-axios|vitest-mock-axios|\bsinon\b[^]*\.(stub|spy|mock|replace)\w*\(\s*[a-z_$]|__mocks__/;

interface Found {
  readonly uses: Use[];
  readonly bindings: Map<Binding, Client>;
  readonly checks: Set<Binding>;
  readonly instances: Instance[];
  /** The constants that contain the instances. */
  readonly own: Map<Binding, Instance>;
  readonly mocking: Set<Module>;
  /** Bindings of `axios` itself. */
  readonly axios: Map<Binding, Module>;
}

// Returns the axios bindings of each module, without following imports between modules.
function findClients(modules: readonly Module[]): Found {
  const mocking = new Set(
    modules.filter(({ path, source }) => MOCKS.test(source) || path.includes('__mocks__')),
  );
  const found: Found = {
    uses: [],
    bindings: new Map(),
    checks: new Set(),
    instances: [],
    own: new Map(),
    mocking,
    axios: new Map(),
  };
  for (const module of modules) {
    const { clients, checks } = axiosImports(module);
    for (const binding of checks) found.checks.add(binding);
    for (const binding of clients) {
      found.bindings.set(binding, AXIOS);
      found.axios.set(binding, module);
      for (const use of usesOf(module, AXIOS, binding)) {
        found.uses.push(use);
        const made = use.kind === 'create' && !mocking.has(module) ? instanceOf(use) : undefined;
        if (!made) continue;
        found.instances.push(made.instance);
        if (made.binding) found.own.set(made.binding, made.instance);
      }
    }
  }
  return found;
}

/**
 * Returns the paths of the modules that export an instance, because their importers may use it. The
 * instance may come from another module.
 */
export function exportingPaths(modules: readonly Module[], resolve: Resolve): Set<string> {
  const { own, instances, axios } = findClients(modules);
  return new Set([
    ...linkModules(modules, own, instances, resolve).keys(),
    ...sharedAxios(modules, axios, resolve).exports.keys(),
  ]);
}

/** Finds every client and every use of one. */
export function openProject(
  modules: readonly Module[],
  importers: Importers,
  resolve: Resolve,
  complete: boolean,
  readers: readonly ErrorReader[],
  changed: Reason | undefined,
): Project {
  const { uses, bindings, checks, instances, own, axios, mocking } = findClients(modules);
  for (const [binding, module] of sharedAxios(modules, axios, resolve).bindings) {
    bindings.set(binding, AXIOS);
    uses.push(...usesOf(module, AXIOS, binding));
  }
  const exports = linkModules(modules, own, instances, resolve);
  for (const [path, names] of exports) {
    const [where] = importers.unaccounted(path, modules);
    if (where === undefined) continue;
    for (const instance of names.values())
      instance.blocked ??= { ...because('importer-unknown'), where };
  }
  const made = uses.filter(({ path }) => !instances.some(({ call }) => call === path));
  for (const { instance, uses: own } of fieldInstances(
    made.filter(({ module }) => !mocking.has(module)),
    (path, { path: to }) => importers.reaches(path, to),
  )) {
    instances.push(instance);
    uses.push(...own);
  }
  const known = new Map<Instance, Set<Module>>();
  for (const [binding, instance] of own) {
    bindings.set(binding, instance);
    const module = moduleOf(modules, binding);
    uses.push(...usesOf(module, instance, binding));
    known.set(instance, (known.get(instance) ?? new Set()).add(module));
  }
  const members = componentMembers(uses);
  for (const module of modules) if (!mocking.has(module)) uses.push(...memberUses(module, members));
  let blocked = changed;
  let isUnseen = changed?.code === 'interceptors';
  for (const module of modules) {
    const code = changesUnfollowed(module);
    isUnseen ||=
      code === 'interceptors' && !uses.some((use) => use.module === module && use.kind === code);
    if (code && !mocking.has(module)) blocked ??= { ...because(code), where: module.path };
  }
  for (const { module, client, kind } of uses) {
    if (mocking.has(module)) continue;
    const reason =
      kind === 'interceptors' || kind === 'defaults'
        ? because(kind)
        : kind === 'value' ||
            (kind === 'bridge' && client.kind === 'instance') ||
            (kind === 'export' && client.kind === 'axios')
          ? because('client-passed-on')
          : undefined;
    if (!reason) continue;
    const cause = { ...reason, where: module.path };
    if (client.kind === 'axios') blocked ??= cause;
    else client.blocked ??= cause;
  }
  // An instance copies the defaults of `axios`, but not its interceptors.
  if (blocked && blocked.code !== 'interceptors')
    for (const instance of instances) instance.blocked ??= blocked;
  const classNames = new Map<Instance, string>();
  const fieldNames = new Set<string>();
  for (const instance of instances) {
    const all = new Set([
      instance.module,
      ...(known.get(instance) ?? []),
      ...instance.links.map(({ module }) => module),
      ...uses.filter(({ client }) => client === instance).map(({ module }) => module),
    ]);
    const own = uses.filter(({ client }) => client === instance);
    if (!instance.field) instance.bridge = bridgeClassOf(instance, own);
    if (instance.bridge) {
      classNames.set(instance, instance.bridge.name);
      continue;
    }
    let name = classNameFor(instance.variable);
    // The class of a field is local to a function, so several fields may use the same name.
    const isTaken = (one: Module): boolean =>
      one.names.has(name) && !(instance.field && fieldNames.has(name));
    while ([...all].some(isTaken)) name = `_${name}`;
    if (instance.field) fieldNames.add(name);
    for (const { names } of all) names.add(name);
    classNames.set(instance, name);
  }
  return {
    modules,
    uses,
    instances,
    bindings,
    checks,
    classNames,
    mocking,
    memberNames: new Set(memberNamesIn(modules)),
    blocked,
    complete,
    importers,
    resolve,
    readers,
    isUnseen,
  };
}

function moduleOf(modules: readonly Module[], { scope }: Binding): Module {
  const program = scope.getProgramParent().path;
  const found = modules.find((module) => module.program === (program as NodePath));
  if (!found) throw new Error('A binding belongs to a module');
  return found;
}

/** Returns true if a call tests for an error of axios. */
export function isErrorCheck({ bindings, checks }: Project, call: NodePath): boolean {
  if (!call.isCallExpression() || call.node.arguments.length !== 1) return false;
  const callee = call.get('callee');
  const binding = (path: NodePath): Binding | undefined =>
    path.isIdentifier() ? path.scope.getBinding(path.node.name) : undefined;
  const direct = binding(callee);
  if (direct) return checks.has(direct);
  if (!callee.isMemberExpression() || callee.node.computed) return false;
  const { property } = callee.node;
  const object = binding(callee.get('object'));
  return (
    property.type === 'Identifier' &&
    property.name === 'isAxiosError' &&
    object !== undefined &&
    bindings.get(object)?.kind === 'axios'
  );
}

export const requestNodes = ({ uses }: Project): Set<Node> =>
  new Set(uses.filter(({ kind }) => kind === 'request').map(({ path }) => path.node));

/**
 * Returns the reason why requests of `axios` stay: an unparsed file changes the defaults or adds
 * interceptors. Interceptors take precedence, because they may change the result of requests.
 */
export function changedUnseen(
  files: readonly { readonly path: string; readonly source: string }[],
): Reason | undefined {
  const found = files.flatMap(({ path, source }): Reason[] => {
    if (!source.includes('axios')) return [];
    const other = IMPORTED.exec(source)?.[1];
    const names = ['axios', ...(other === undefined ? [] : [other])].join('|');
    const pattern = new RegExp(
      `\\b(?:${names})\\s*\\??\\.\\s*(?:default\\s*\\.\\s*)?(defaults|interceptors)\\b`,
      'g',
    );
    return [...source.matchAll(pattern)].map(([, name]) => ({
      ...because(name === 'interceptors' ? name : 'defaults'),
      where: path,
    }));
  });
  return found.find(({ code }) => code === 'interceptors') ?? found[0];
}

const IMPORTED = /\bimport\s+(?:\*\s*as\s+)?(\w+)\b[^;'"]*from\s*['"]axios['"]/;
