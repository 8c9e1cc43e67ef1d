// @ts-check
/**
 * How long an editor waits for the members of a resource in a file with 200 of them: asks the native language server of
 * TypeScript 7, as editors do. Times depend on the machine; the goal is 100 ms on an ordinary one.
 *
 *   node typesEditor.mjs
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { callSites, sourceOf } from './typesSource.mjs';

const RESOURCES = 200;
const root = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache', 'editor-'));
const text = sourceOf(callSites, RESOURCES);
const file = join(folder, 'resources.ts');
const uri = pathToFileURL(file).href;
writeFileSync(file, text);
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    extends: relative(folder, join(root, 'tsconfig.base.json')).replaceAll('\\', '/'),
    compilerOptions: { noEmit: true, customConditions: ['restitch-source'] },
    files: ['resources.ts'],
  }),
);

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const server = spawn(process.execPath, [compiler, '--lsp', '-stdio'], {
  stdio: ['pipe', 'pipe', 'ignore'],
});

/** @type {Map<number, (result: unknown) => void>} */
const waiting = new Map();
let lastId = 0;
/** @param {object} message */
function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
/** @param {string} method @param {unknown} params @returns {Promise<any>} */
function request(method, params) {
  const id = ++lastId;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}
let received = Buffer.alloc(0);
server.stdout.on('data', (/** @type {Buffer} */ chunk) => {
  received = Buffer.concat([received, chunk]);
  for (;;) {
    const end = received.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(received.toString('utf8', 0, end))?.[1]);
    if (end < 0 || received.length < end + 4 + length) return;
    const message = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
    received = received.subarray(end + 4 + length);
    // What the server asks of the editor (settings, watchers) has no answer here.
    if (message.method && message.id !== undefined) send({ id: message.id, result: null });
    else waiting.get(message.id)?.(message.result ?? message.error);
  }
});

let version = 1;
/**
 * Types `addition` at the end of the file and asks what may follow.
 * @param {string} addition
 */
async function complete(addition) {
  version += 1;
  const changed = `${text}${addition}\n`;
  const lines = changed.split('\n');
  const start = performance.now();
  send({
    method: 'textDocument/didChange',
    params: { textDocument: { uri, version }, contentChanges: [{ text: changed }] },
  });
  const result = await request('textDocument/completion', {
    textDocument: { uri },
    position: { line: lines.length - 2, character: addition.length },
  });
  const names = (result?.items ?? result ?? []).map((/** @type {any} */ item) =>
    item.label.replace(/\?$/, ''),
  );
  return { ms: performance.now() - start, names };
}

try {
  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  });
  send({ method: 'initialized', params: {} });
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version, text } },
  });
  for (const [what, addition, expected] of [
    ['endpoints, the first time', `X${RESOURCES - 1}.`, 'getList'],
    ['endpoints of another resource', 'X50.', 'getList'],
    ['members of an endpoint', 'X51.getList.', 'push'],
    ['parameters of a call', 'X52.get({ ', 'group'],
    ['fields of a body', 'X53.getList.push({ group: 1 }, { ', 'name'],
    ['members of an endpoint of one’s own', 'X54.one.', 'extend'],
  ]) {
    const { ms, names } = await complete(addition ?? '');
    if (!names.includes(expected)) throw new Error(`${what}: no \`${expected}\` in ${names}`);
    console.log(`${String(what).padEnd(40)}${ms.toFixed(0).padStart(6)} ms`);
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
