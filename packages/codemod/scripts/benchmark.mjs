// @ts-check
/**
 * Times the command line on a project of 1 000 files with 200 lines each, and writes the figures into `CONVERSION.md`.
 *
 * Build first: `npm run build && npm run bench -w restitch-codemod`.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = 1000;
const LINES = 200;
/** Every second file makes requests. */
const REQUESTS = 4;
const LIMIT_SECONDS = 60;
const LIMIT_MEGABYTES = 500;
/** Minified, half a megabyte each. */
const BUNDLES = 4;

const here = new URL('..', import.meta.url);
const cli = fileURLToPath(new URL('dist/cli.js', here));
const page = new URL('CONVERSION.md', here);

/** @param {number} index */
function request(index) {
  const shapes = [
    `export async function load${index}(id: string) {\n  const { data } = await api.get(\`/things/${index}/\${id}\`);\n  return data;\n}`,
    `export async function save${index}(id: string, body: { name: string }) {\n  return (await api.put(\`/things/${index}/\${id}\`, body)).data;\n}`,
    `export const find${index} = (page: number) =>\n  api.get('/things/${index}', { params: { page } }).then((response) => response.data);`,
    `export async function check${index}(id: string) {\n  const response = await api.get(\`/things/${index}/\${id}\`);\n  return response.status;\n}`,
  ];
  return shapes[index % shapes.length] ?? '';
}

/** @param {number} index */
function filler(index) {
  return `export function total${index}(rows: readonly { amount: number; ready: boolean }[]) {\n  const ready = rows.filter((row) => row.ready);\n  return ready.reduce((sum, row) => sum + row.amount, ${index});\n}`;
}

/** @param {number} index */
function source(index) {
  const calls = index % 2 === 0;
  const parts = calls ? ["import { api } from './client.js';"] : [];
  for (let count = 0; calls && count < REQUESTS; count += 1) parts.push(request(index + count));
  for (let count = 0; ; count += 1) {
    const text = `${parts.join('\n\n')}\n`;
    if (text.split('\n').length > LINES) return text;
    parts.push(filler(count));
  }
}

/** @param {number} index */
function bundle(index) {
  let text = 'import axios from"axios";';
  for (let count = 0; text.length < 500_000; count += 1)
    text += `export const f${count}=a=>axios.get("/b/${index}/"+a).then(b=>b.data?c(b.data):[a,${count}]);`;
  return `${text}function c(a){return a}`;
}

// Runs in the tool's process, and prints at its end the time and memory that it needed.
const PROBE = `
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const figures = { seconds: performance.now() / 1000, busy: (user + system) / 1e6, resident: process.resourceUsage().maxRSS * 1024 };
    process.stderr.write('@@' + JSON.stringify(figures) + '@@');
  });
`;

/** @param {string} folder @returns {Promise<{ seconds: number, busy: number, heap: number, resident: number }>} */
function run(folder) {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
  const child = spawn(
    process.execPath,
    ['--trace-gc', '--import', probe, cli, 'axios-to-restitch', folder],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      const [, figures] = /@@(.*)@@/.exec(output) ?? [];
      // The heap before each collection, in megabytes.
      const sizes = [...output.matchAll(/ms: .*? ([\d.]+) \([\d.]+\) -> /g)].map(
        (match) => match[1],
      );
      const heap = Math.max(0, ...sizes.map(Number)) * 2 ** 20;
      if (code === 0 && figures) resolve({ ...JSON.parse(figures), heap });
      else reject(new Error(`The command line failed with ${code}:\n${output}`));
    });
  });
}

const folder = await mkdtemp(join(tmpdir(), 'restitch-codemod-'));
try {
  await mkdir(join(folder, 'src'));
  await writeFile(
    join(folder, 'src/client.ts'),
    "import axios from 'axios';\n\nexport const api = axios.create({ baseURL: 'https://api.example.com' });\n",
  );
  for (let index = 0; index < FILES - BUNDLES; index += 1) {
    await writeFile(join(folder, `src/module${index}.ts`), source(index));
  }
  for (let index = 0; index < BUNDLES; index += 1) {
    await writeFile(join(folder, `src/bundle${index}.js`), bundle(index));
  }
  const { seconds, busy, heap, resident } = await run(join(folder, 'src'));
  const mega = (/** @type {number} */ bytes) => `${Math.round(bytes / 2 ** 20)} MB`;
  const date = new Date().toISOString().slice(0, 10);
  const text =
    `${FILES} files of ${LINES} lines, half of them with ${REQUESTS} requests on an instance from another file, and ${BUNDLES} of them minified bundles instead: ${seconds.toFixed(1)} s (${busy.toFixed(1)} s of processor time), ` +
    `${mega(heap)} of heap at most, ${mega(resident)} resident. Measured on ${date} with the built command line, Node ${process.versions.node.split('.')[0]}, ` +
    `${availableParallelism()} cores.`;
  console.log(text);
  const before = await readFile(page, 'utf8');
  const marks = /(<!-- speed -->\n)[^]*?(<!-- end of speed -->)/;
  await writeFile(
    page,
    before.replace(marks, (_, start, end) => `${start}\n${text}\n\n${end}`),
  );
  if (seconds > LIMIT_SECONDS) {
    console.error(`This took longer than ${LIMIT_SECONDS} s.`);
    process.exitCode = 1;
  }
  if (resident > LIMIT_MEGABYTES * 2 ** 20) {
    console.error(`This took more than ${LIMIT_MEGABYTES} MB.`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
