// @ts-check
/**
 * The model tests at length: random programs, bundled, in as many processes as there are cores. The order model compares the store with
 * a naive model (`test/model`), the question model each reader with what the server said (`test/questions`), and the agreement model
 * client and server once all is quiet (`test/agreement`).
 *
 *     npm run test:nightly                                  a million programs of the order model
 *     npm run test:nightly -- --model questions             of the question model; or `--model agreement`
 *     RESTITCH_MODEL_RUNS=20000 npm run test:nightly        so many
 *     npm run test:nightly -- --log runs.jsonl              keeps each shard's figures; run again, it counts those that are there
 *     npm run test:nightly -- --log runs.jsonl --write      and writes packages/restitch/test/model/NIGHTLY.md from all of them
 *
 * A disagreement is printed with the command that repeats it, and the search goes on with the next seed. The exit code is then 1.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';

/**
 * @typedef {object} Shard
 * @property {string} date @property {string} commit @property {string} store
 * @property {number} seed @property {number} seconds
 * @property {number} programs @property {number} steps @property {number} notifications
 * @property {number} inVain @property {number} forNothing @property {number} renewedInVain
 * @property {string[]} failures
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    model: { type: 'string', default: 'order' },
    log: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const isOrder = options.model === 'order';
const tests = `packages/restitch/test/${isOrder ? 'model' : options.model}`;
const page = 'packages/restitch/test/model/NIGHTLY.md';
const runs = Number(process.env['RESTITCH_MODEL_RUNS'] ?? 1_000_000);
const processes = Number(process.env['RESTITCH_MODEL_PROCESSES'] ?? availableParallelism());
const perShard = Math.min(5000, Math.ceil(runs / processes));

const changes = execFileSync('git', ['status', '--porcelain', 'packages'], { cwd: root });
if (changes.length > 0) console.warn('What runs differs from the commit that is noted.');
const commit = revision('HEAD');
const store = revision('HEAD:packages/restitch/src');
/** @type {Shard[]} */
const shards =
  options.log && existsSync(options.log)
    ? readFileSync(options.log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
let planned = total('programs');

const folder = mkdtempSync(join(root, 'node_modules', '.nightly-'));
try {
  const bundle = join(folder, 'nightly.mjs');
  await build({
    entryPoints: [join(root, tests, 'nightly.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['restitch-source', 'development'],
    outfile: bundle,
  });
  await Promise.all(Array.from({ length: processes }, () => work(bundle)));
} finally {
  rmSync(folder, { recursive: true });
}

const failures = shards.flatMap((shard) => shard.failures);
console.log(
  `${total('programs')} programs, ${total('steps')} steps, ` +
    (isOrder
      ? `${total('notifications')} notifications ` +
        `(${total('inVain')} unneeded, ${total('renewedInVain')} unneeded objects), `
      : '') +
    `${Math.round(total('seconds'))} seconds of all processes, ${failures.length} failures`,
);
if (options.write && isOrder) {
  writeFileSync(join(root, page), report());
  execFileSync('npx', ['oxfmt', page], { cwd: root });
}
if (failures.length > 0) process.exitCode = 1;

/** One worker: a shard after another, each in a process of its own. @param {string} bundle */
async function work(bundle) {
  while (planned < runs) {
    const programs = Math.min(perShard, runs - planned);
    planned += programs;
    const seed = Math.floor(Math.random() * 2 ** 31);
    const from = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--max-semi-space-size=32', bundle, String(programs), String(seed)],
      { maxBuffer: 1e8 },
    );
    const date = new Date().toISOString().slice(0, 10);
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    /** @type {Shard} */
    const shard = { date, commit, store, seconds, ...JSON.parse(stdout) };
    shards.push(shard);
    for (const failure of shard.failures) console.log(`\n${failure}\n`);
    if (options.log) appendFileSync(options.log, `${JSON.stringify(shard)}\n`);
    console.log(`seed ${seed}: ${programs} programs in ${seconds} s; ${total('programs')} in all`);
  }
}

/** @param {'programs' | 'steps' | 'notifications' | 'inVain' | 'renewedInVain' | 'seconds'} what @param {readonly Shard[]} [of] */
function total(what, of = shards) {
  return of.reduce((sum, shard) => sum + shard[what], 0);
}

function report() {
  const numbers = /** @type {const} */ ([
    'programs',
    'steps',
    'notifications',
    'inVain',
    'renewedInVain',
  ]);
  const row = (/** @type {string} */ what, /** @type {readonly Shard[]} */ of) => {
    const figures = numbers.map((number) => total(number, of).toLocaleString('en-US'));
    const minutes = Math.round(total('seconds', of) / 60);
    const failed = of.flatMap((shard) => shard.failures).length;
    return `| ${[what, ...figures, minutes, failed].join(' | ')} |`;
  };
  const rows = [...new Set(shards.map(versionOf))].map((version) =>
    row(
      version,
      shards.filter((shard) => versionOf(shard) === version),
    ),
  );
  return `# Long runs of the order model

Each line is a run of random programs on one version. [The model](README.md) checks every step. To repeat it, run
\`npm run test:nightly -- --log runs.jsonl --write\`, which writes this file from all runs in the log.

- _Store_ is the tree of \`packages/restitch/src\`: \`git rev-parse HEAD:packages/restitch/src\`.
- _Unneeded_ counts notifications of subscribers whose value had not changed.
- _Unneeded objects_ counts new objects with the same values as the old ones.
- _Minutes_ adds up the time of all processes.

| Date | Commit | Store | Programs | Steps | Notifications | Unneeded | Unneeded objects | Minutes | Failures |
| ---- | ------ | ----- | -------: | ----: | ------------: | -------: | ---------------: | ------: | -------: |
${rows.join('\n')}
${row('all | – | –', shards)}
`;
}

/** @param {Shard} shard */
function versionOf(shard) {
  return `${shard.date} | ${shard.commit} | ${shard.store}`;
}

/** @param {string} name */
function revision(name) {
  return execFileSync('git', ['rev-parse', '--short=10', name], { cwd: root }).toString().trim();
}
