// @ts-check
/**
 * Fails when docs/contract-coverage.md lacks a numbered line, or names a test that does not exist.
 *
 * A test is named by its file (below packages/restitch/test, or from the root) and its title as it is written in the source; in
 * a `.test-d.ts` file, by the comment above the statements; in a script, a JSON file or a document, by any text in it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = 'docs/contract-coverage.md';

/** @param {string} section @param {number} count */
const lines = (section, count) => Array.from({ length: count }, (_, i) => `${section}.${i + 1}`);

const required = new Set([
  ...lines('1', 9),
  ...lines('2', 4),
  ...lines('3', 2),
  ...lines('4', 4),
  ...lines('5', 6),
  ...lines('6', 11),
  ...lines('7', 4),
  '8',
  ...lines('8', 4),
  ...lines('9', 10),
  '10',
  ...lines('10', 6),
  ...Array.from({ length: 9 }, (_, i) => `11.${i}`),
  ...lines('12', 3),
  ...Array.from({ length: 125 }, (_, i) => `B${i + 1}`),
  ...Array.from({ length: 23 }, (_, i) => `C${i + 1}`),
  ...Array.from({ length: 45 }, (_, i) => `R${i + 1}`),
  ...Array.from({ length: 8 }, (_, i) => `N${i + 1}`),
  ...lines('O1', 10),
  ...lines('O2', 11),
  ...lines('O3', 5),
  ...lines('O4', 8),
  ...lines('O5', 5),
  ...lines('O6', 6),
  ...lines('O7', 3),
  ...lines('O8', 4),
  ...Array.from({ length: 7 }, (_, i) => `T${i + 1}`),
  ...lines('I1', 5),
  ...lines('I2', 8),
  ...lines('I3', 7),
  ...lines('I4', 7),
  ...lines('I5', 5),
  ...lines('I6', 4),
  ...lines('I7', 5),
  ...lines('I8', 3),
  ...Array.from({ length: 35 }, (_, i) => `F${i + 1}`),
  ...Array.from({ length: 8 }, (_, i) => `X${i + 1}`),
  ...lines('G1', 6),
  ...lines('G2', 4),
  ...lines('G3', 2),
  ...Array.from({ length: 12 }, (_, i) => `E${i + 1}`),
]);

/** @type {Map<string, string>} */
const sources = new Map();
/** @param {string} file */
function read(file) {
  const found = [`packages/restitch/test/${file}`, file].find((path) =>
    existsSync(join(root, path)),
  );
  if (found && !sources.has(file)) sources.set(file, readFileSync(join(root, found), 'utf8'));
  return sources.get(file);
}

/** @param {string} text */
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The mistake in a reference, or undefined.
 * @param {string} file
 * @param {string} title
 */
function problemWith(file, title) {
  const source = read(file);
  if (source === undefined) return `there is no ${file}`;
  if (/\.test-d\.tsx?$/.test(file)) {
    return source.includes(`\n// ${title}\n`) ? undefined : `${file} has no comment "${title}"`;
  }
  if (/\.(mjs|json|md)$/.test(file)) {
    return source.includes(title) ? undefined : `${file} does not hold "${title}"`;
  }
  // The first argument of a call: of `test`, `it`, `describe`, or of what their `.each(…)` gives.
  const call = new RegExp(`(\\S*)\\(\\s*(['"\`])${escape(title)}\\2\\s*,`).exec(source);
  if (!call) return `${file} has no test "${title}"`;
  return /\.(skip|todo)$/.test(call[1] ?? '') ? `${file}: "${title}" is skipped` : undefined;
}

/** @type {string[]} */
const problems = [];
/** @type {Map<string, number>} */
const covered = new Map();
/** @type {Set<string>} */
const notYet = new Set();
let current = '';
let inNotYet = false;
for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
  if (line.startsWith('## ')) {
    inNotYet = line === '## Not yet';
    current = '';
  }
  const promise = /^- \*\*([BCEFGINORTX]?\d[\d.]*)\*\*/.exec(line)?.[1];
  if (promise) {
    current = promise;
    if (!required.has(promise)) problems.push(`${promise} is no line of the contract`);
    if (inNotYet) notYet.add(promise);
    else if (covered.has(promise)) problems.push(`${promise} is there twice`);
    else covered.set(promise, 0);
  }
  const [, file, title] = /^ {2}- `([^`]+)` › (.+)$/.exec(line) ?? [];
  if (!file || !title) continue;
  const problem = problemWith(file, title);
  if (problem) problems.push(`${current}: ${problem}`);
  else covered.set(current, (covered.get(current) ?? 0) + 1);
}
for (const promise of required) {
  if (!covered.get(promise) && !notYet.has(promise)) problems.push(`${promise} names no test`);
}

for (const problem of problems) console.error(`${page}: ${problem}`);
const tested = [...required].filter((promise) => covered.get(promise) && !notYet.has(promise));
console.log(
  `${required.size} promises: ${tested.length} tested, ${notYet.size} not or not wholly kept yet, ${problems.length} problems`,
);
if (problems.length > 0) process.exitCode = 1;
