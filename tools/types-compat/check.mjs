// @ts-check
/**
 * Compiles the published declarations, as users see them, under each supported TypeScript: `strict` on, `skipLibCheck` off,
 * with and without `exactOptionalPropertyTypes`. Also the declarations that each compiler emits for a user's package.
 *
 * Needs `npm run build` at the root, and once `npm ci` here.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const work = join(root, '.cache', 'types-compat');

// Oldest first; the last one is what the repository itself is built with.
const compilers = [
  join(here, 'node_modules', 'typescript-5.4'),
  join(here, 'node_modules', 'typescript-5.9'),
  join(here, 'node_modules', 'typescript-6.0'),
  join(root, 'node_modules', 'typescript'),
].map((folder) => {
  if (!existsSync(folder)) {
    console.error('The compilers are not installed: npm ci --prefix tools/types-compat');
    process.exit(1);
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { version, tsc: join(folder, 'bin', 'tsc') };
});
if (!existsSync(join(root, 'packages', 'restitch', 'dist', 'index.d.ts'))) {
  console.error('There are no declarations to check: npm run build');
  process.exit(1);
}

/**
 * @param {typeof compilers[number]} compiler
 * @param {string} folder
 * @param {Record<string, unknown>} options
 */
function compile({ version, tsc }, folder, options) {
  const config = {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      jsx: 'react-jsx',
      types: [],
      strict: true,
      skipLibCheck: false,
      noUncheckedIndexedAccess: true,
      ...options,
    },
    files: ['index.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, '-p', folder, '--pretty', 'false'],
    { encoding: 'utf8', cwd: folder },
  );
  if (status === 0) return true;
  console.error(`TypeScript ${version}: ${JSON.stringify(options)}\n${stdout || stderr}`);
  return false;
}

rmSync(work, { recursive: true, force: true });
let failures = 0;
for (const emitter of compilers) {
  // Declarations as this compiler emits them for the user's package …
  const library = join(work, emitter.version, 'library');
  const source = join(work, emitter.version, 'source');
  mkdirSync(source, { recursive: true });
  cpSync(join(here, 'fixtures', 'library'), source, { recursive: true });
  const emitting = { declaration: true, emitDeclarationOnly: true, outDir: library };
  if (!compile(emitter, source, emitting)) failures++;

  // … are used by the same compiler; those of the newest, which libraries are mostly built with, by all.
  const application = join(work, emitter.version, 'application');
  cpSync(join(here, 'fixtures', 'application'), application, { recursive: true });
  const users = emitter === compilers.at(-1) ? compilers : [emitter];
  for (const user of users) {
    for (const exactOptionalPropertyTypes of users.length > 1 ? [false, true] : [false]) {
      if (!compile(user, application, { noEmit: true, exactOptionalPropertyTypes })) failures++;
    }
  }
  console.log(`declarations by TypeScript ${emitter.version}: ${failures ? 'failed' : 'ok'}`);
}
if (failures > 0) process.exitCode = 1;
