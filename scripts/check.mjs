// @ts-check
/**
 * Everything that must hold before a change is taken, as steps with a name and a time. Steps share the processors unless they
 * measure time or start browsers; a failed one prints its output and ends the run. `--quick`: only what takes seconds.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} [command] By default the npm script of that name.
 * @property {Record<string, string>} [env]
 */

/**
 * For the compiler and the linter, which are Go programs: each thread infers types anew, and they end before collecting garbage
 * pays. One thread, and no collection below the limit, save a quarter of their processor time.
 */
const oneThread = { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** In order: a mistake shows in one of these first. @type {readonly Step[]} */
const quick = [
  { name: 'check:lock' },
  { name: 'format:check' },
  { name: 'check:words' },
  { name: 'build', env: oneThread },
  { name: 'check:coverage' },
];

/** The slowest comes first, so that none is left alone at the end. @type {readonly Step[]} */
const shared = [
  { name: 'documents', command: 'npm run api && node tools/docs/build.mjs' },
  { name: 'typecheck', env: oneThread },
  { name: 'lint', env: oneThread },
  { name: 'rehearsal', command: 'node scripts/rehearsal.mjs && node scripts/next-example.mjs' },
  { name: 'types:compat' },
  { name: 'test:jest' },
  { name: 'test:axios' },
  { name: 'types:cost' },
  { name: 'attw' },
  { name: 'size' },
  { name: 'publint' },
];

/** Each uses all processors, or measures time; knip loads settings that the two before it install. @type {readonly Step[]} */
const alone = [
  { name: 'bench:gates' },
  { name: 'test:react18' },
  { name: 'test:compiler' },
  { name: 'knip' },
];

/** Without the project `long` of `vitest.config.ts`, and without browsers. @type {readonly Step[]} */
const quickTests = [
  {
    name: 'test',
    command: `npx vitest run --project node --project dom --tags-filter='!scale' --experimental.fsModuleCache`,
    env: { RESTITCH_NO_BROWSER: '1' },
  },
];

/** @param {Step} step */
async function run({ name, command = `npm run ${name}`, env }) {
  const start = performance.now();
  const child = spawn(command, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (code !== 0) {
    process.stdout.write(Buffer.concat(output));
    console.log(`✗ ${name} failed after ${seconds} s: ${command}`);
    process.exit(1);
  }
  console.log(`✓ ${name.padEnd(16)}${seconds.padStart(8)} s`);
}

/** @param {readonly Step[]} steps @param {number} atOnce */
async function runAll(steps, atOnce = 1) {
  const left = [...steps];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let step = left.shift(); step; step = left.shift()) await run(step);
    }),
  );
}

const isQuick = process.argv.includes('--quick');
await runAll(quick);
if (isQuick) {
  await runAll(
    shared.filter(({ name }) => ['typecheck', 'lint'].includes(name)),
    2,
  );
  await runAll(quickTests);
} else {
  await runAll(shared, Math.min(2, availableParallelism()));
  await runAll(alone);
  // Its closing line ends the output.
  const tests = spawn('npm', ['test'], { cwd: root, stdio: 'inherit' });
  tests.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
