import { type ClientReport, clientReports } from './clients.js';
import { applyEdits } from './transform/edits.js';
import { checkOutput } from './transform/gate.js';
import { type Importers, readImporters } from './transform/importers.js';
import type { Resolve } from './transform/link.js';
import { lineOf, type Module, type Neighbors, openModule, startOf } from './transform/module.js';
import { makePlan, type Plan } from './transform/plan.js';
import { parseOnly } from './transform/parse.js';
import { changedUnseen, exportingPaths, openProject, type Project } from './transform/project.js';
import { type ErrorReader, NAMES_ERRORS, readersIn, READS } from './transform/readers.js';
import { type ReasonCode, REASONS } from './transform/reasons.js';
import { resolveAmong } from './transform/resolve.js';
import { templateCalls } from './transform/templates.js';
import { memberNamesIn, unfollowedUses } from './transform/unfollowed.js';
import { writeProject } from './transform/writeProject.js';
import { type Script, scriptsOf } from './scripts.js';

/** A file before its conversion. */
export interface SourceFile {
  readonly path: string;
  readonly source: string;
}

/** A file after its conversion. */
export interface ConvertedFile {
  readonly path: string;
  /** The new text, or the old text if nothing was changed. */
  readonly source: string;
  readonly changed: boolean;
  /** The reason why the file could not be converted. The file is then unchanged. */
  readonly error?: string;
}

/** One place where code uses axios. */
export interface Site {
  readonly path: string;
  /** The first line of the call, counted from 1. */
  readonly line: number;
  readonly status: 'converted' | 'skipped';
  /** True if a converted call still sends through axios, over the bridge `restitch/axios`. */
  readonly bridged?: boolean;
  /**
   * True if a converted call still returns the whole response, because code may read more than its
   * data.
   */
  readonly whole?: boolean;
  /** The reason why the call was left, as text. */
  readonly reason?: string;
  /** The reason as a stable code. */
  readonly code?: ReasonCode;
}

