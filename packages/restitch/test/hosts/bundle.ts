import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

export interface Bundle {
  readonly code: string;
  /** The files that it was made of, from the root of the repository, with what they hold. */
  readonly sources: ReadonlyMap<string, string>;
}

/** What a bundler makes of a module, React left out. */
export async function bundle(contents: string, format: 'esm' | 'iife' = 'esm'): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format,
    globalName: 'bundled',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['restitch-source'],
    external: ['react', 'react-dom'],
    logLevel: 'error',
  });
  const files = Object.keys(metafile.inputs).filter((file) => file !== '<stdin>');
  const sources = await Promise.all(
    files.map(async (file) => {
      // Inputs are named from where the process runs.
      const path = join(process.cwd(), file);
      return [relative(root, path), await readFile(path, 'utf8')] as const;
    }),
  );
  return { code: outputFiles[0]?.text ?? '', sources: new Map(sources) };
}

/** The names that code uses without declaring them, those of the language left out. `typeof name` is no use. */
export async function freeNames(code: string): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  try {
    const config = { categories: { correctness: 'off' }, env: { builtin: true } };
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ ...config, rules: { 'eslint/no-undef': 'error' } }),
    );
    await writeFile(join(folder, 'code.mjs'), code);
    const linter = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const args = [linter, '-c', 'config.json', '--format', 'json', 'code.mjs'];
    // It ends with a status of its own where it finds something.
    const text = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: folder }, (_, stdout) => resolve(stdout));
    });
    const { diagnostics } = JSON.parse(text) as { diagnostics: { message: string }[] };
    return new Set(
      diagnostics.map(({ message }) => /'(.+)' is not defined/.exec(message)?.[1] ?? message),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
