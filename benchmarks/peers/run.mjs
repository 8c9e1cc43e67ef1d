/**
 * The costs of stores, side by side: each library in processes of its own, in rounds, so that a busy moment hits all of them.
 *
 *   npm run bench:peers
 *   npm run bench:peers -- --rounds=1 --ids=string --only=restitch,normalizr
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const option = (name, otherwise) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise;
const path = (file) => fileURLToPath(new URL(file, import.meta.url));

const libraries = option('only', 'restitch,dataClient,normalizr,rtk,apollo,urql,tanstack').split(
  ',',
);
const kinds = option('ids', 'string,number').split(',');
const rounds = Number(option('rounds', '3'));

/** The figures: their keys, labels and units. */
const lines = [
  ['update1000', 'update one of 1 000 rows', 'µs'],
  ['update10000', '… of 10 000', 'µs'],
  ['update100000', '… of 100 000', 'µs'],
  ['refetch', 'equal response of 1 000 rows, then read', 'ms'],
  ['references', '… rows that are new objects', ''],
  ['warm', 'read 10 000 rows again', 'µs'],
  ['changed', '… one of them changed', 'µs'],
  ['first', 'first write and read, 10 000 rows', 'ms'],
  ['parse', '… JSON.parse of their text', 'ms'],
  ['readers', 'one row changes, 1 000 readers of one', 'µs'],
  ['notified', '… readers that are notified', ''],
  ['optimistic1', 'optimistic update, 1 pending', 'µs'],
  ['optimistic100', '… 100 pending', 'µs'],
  ['settle1', 'the oldest is settled, 1 pending', 'µs'],
  ['settle100', '… 100 pending', 'µs'],
  ['heap', 'heap for each row after reading', 'B'],
];

function measure(library, ids) {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--expose-gc', path('measure.mjs'), library, ids],
    {
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (status !== 0) {
    throw new Error(`${library} ended with ${status}.`);
  }
  return JSON.parse(stdout);
}

const versions = [];
for (const library of libraries) {
  const { packages } = await import(`./libraries/${library}.mjs`);
  for (const name of packages) {
    const { version } = JSON.parse(readFileSync(path(`node_modules/${name}/package.json`), 'utf8'));
    versions.push(`${name} ${version}`);
  }
}
console.log(versions.join(', '));
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds`,
);

for (const ids of kinds) {
  const results = new Map(libraries.map((library) => [library, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const index of libraries.keys()) {
      const library = libraries[(index + round) % libraries.length];
      results.get(library).push(measure(library, ids));
    }
    process.stderr.write(`round ${round + 1} of ${rounds}, ${ids} ids\n`);
  }
  console.log(`\n${`${ids} ids`.padEnd(42)}${libraries.map((name) => name.padStart(11)).join('')}`);
  for (const [key, title, unit] of lines) {
    const cells = libraries.map((library) => {
      const found = results.get(library).map((result) => result[key]);
      return (found[0] === undefined ? '–' : digits(median(found))).padStart(11);
    });
    console.log(`${`${title}${unit && `, ${unit}`}`.padEnd(42)}${cells.join('')}`);
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
}

function digits(value) {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(2);
}
