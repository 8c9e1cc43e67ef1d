import { build, type BuildOptions } from 'esbuild';

/** The files of an application as a bundler leaves them for production, or for another value of `NODE_ENV`, by their paths. */
export async function minified(
  options: BuildOptions,
  mode: 'development' | 'production' = 'production',
): Promise<ReadonlyMap<string, string>> {
  const { outputFiles = [] } = await build({
    bundle: true,
    minify: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['restitch-source', 'production'],
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    logLevel: 'error',
    ...options,
  });
  return new Map(outputFiles.map(({ path, text }) => [path.replace(/.*[\\/]/, '/'), text]));
}
