import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import type { SourceFile } from './convert.js';

const PATTERN = '**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}';
const IGNORED = [
  '**/node_modules/**',
  '**/.git/**',
  '**/dist/**',
  '**/build/**',
  '**/coverage/**',
  '**/*.d.ts',
  '**/*.min.js',
];

export interface DiskFile extends SourceFile {
  readonly absolute: string;
}

export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** The files for the paths of a command line. */
export interface Sources {
  readonly files: readonly DiskFile[];
  /** The other files of the same packages, for `ConvertOptions.outside`. */
  readonly outside: readonly DiskFile[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads the files for the paths, which may be files, folders or patterns. Symbolic links are not
 * followed, so that no file outside the paths is converted. If a given path is itself a link, its
 * target is read.
 *
 * @throws Error when there is no file at a path.
 */
export async function readSources(paths: readonly string[], folder: string): Promise<Sources> {
  const cwd = await realpath(folder);
  const found = new Set<string>();
  const leftOut = new Map<string, string>();
  const shown = (absolute: string): string => relative(cwd, absolute).replaceAll('\\', '/');
  const packages = new Set<string>();
  for (const path of paths) {
    const before = found.size + leftOut.size;
    const root = await realpath(resolve(cwd, path)).catch(() => undefined);
    const kind = root === undefined ? undefined : await stat(root);
    const home = packageOf(root ?? cwd);
    if (home !== undefined) packages.add(home);
    if (root !== undefined && kind?.isFile()) found.add(root);
    else {
      const within = kind?.isDirectory() === true ? root : undefined;
      for (const file of await listFiles(within === undefined ? path : PATTERN, within ?? cwd)) {
        if ((await realpath(file)) !== file)
          leftOut.set(shown(file), 'it is behind a symbolic link');
        else found.add(file);
      }
    }
    if (!kind && found.size + leftOut.size === before) throw new Error(`Nothing is at ${path}`);
  }
  const files: DiskFile[] = [];
  for (const absolute of [...found].sort()) {
    const source = await readText(absolute);
    const path = shown(absolute);
    // Text that is not UTF-8 would be damaged when the file is written back.
    if (source === undefined) leftOut.set(path, 'it is not UTF-8');
    else if (isMinified(source)) leftOut.set(path, 'it is minified');
    else files.push({ absolute, path, source });
  }
  const outside: DiskFile[] = [];
  for (const home of packages) {
    for (const absolute of await listFiles(PATTERN, home)) {
      if (found.has(absolute)) continue;
      found.add(absolute);
      const source = await readText(absolute);
      if (source !== undefined && !isMinified(source))
        outside.push({ absolute, path: shown(absolute), source });
    }
  }
  return {
    files,
    outside,
    leftOut: [...leftOut].map(([path, reason]) => ({ path, reason })).sort(byPath),
  };
}

async function listFiles(pattern: string, cwd: string): Promise<string[]> {
  const files = await glob(pattern, {
    cwd,
    ignore: IGNORED,
    absolute: true,
    dot: false,
    followSymbolicLinks: false,
  });
  return files.map((file) => resolve(file));
}

async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file);
  const source = bytes.toString('utf8');
  return Buffer.from(source, 'utf8').equals(bytes) ? source : undefined;
}

// Returns the nearest folder with a `package.json`.
function packageOf(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

const byPath = (a: LeftOut, b: LeftOut): number => (a.path < b.path ? -1 : 1);

const LARGE_FILE = 30_000;
const LONG_LINE = 400;

// The syntax tree of a large bundle would need hundreds of megabytes.
const isMinified = (source: string): boolean =>
  source.length > LARGE_FILE && source.length / source.split('\n').length > LONG_LINE;
