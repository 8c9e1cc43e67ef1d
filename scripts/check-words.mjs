// @ts-check
/**
 * One word per concept outside of `packages/restitch` as well: see "Write code and text in plain words" in CONTRIBUTING.md. Fails for
 * a word that the project has replaced, and for a comment that does not begin with a noun or a verb.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const FOLDERS = ['packages/codemod', 'examples', 'benchmarks', 'scripts', 'tools'];
const TEXT = /\.([cm]?[jt]sx?|vue|svelte|css|html|md|json)$/;

/** Generated files, the sources of other applications, and this list itself. */
const LEFT_OUT =
  /package-lock\.json$|\/test\/fixtures\/|\/test\/application\/orders\/|check-words\.mjs$/;

/** Each word that the project replaced, and its replacement. @type {readonly [word: RegExp, instead: string][]} */
const REPLACED = [
  [/answer/i, 'response, result'],
  [/\bguess(es|ed|ing)?\b|[a-z]Guess/i, 'optimistic update'],
  [/\b(un)?told\b|\btells?\b|\bhears?\b/i, 'notified, returns, reports'],
  [/\bdoubt(s|ed|ful)?\b/i, 'out-of-order mutations'],
  [/\bnobody\b|\bwhoever\b/i, 'no reader, the caller'],
  [/\bmend(s|ed)?\b|\bremedy\b|\bmerely\b/i, 'fix, only'],
  [/\blets? go\b|\bhangs?\b/i, 'release, stalled'],
];

/** The start of a comment that names nothing. */
const HEADLESS = /^\s*(\/\*\*?|\*|\/\/|<!--)\s+(What|Whoever|Whether|Of|How) /;

/** Lines where a word has its ordinary meaning: a sentence of the sample data, names of repositories and of measured files. */
const ORDINARY =
  /nobody depends on it any more|\| `(answerdev\/answer|apache\/incubator-answer|doubt)`/;

const tracked = execFileSync('git', ['ls-files', '--', ...FOLDERS], {
  cwd: root,
  encoding: 'utf8',
});
const files = tracked
  .split('\n')
  .filter((path) => TEXT.test(path) && !LEFT_OUT.test(path) && existsSync(root + path));

/** @type {string[]} */
const complaints = [];
for (const path of files) {
  for (const [, instead] of REPLACED.filter(([word]) => word.test(path)))
    complaints.push(`${path} (${instead}): the name of the file`);
  for (const [index, line] of readFileSync(root + path, 'utf8')
    .split('\n')
    .entries()) {
    if (ORDINARY.test(line)) continue;
    const replaced = REPLACED.find(([word]) => word.test(line));
    const instead = replaced?.[1] ?? (HEADLESS.test(line) ? 'begin with a noun or a verb' : '');
    if (instead) complaints.push(`${path}:${index + 1} (${instead}): ${line.trim()}`);
  }
}
for (const complaint of complaints) console.error(complaint);
console.log(`${files.length} files, ${complaints.length} replaced words`);
if (complaints.length > 0) process.exitCode = 1;
