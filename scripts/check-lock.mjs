// @ts-check
/** Fails when a lock file names a registry: it must install from whichever one npm is set to. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['tools', 'benchmarks'].flatMap((place) =>
  readdirSync(join(root, place)).map((name) => join(place, name)),
);
let problems = 0;
for (const file of ['', ...folders].map((folder) => join(folder, 'package-lock.json'))) {
  if (!existsSync(join(root, file))) continue;
  /** @type {{ packages: Record<string, { resolved?: string }> }} */
  const lock = JSON.parse(readFileSync(join(root, file), 'utf8'));
  for (const [path, { resolved }] of Object.entries(lock.packages)) {
    if (!resolved?.includes('://')) continue;
    problems++;
    console.error(`${file}: ${path}: ${resolved}`);
  }
}
if (problems > 0) {
  console.error('Remove these `resolved` lines; `npm install` here writes none (see .npmrc).');
  process.exitCode = 1;
}
