import { posix } from 'node:path';
import type { Resolve } from './link.js';

const EXTENSIONS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'];

// The extensions of sources by the extension in an import: `./api.js` may mean `api.ts`.
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'jsx'],
  jsx: ['tsx'],
  mjs: ['mts'],
  cjs: ['cts'],
};

/**
 * Returns the file in `paths` that an import means, such as `src/api.ts` for `src/api`. The import
 * may also name a folder or a compiled file.
 */
export function fileAt(target: string, paths: ReadonlySet<string>): string | undefined {
  const extension = /\.(\w+)$/.exec(target)?.[1] ?? '';
  const stem = target.slice(0, -extension.length);
  const candidates = [
    target,
    ...(COMPILED[extension] ?? []).map((other) => stem + other),
    ...EXTENSIONS.map((other) => `${target}.${other}`),
    ...EXTENSIONS.map((other) => posix.join(target, `index.${other}`)),
  ];
  return candidates.find((candidate) => paths.has(candidate));
}

/** Returns a function that resolves relative imports among a set of files. */
export function resolveAmong(files: readonly string[]): Resolve {
  const paths = new Map(files.map((path) => [posix.normalize(path.replaceAll('\\', '/')), path]));
  const known = new Set(paths.keys());
  return (specifier, from) => {
    if (!/^\.{1,2}(\/|$)/.test(specifier)) return undefined;
    const folder = posix.dirname(from.replaceAll('\\', '/'));
    const found = fileAt(posix.join(folder, specifier).replace(/\/$/, ''), known);
    return found === undefined ? undefined : paths.get(found);
  };
}
