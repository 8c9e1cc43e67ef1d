import { posix } from 'node:path';
import type { Resolve } from './link.js';

const EXTENSIONS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'];

// TypeScript's sources are imported by the names of their compiled files.
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx', 'jsx'],
  jsx: ['tsx'],
  mjs: ['mts'],
  cjs: ['cts'],
};

/**
 * The file among `paths` that a path without extension, of a folder, or of a compiled file means.
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

/** Resolves relative imports among a set of files. */
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
