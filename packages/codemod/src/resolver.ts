import { dirname, posix, resolve as toAbsolute } from 'node:path';
import { createPathsMatcher, getTsconfig, type TsConfigResult } from 'get-tsconfig';
import type { Resolve } from './transform/link.js';
import { fileAt } from './transform/resolve.js';
import type { DiskFile } from './files.js';

type Matcher = (specifier: string) => string[];

/**
 * Returns a function that resolves imports among files on disk. It resolves relative imports, and
 * imports by the `paths` of a `tsconfig.json` or `jsconfig.json`.
 */
export function resolveOnDisk(files: readonly DiskFile[]): Resolve {
  const slashes = (path: string): string => path.replaceAll('\\', '/');
  const paths = new Map(files.map(({ absolute, path }) => [slashes(absolute), path]));
  const absolutes = new Map(files.map(({ absolute, path }) => [path, absolute]));
  const known = new Set(paths.keys());
  const matchers = new Map<string, readonly Matcher[]>();
  const cache = new Map<string, TsConfigResult | null>();

  const matchersFor = (folder: string): readonly Matcher[] => {
    const found = matchers.get(folder);
    if (found) return found;
    const made = ['tsconfig.json', 'jsconfig.json'].flatMap((name) => {
      const config = readConfig(folder, name, cache);
      const matcher = config && createPathsMatcher(config);
      return matcher ? [matcher] : [];
    });
    matchers.set(folder, made);
    return made;
  };

  return (specifier, from) => {
    const absolute = absolutes.get(from);
    if (absolute === undefined) return undefined;
    const folder = dirname(absolute);
    const candidates = /^\.{1,2}(\/|$)/.test(specifier)
      ? [toAbsolute(folder, specifier)]
      : matchersFor(folder).flatMap((match) => match(specifier));
    for (const candidate of candidates) {
      const found = fileAt(slashes(candidate), known);
      if (found !== undefined) return paths.get(found);
    }
    return byConvention(specifier, slashes(absolute), known, paths);
  };
}

function readConfig(
  folder: string,
  name: string,
  cache: Map<string, TsConfigResult | null>,
): TsConfigResult | null {
  try {
    return getTsconfig(folder, name, cache);
  } catch {
    // The config may extend a package that is not installed.
    return null;
  }
}

// Resolves `@/api` and `~/api` to files in `src`, if only a bundler configures these aliases. The
// `src` around the importing file comes first. Two matches in other `src` folders are ambiguous.
function byConvention(
  specifier: string,
  from: string,
  known: ReadonlySet<string>,
  paths: ReadonlyMap<string, string>,
): string | undefined {
  const rest = /^[@~]\/(.+)$/.exec(specifier)?.[1];
  if (rest === undefined) return undefined;
  const roots = new Set([...known].flatMap((path) => /^(.*\/src)\//.exec(path)?.[1] ?? []));
  const at = (root: string): string | readonly [] => fileAt(posix.join(root, rest), known) ?? [];
  const own = [...roots].filter((root) => from.startsWith(`${root}/`));
  const near = own.sort((a, b) => b.length - a.length).flatMap(at);
  if (near[0] !== undefined) return paths.get(near[0]);
  const found = [...roots].flatMap(at);
  return found.length === 1 ? paths.get(found[0] ?? '') : undefined;
}
