/** Type checks programs before and after their conversion, all in one run of the compiler. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './evaluate.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A program and its conversion. */
export interface Pair {
  readonly before: readonly SourceFile[];
  readonly after: readonly SourceFile[];
}

const SETTINGS = {
  compilerOptions: {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    jsx: 'preserve',
    skipLibCheck: true,
    customConditions: ['restitch-source'],
  },
  include: ['*/before/**/*', '*/after/**/*'],
};

// JavaScript is checked for names only: unknown ones, doubled ones, and such as are used too early.
const NAMES = /error TS(2304|2552|2300|2451|2448|2454|18004)\b/;

/** The errors of each program that its conversion brought in. */
export async function newTypeErrors(pairs: readonly Pair[]): Promise<ReadonlyMap<number, string>> {
  // Inside of the workspace, where packages are found; `.cache` is not tracked.
  const cache = join(root, 'packages/codemod/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'types-'));
  try {
    const writing = pairs.flatMap(({ before, after }, index) =>
      Object.entries({ before, after }).flatMap(([side, files]) =>
        files.map(async ({ path, source }) => {
          const target = join(folder, String(index), side, path);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, source);
        }),
      ),
    );
    await Promise.all(writing);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    const output = await new Promise<string>((resolve) => {
      // Only errors count here; other problems have none and are found below.
      execFile(
        process.execPath,
        [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
        { cwd: folder, maxBuffer: 1 << 28 },
        (error, stdout, stderr) => resolve(error && !stdout ? `failed: ${stderr}` : stdout),
      );
    });
    if (output.startsWith('failed: ')) throw new Error(`tsc ${output}`);
    return sorted(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sorted(output: string): ReadonlyMap<number, string> {
  const before = new Set<string>();
  const after = new Map<number, string>();
  for (const line of output.split('\n')) {
    const [, index, side, file, message] =
      /^(\d+)\/(before|after)\/(\S+?)\(\d+,\d+\): (.*)$/.exec(line) ?? [];
    if (index === undefined || !file || !message) continue;
    if (/\.[cm]?js$/.test(file) && !NAMES.test(message)) continue;
    if (side === 'before') before.add(index);
    else after.set(Number(index), `${after.get(Number(index)) ?? ''}${file}: ${message}\n`);
  }
  // A program that was wrong before proves nothing.
  for (const index of before) after.delete(Number(index));
  return after;
}
