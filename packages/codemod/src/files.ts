import { readFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
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

/** A file with the bytes that it must keep when it is not converted. */
export interface DiskFile extends SourceFile {
  readonly absolute: string;
}

/**
 * Reads what the paths name: files, folders, or patterns.
 *
 * @throws Error when a path names nothing.
 */
export async function readSources(paths: readonly string[], cwd: string): Promise<DiskFile[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const before = found.size;
    const kind = await stat(resolve(cwd, path)).catch(() => undefined);
    if (kind?.isFile()) found.add(resolve(cwd, path));
    else {
      const folder = kind?.isDirectory() === true;
      const files = await glob(folder ? PATTERN : path, {
        cwd: folder ? resolve(cwd, path) : cwd,
        ignore: IGNORED,
        absolute: true,
        dot: false,
      });
      for (const file of files) found.add(resolve(file));
    }
    if (!kind && found.size === before) throw new Error(`Nothing is at ${path}`);
  }
  const files: DiskFile[] = [];
  for (const absolute of [...found].sort()) {
    const bytes = await readFile(absolute);
    const source = bytes.toString('utf8');
    // What is no UTF-8 could not be written back as it was.
    if (!Buffer.from(source, 'utf8').equals(bytes)) continue;
    files.push({ absolute, path: relative(cwd, absolute).replaceAll('\\', '/'), source });
  }
  return files;
}
