import type { Node } from '@babel/types';
import { isReplaced, writeClass } from './transform/classes.js';
import type { Instance } from './transform/clients.js';
import { applyEdits } from './transform/edits.js';
import { type RestitchName, writeImports, writeLink } from './transform/imports.js';
import type { Resolve } from './transform/link.js';
import { lineAt, type Module, openModule, startOf } from './transform/module.js';
import { makePlan, type Plan } from './transform/plan.js';
import { openProject, type Project } from './transform/project.js';
import type { ReasonCode } from './transform/reasons.js';
import { resolveAmong } from './transform/resolve.js';
import { specifiersOf } from './transform/specifiers.js';
import { writeTodo } from './transform/todo.js';
import { walk, writeRequests, type Written } from './transform/write.js';

/** A file before its conversion. */
export interface SourceFile {
  readonly path: string;
  readonly source: string;
}

/** A file after its conversion. */
export interface ConvertedFile {
  readonly path: string;
  /** The new text, or the old one when nothing was changed. */
  readonly source: string;
  readonly changed: boolean;
  /** Why the file could not be read; it is then as it was. */
  readonly error?: string;
}

/** One place where code uses axios. */
export interface Site {
  readonly path: string;
  readonly line: number;
  readonly status: 'converted' | 'skipped';
  /** Why it was left, in words. */
  readonly reason?: string;
  /** The same as a code that stays the same. */
  readonly code?: ReasonCode;
}

/** Settings of a conversion. */
export interface ConvertOptions {
  /** Whether endpoints are defined where they are called instead of at module level. Default: false. */
  readonly inline?: boolean;
  /** Whether a comment is put above what is left. Default: true. */
  readonly todo?: boolean;
  /** Finds the path of the file that an import names. Default: relative imports among the given files. */
  readonly resolve?: Resolve;
  /** Whether every file that imports one of the given is given, too. Default: true. */
  readonly complete?: boolean;
}

/** What a conversion did. */
export interface Conversion {
  readonly files: readonly ConvertedFile[];
  readonly sites: readonly Site[];
}

/**
 * Converts a set of files that import one another. Nothing is read or written.
 *
 * @example
 * ```ts
 * import { convertFiles } from 'restitch-codemod';
 *
 * const source = "import axios from 'axios';\n\nconst getUsers = axios.get('/users');\n";
 * const { files, sites } = convertFiles([{ path: 'src/users.js', source }]);
 * ```
 */
export function convertFiles(
  files: readonly SourceFile[],
  options: ConvertOptions = {},
): Conversion {
  const resolve = options.resolve ?? resolveAmong(files.map(({ path }) => path));
  const specifiers = new Map(files.map(({ path, source }) => [path, specifiersOf(source)]));
  const imported = new Set<string>();
  for (const [path, names] of specifiers)
    for (const name of names) {
      const target = name === 'axios' ? undefined : resolve(name, path);
      if (target !== undefined) imported.add(target);
    }
  const modules = new Map<string, Module>();
  const errors = new Map<string, string>();
  const open = ({ path, source }: SourceFile): void => {
    try {
      modules.set(path, openModule(path, source, /\.(\w+)$/.exec(path)?.[1] ?? 'js', ''));
    } catch (error) {
      errors.set(path, error instanceof Error ? error.message : String(error));
    }
  };
  for (const file of files) if (file.source.includes('axios')) open(file);
  // Whoever imports from what is open may use an instance, and may pass it on.
  for (let size = -1; size !== modules.size;) {
    size = modules.size;
    for (const file of files) {
      if (modules.has(file.path) || errors.has(file.path)) continue;
      const names = specifiers.get(file.path) ?? [];
      if (names.some((name) => modules.has(resolve(name, file.path) ?? ''))) open(file);
    }
  }

  const complete = options.complete ?? true;
  const project = openProject([...modules.values()], resolve, complete, (path) =>
    imported.has(path),
  );
  const plan = makePlan(project);
  const sites = sitesOf(project, plan);
  writeProject(project, plan, options);
  return {
    files: files.map(({ path, source }) => {
      const module = modules.get(path);
      const after = module && module.edits.length > 0 ? applyEdits(source, module.edits) : source;
      const error = errors.get(path);
      return {
        path,
        source: after,
        changed: after !== source,
        ...(error !== undefined && { error }),
      };
    }),
    sites,
  };
}

function sitesOf(project: Project, plan: Plan): Site[] {
  const sites: Site[] = [];
  for (const use of project.uses) {
    const { path, source } = use.module;
    const line = lineAt(source, startOf(use.path.node));
    const reason = plan.refused.get(use);
    if (reason)
      sites.push({ path, line, status: 'skipped', reason: reason.text, code: reason.code });
    else if (use.kind === 'request') sites.push({ path, line, status: 'converted' });
  }
  return sites.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

function writeProject(project: Project, plan: Plan, options: ConvertOptions): void {
  const written = new Map<Module, Written>();
  for (const module of project.modules) {
    const planned = [...plan.requests.values()]
      .filter(({ request }) => request.use.module === module)
      .sort((a, b) => startOf(a.request.call.node) - startOf(b.request.call.node));
    written.set(module, writeRequests(module, planned, plan, { inline: options.inline ?? false }));
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
    writeClass(instance, base.text, replaced);
    for (const link of instance.links)
      writeLink(link, base.className, replaced, used.includes(link.module));
    const own = needs.get(instance.module);
    own?.add('RestEndpoint');
    if (instance.module.typescript) own?.add('RestGenerics');
    if (replaced) consumeCreate(consumed.get(instance.module), instance);
  }
  for (const module of project.modules) {
    const gone = consumed.get(module) ?? new Set<Node>();
    writeImports(module, needs.get(module) ?? new Set(), gone);
  }
  if (options.todo === false) return;
  const done = new Map<Module, Set<string>>();
  for (const [use, reason] of plan.refused) {
    const seen = done.get(use.module) ?? new Set<string>();
    done.set(use.module, seen);
    writeTodo(use.module, use.path, reason, seen);
  }
}

function consumeCreate(into: Set<Node> | undefined, { statement }: Instance): void {
  walk(statement.node, (node) => {
    if (node.type === 'Identifier') into?.add(node);
  });
}
