// @ts-check
/**
 * Runs Stryker on each part of the core and prints the figures of RESULTS.md.
 *
 * node tools/mutation/run.mjs [part] [flags of Stryker, `--mutate <files>` for example]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parts } from './parts.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stryker = join(root, 'tools/mutation/node_modules/@stryker-mutator/core/bin/stryker.js');
const [first, ...others] = process.argv.slice(2);
const isPart = first !== undefined && first in parts;
const flags = isPart ? others : process.argv.slice(2);

for (const part of isPart ? [first] : Object.keys(parts)) {
  const { status } = spawnSync(
    process.execPath,
    [stryker, 'run', 'tools/mutation/stryker.config.mjs', ...flags],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_PART: part } },
  );
  if (status !== 0) process.exit(status ?? 1);
}

console.log('| folder | killed | timed out | survived | not reached | score |');
console.log('| --- | --- | --- | --- | --- | --- |');
const total = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
for (const part of Object.keys(parts)) {
  const file = join(root, `tools/mutation/.cache/${part}/report.json`);
  if (!existsSync(file)) continue;
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const { files } = JSON.parse(readFileSync(file, 'utf8'));
  const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
  for (const { status } of Object.values(files).flatMap(({ mutants }) => mutants)) {
    if (!(status in counts)) continue;
    const known = /** @type {keyof typeof counts} */ (status);
    counts[known]++;
    total[known]++;
  }
  print(part, counts);
}
print('all', total);

/**
 * @param {string} name
 * @param {typeof total} counts
 */
function print(name, { Killed, Timeout, Survived, NoCoverage }) {
  const found = Killed + Timeout;
  const score = ((found / (found + Survived + NoCoverage)) * 100).toFixed(1);
  console.log(`| ${name} | ${Killed} | ${Timeout} | ${Survived} | ${NoCoverage} | ${score} % |`);
}