/** The options of `convertFiles`. */
export interface ConvertOptions {
  /** True to define endpoints where they are called instead of at module level. Default: false. */
  readonly inline?: boolean;
  /**
   * True to convert only calls that then no longer need axios. No call goes over the bridge.
   * Default: false.
   */
  readonly withoutAxios?: boolean;
  /** True to put a comment above each call that is left. Default: true. */
  readonly todo?: boolean;
  /**
   * Returns the path of the file that an import names. By default, it resolves relative imports
   * among the given files.
   */
  readonly resolve?: Resolve;
  /**
   * Files that are only read. Their imports, error handlers and interceptors affect which calls of
   * the given files can be converted.
   */
  readonly outside?: readonly SourceFile[];
  /** True if all files that import one of the given files are given, too. Default: true. */
  readonly complete?: boolean;
  /** Called with the number of files that were read, and the number of all files. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The result of `convertFiles`. `files` also contains the unchanged files. */
export interface Conversion {
  readonly files: readonly ConvertedFile[];
  readonly sites: readonly Site[];
  /** The clients that still need axios. */
  readonly clients: readonly ClientReport[];
}

/**
 * Converts a set of files that import one another. It neither reads nor writes files.
 *
 * @remarks A file that cannot be parsed stays unchanged, with `error` set. The same applies if the
 * new text does not parse, uses an undeclared name, or loses a comment.
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
  const everything = [...files, ...(options.outside ?? [])];
  const resolve = options.resolve ?? resolveAmong(everything.map(({ path }) => path));
  const errors = new Map<string, string>();
  // If a file fails `checkOutput`, the conversion starts again without that file.
  for (;;) {
    const conversion = convertOnce(files, everything, options, resolve, errors);
    if (conversion) return conversion;
  }
}

function convertOnce(
  files: readonly SourceFile[],
  everything: readonly SourceFile[],
  options: ConvertOptions,
  resolve: Resolve,
  errors: Map<string, string>,
): Conversion | undefined {
  const divided: Site[] = [];
  const importers = readImporters(everything, resolve);
  const neighborsOf = readNeighbors(everything, resolve);
  const modules = openModules(
    files,
    importers,
    resolve,
    errors,
    divided,
    neighborsOf,
    options.onProgress,
  );
  const all = [...modules.values()];
  const readers = findReaders(everything, modules, errors);
  const unseen = everything.filter(({ path }) => !modules.has(path));
  const project = openProject(
    all,
    importers,
    resolve,
    options.complete ?? true,
    readers,
    changedUnseen(unseen),
  );
  const plan = makePlan(project, options.withoutAxios ?? false);
  const sites = sitesOf(project, plan);
  writeProject(project, plan, options);
  let failed = false;
  const converted = files.map(({ path, source }): ConvertedFile => {
    const module = modules.get(path);
    const error = errors.get(path);
    const same = { path, source, changed: false };
    if (error !== undefined) return { ...same, error };
    if (!module || module.edits.length === 0) return same;
    try {
      const script = applyEdits(module.source, module.edits);
      checkOutput(module, script);
      const end = module.offset + module.source.length;
      const text = source.slice(0, module.offset) + script + source.slice(end);
      return { path, source: text, changed: text !== source };
    } catch (failure) {
      const message = messageOf(failure);
      errors.set(path, message);
      failed = true;
      return { ...same, error: message };
    }
  });
  if (failed) return undefined;
  const clients = clientReports(project, plan);
  return { files: converted, sites: [...sites, ...divided].sort(inOrder), clients };
}

const inOrder = (a: Site, b: Site): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

// Opens the files that name axios or a member such as `$http`, and the files that import an
// instance. Other files are only checked for syntax errors.
function openModules(
  files: readonly SourceFile[],
  importers: Importers,
  resolve: Resolve,
  errors: Map<string, string>,
  divided: Site[],
  neighborsOf: (path: string) => Neighbors,
  onProgress: ConvertOptions['onProgress'],
): Map<string, Module> {
  const modules = new Map<string, Module>();
  const seen = new Set<string>();
  const open = (file: SourceFile): void => {
    const { path, source } = file;
    seen.add(path);
    onProgress?.(seen.size, files.length);
    if (errors.has(path)) return;
    const scripts = scriptsOf(path, source);
    const [script] = scripts;
    if (scripts.length > 1) divided.push(...dividedSites(file, scripts));
    if (!script || scripts.length > 1) return;
    try {
      modules.set(path, openModule(path, source, script, neighborsOf(path)));
    } catch (error) {
      errors.set(path, messageOf(error));
    }
  };
  for (const file of files) if (/axios|CanceledError/.test(file.source)) open(file);
  for (;;) {
    const exporting = exportingPaths([...modules.values()], resolve);
    const memberNames = memberNamesIn([...modules.values()]);
    const more = files.filter(
      ({ path, source }) =>
        !seen.has(path) &&
        (importers.targets(path).some((from) => exporting.has(from)) ||
          memberNames.some((name) => source.includes(name))),
    );
    if (more.length === 0) break;
    for (const file of more) open(file);
  }
  for (const file of files) if (!seen.has(file.path)) tryParsing(file, errors);
  return modules;
}

function readNeighbors(
  files: readonly SourceFile[],
  resolve: Resolve,
): (path: string) => Neighbors {
  const sources = new Map(files.map(({ path, source }) => [path, source]));
  const paths = searcher(files);
  const neighborsOf = (path: string): Neighbors => ({
    paths,
    some: (pattern) => paths(pattern).length > 0,
    find(specifier) {
      const target = resolve(specifier, path);
      const source = target === undefined ? undefined : sources.get(target);
      if (target === undefined || source === undefined) return undefined;
      return { path: target, source, neighbors: neighborsOf(target) };
    },
  });
  return neighborsOf;
}

// Optimization: each pattern is tested against the files only once.
function searcher(files: readonly SourceFile[]): Neighbors['paths'] {
  const known = new Map<string, readonly string[]>();
  return (pattern, further = () => true) => {
    const found =
      known.get(pattern.source) ??
      files.filter(({ source }) => pattern.test(source) && further(source)).map(({ path }) => path);
    known.set(pattern.source, found);
    return found;
  };
}

// Finds the places that read errors of axios, even in files that do not name axios.
function findReaders(
  files: readonly SourceFile[],
  modules: ReadonlyMap<string, Module>,
  errors: ReadonlyMap<string, string>,
): ErrorReader[] {
  return files.flatMap(({ path, source }): ErrorReader[] => {
    if (!READS.test(source)) return [];
    const module = modules.get(path);
    const unseen = errors.has(path) ? source : (module?.around ?? '');
    if (NAMES_ERRORS.test(unseen)) return [{ path, handler: undefined, general: true }];
    if (errors.has(path)) return [];
    if (module) return readersIn(path, module.ast);
    try {
      return scriptsOf(path, source).flatMap((script) =>
        readersIn(path, parseOnly(script.source, script.extension)),
      );
    } catch {
      return NAMES_ERRORS.test(source) ? [{ path, handler: undefined, general: true }] : [];
    }
  });
}

// A file with a syntax error is reported even if it has nothing to do with axios.
function tryParsing({ path, source }: SourceFile, errors: Map<string, string>): void {
  if (errors.has(path)) return;
  try {
    for (const script of scriptsOf(path, source)) parseOnly(script.source, script.extension);
  } catch (error) {
    errors.set(path, messageOf(error));
  }
}

// The scripts of one component share their names, so no script can be converted alone.
function dividedSites({ path, source }: SourceFile, scripts: readonly Script[]): Site[] {
  return scripts.flatMap((script) => {
    const at = script.source.search(/(['"])axios\1/);
    if (at < 0) return [];
    const line = source.slice(0, script.start + at).split('\n').length;
    return [{ path, line, status: 'skipped', reason: REASONS['two-scripts'], code: 'two-scripts' }];
  });
}

function sitesOf(project: Project, plan: Plan): Site[] {
  const sites: Site[] = [];
  for (const use of project.uses) {
    if (plan.repeats.has(use)) continue;
    const { path } = use.module;
    const line = lineOf(use.module, startOf(use.path.node));
    const reason = plan.refused.get(use);
    if (reason)
      sites.push({ path, line, status: 'skipped', reason: reason.text, code: reason.code });
    else if (use.kind === 'request') {
      const draft = plan.requests.get(use.path.node)?.draft;
      const bridged =
        use.client.kind === 'axios' ? draft?.ownClass !== undefined : plan.bridged.has(use.client);
      sites.push({
        path,
        line,
        status: 'converted',
        ...(bridged && { bridged }),
        ...(draft?.isWhole && { whole: true }),
      });
    }
  }
  for (const module of project.modules) {
    const { path } = module;
    const code: ReasonCode = 'in-template';
    for (const line of templateCalls(module, project))
      sites.push({ path, line, status: 'skipped', reason: REASONS[code], code });
  }
  for (const module of project.modules) {
    const code = project.mocking.has(module) ? 'mocks-axios' : 'client-not-followed';
    for (const node of unfollowedUses(module, project)) {
      const line = lineOf(module, startOf(node));
      sites.push({ path: module.path, line, status: 'skipped', reason: REASONS[code], code });
    }
  }
  return sites;
}
