// @ts-check
/**
 * The cost of the types: compiles generated files with many resources and counts the compiler's instantiations.
 *
 *   node types.mjs            prints the table
 *   node types.mjs --write    also keeps it in TYPES.md
 *   node types.mjs --check    also fails above a budget
 *
 * The cost of one resource is (cost of 101 - cost of 1) / 100, so that what is paid once for the whole program is left out.
 * Instantiations are exact and the same on every machine; times and memory are not, and are for orientation.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byFunction, callSites, sourceOf } from './typesSource.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const version = JSON.parse(
  readFileSync(join(root, 'node_modules', 'typescript', 'package.json'), 'utf8'),
).version;

/** @typedef {{ instantiations: number, types: number, memory: number, seconds: number }} Cost */

/** The budgets are those of the contract, 12.2. */
const rows = [
  { name: 'declared only', uses: () => '' },
  {
    name: 'extended by name',
    budget: 500,
    uses: (/** @type {number} */ i) =>
      `export const X${i} = R${i}.extend('stats', { path: '/r${i}/stats', schema: undefined });`,
  },
  {
    name: 'extended by object, two endpoints',
    budget: 900,
    uses: (/** @type {number} */ i) => `export const X${i} = R${i}.extend({
  get: { dataExpiryLength: 5 },
  getList: { searchParams: {} as { more${i}?: string } },
});`,
  },
  { name: 'extended by function, two endpoints', budget: 1_000, uses: byFunction },
  { name: 'the same with six typed call sites', budget: 2_200, uses: callSites },
];
const WHOLE_PROGRAM = { resources: 200, budget: 480_000, uses: callSites };

/**
 * @param {(i: number) => string} uses
 * @param {number} count
 * @returns {Cost}
 */
function measure(uses, count) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'types-'));
  try {
    writeFileSync(join(folder, 'resources.ts'), sourceOf(uses, count));
    const config = {
      extends: relative(folder, join(root, 'tsconfig.base.json')).replaceAll('\\', '/'),
      compilerOptions: { noEmit: true, customConditions: ['restitch-source'] },
      files: ['resources.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    // With several checkers, each has its own copies of the types, and their number depends on how
    // the files are distributed: adding an unrelated file changed the count by up to 1,300.
    const { stdout } = spawnSync(
      process.execPath,
      [compiler, '-p', folder, '--extendedDiagnostics', '--pretty', 'false', '--checkers', '1'],
      { encoding: 'utf8' },
    );
    // Errors elsewhere are for the type check to report.
    const error = /resources\.ts\(.*/.exec(stdout)?.[0];
    if (error) throw new Error(`The generated file must compile: ${error}`);
    const read = (/** @type {string} */ label) =>
      Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
    return {
      instantiations: read('Instantiations'),
      types: read('Types'),
      memory: read('Memory used') / 1_000,
      seconds: read('Check time'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number | undefined} value */
const whole = (value) => (value === undefined ? '' : Math.round(value).toLocaleString('en-US'));

/** @type {string[][]} */
const table = [['Each resource', 'Instantiations', 'Budget', 'Types']];
/** @type {string[]} */
const problems = [];
for (const { name, budget, uses } of rows) {
  const [first, all] = [measure(uses, 1), measure(uses, 101)];
  const each = (all.instantiations - first.instantiations) / 100;
  table.push([name, whole(each), whole(budget), whole((all.types - first.types) / 100)]);
  if (budget !== undefined && each > budget) problems.push(`${name}: ${each} > ${budget}`);
}
const { resources, budget, uses } = WHOLE_PROGRAM;
const program = measure(uses, resources);
if (program.instantiations > budget) {
  problems.push(`${resources} resources: ${program.instantiations} > ${budget}`);
}
const summary =
  `${resources} resources with six call sites each: ${whole(program.instantiations)} instantiations ` +
  `(budget ${whole(budget)}), ${whole(program.types)} types, ${whole(program.memory)} MB, ` +
  `${program.seconds.toFixed(2)} s to check (of the whole program, the library's source included).`;

const widths = table[0]?.map((_, column) =>
  Math.max(...table.map((row) => row[column]?.length ?? 0)),
);
const lines = table.map(
  (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths?.[i] ?? 0) : cell.padStart(widths?.[i] ?? 0))).join(' | ')} |`,
);
const rule = `| ${widths?.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
const text = [lines[0], rule, ...lines.slice(1), '', summary].join('\n');
console.log(`TypeScript ${version}\n\n${text}`);

if (process.argv.includes('--write')) {
  const page = new URL('TYPES.md', import.meta.url);
  // Figures that were measured in an editor are kept.
  const editor = /^## In an editor$.*/ms.exec(readFileSync(page, 'utf8'))?.[0] ?? '';
  const start = `# Costs of the types

Written by \`node types.mjs --write\` with TypeScript ${version}. Instantiations are exact; time and memory depend on the
machine. A resource here has its own entity, two path parameters and search parameters; what the whole program pays once
is left out of the table.

${text}

`;
  writeFileSync(page, `${start}${editor}`.trimEnd() + '\n');
}
for (const problem of problems) console.error(`OVER BUDGET: ${problem}`);
if (process.argv.includes('--check') && problems.length > 0) process.exitCode = 1;
