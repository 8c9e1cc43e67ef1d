// @ts-check
/** One TypeScript file in the native language server of TypeScript 7, with the requests of an editor. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Opens a file that may import `restitch`; `close` ends the server and removes the file.
 * @param {string} text
 */
export async function openInEditor(text) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'editor-'));
  const uri = pathToFileURL(join(folder, 'source.ts')).href;
  writeFileSync(join(folder, 'source.ts'), text);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: relative(folder, join(root, 'tsconfig.base.json')).replaceAll('\\', '/'),
      compilerOptions: { noEmit: true, customConditions: ['restitch-source'] },
      files: ['source.ts'],
    }),
  );
  const server = startServer();
  await server.request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
  });
  server.notify('initialized', {});
  let version = 1;
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version, text },
  });

  return {
    /**
     * The completions after typing `addition` at the end of the file.
     * @param {string} addition
     * @returns {Promise<string[]>}
     */
    async complete(addition) {
      version += 1;
      const changed = `${text}${addition}\n`;
      server.notify('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text: changed }],
      });
      const line = changed.split('\n').length - 2;
      const result = await server.request('textDocument/completion', {
        textDocument: { uri },
        position: { line, character: addition.length },
      });
      return (result?.items ?? result ?? []).map((/** @type {{ label: string }} */ item) =>
        item.label.replace(/\?$/, ''),
      );
    },

    /**
     * The hover text of the first place of `target` in the file, on its last character, in one line.
     * @param {string} target
     * @returns {Promise<string>}
     */
    async hover(target) {
      const before = text.slice(0, text.indexOf(target) + target.length).split('\n');
      const position = { line: before.length - 1, character: (before.at(-1)?.length ?? 1) - 1 };
      const result = await server.request('textDocument/hover', {
        textDocument: { uri },
        position,
      });
      const shown = result?.contents?.value ?? result?.contents ?? '';
      return String(shown)
        .replace(/```\w*/g, '')
        .replace(/\s+/g, ' ')
        .trim();
    },

    close() {
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Speaks the Language Server Protocol (JSON-RPC with a length before each message) over the server's standard streams. */
function startServer() {
  const server = spawn(process.execPath, [compiler, '--lsp', '-stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map();
  let lastId = 0;
  let received = Buffer.alloc(0);

  /** @param {object} message */
  function send(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
  server.stdout.on('data', (/** @type {Buffer} */ chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(received.toString('utf8', 0, end))?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      const message = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
      received = received.subarray(end + 4 + length);
      // Requests of the server to the editor (settings, watchers) get an empty result.
      if (message.method && message.id !== undefined) send({ id: message.id, result: null });
      else waiting.get(message.id)?.(message.result ?? message.error);
    }
  });
  return {
    /** @param {string} method @param {unknown} params @returns {Promise<any>} */
    request(method, params) {
      const id = ++lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params });
      });
    },
    /** @param {string} method @param {unknown} params */
    notify: (method, params) => send({ method, params }),
    stop: () => server.kill(),
  };
}
