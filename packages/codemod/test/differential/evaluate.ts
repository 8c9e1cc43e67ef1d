/** Runs a program of several files inside this process: without folders, and without a process of its own. */
import { dirname, extname, join } from 'node:path/posix';
import { transform, type Loader } from 'esbuild';

/** A file of a program. */
export interface SourceFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly source: string;
}

/** The modules that `require` finds, by name. */
export type Packages = Readonly<Record<string, unknown>>;

type Thunks = Record<string, () => unknown>;

const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'jsx',
  '.jsx': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
};

// A file may be imported without its extension, under that of its output, or as the folder of an index.
function candidates(path: string): readonly string[] {
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  return [path, ...Object.keys(LOADERS).flatMap((end) => [bare + end, join(path, `index${end}`)])];
}

/** The exports of a file, and its own declarations. */
export interface Loaded {
  readonly exports: unknown;
  /** Its own declarations, those that were requested. */
  readonly locals: Readonly<Record<string, unknown>>;
}

/** Compiled files, ready to be run any number of times. */
export interface Compiled {
  /** Runs files and those that they import, each once. */
  run(entries: readonly string[], packages: Packages): readonly Loaded[];
}

/**
 * Compiles files.
 *
 * @param expose Names of requested declarations, by file; undefined where there is none of the name.
 * @throws when a file cannot be parsed.
 */
export async function compile(
  files: readonly SourceFile[],
  expose: Readonly<Record<string, readonly string[]>> = {},
): Promise<Compiled> {
  const code = new Map<string, string>();
  const compiling = files.map(async ({ path, source }) => {
    const loader = LOADERS[extname(path)];
    if (!loader) return;
    const members = (expose[path] ?? []).map(
      (name) => `${name}: () => (typeof ${name} === 'undefined' ? undefined : ${name})`,
    );
    const text = members.length ? `${source}\n;__expose({ ${members.join(', ')} });` : source;
    const result = await transform(text, { loader, format: 'cjs', target: 'node20' });
    code.set(path, result.code);
  });
  await Promise.all(compiling);

  return {
    run(entries, packages) {
      const loaded = new Map<string, { module: { exports: unknown }; locals: Thunks }>();
      const load = (path: string): { module: { exports: unknown }; locals: Thunks } => {
        const known = loaded.get(path);
        if (known) return known;
        const own = { module: { exports: {} as unknown }, locals: {} as Thunks };
        loaded.set(path, own);
        const require = (name: string): unknown => {
          const target = join(dirname(path), name);
          const found = name.startsWith('.') && candidates(target).find((one) => code.has(one));
          if (found) return load(found).module.exports;
          if (Object.hasOwn(packages, name)) return packages[name];
          throw new Error(`${path} imports ${name}, which is not there.`);
        };
        // The text is a program under test; running it is what this file is for.
        // oxlint-disable-next-line typescript/no-implied-eval
        const body = new Function('require', 'module', 'exports', '__expose', code.get(path) ?? '');
        const expose = (more: Thunks): void => void Object.assign(own.locals, more);
        body(require, own.module, own.module.exports, expose);
        return own;
      };
      return entries.map((entry) => {
        const { module, locals } = load(entry);
        const values = Object.entries(locals).map(([name, get]) => [name, get()]);
        return { exports: module.exports, locals: Object.fromEntries(values) };
      });
    },
  };
}
