import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext, runInContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './bundle.js';

let server: Server;
let origin: string;
const tasks = new Map([1, 2].map((id) => [String(id), { id: String(id), title: `task ${id}` }]));

beforeAll(async () => {
  let count = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [, kind = '', id = ''] = (request.url ?? '').split('/');
    const send = (status: number, body?: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    };
    if (kind === 'slow') return; // never gets a response
    if (kind === 'count') return send(200, (count += 1));
    if (kind !== 'tasks') return send(404);
    if (request.method === 'GET') return send(200, [...tasks.values()]);
    if (request.method === 'DELETE') {
      tasks.delete(id);
      return send(204);
    }
    const key = id || String(tasks.size + 10);
    const isJson = request.headers['content-type'] === 'application/json';
    const changes = isJson ? (JSON.parse(text) as object) : { title: 'from a form' };
    const task = { title: '', ...tasks.get(key), ...changes, id: key };
    tasks.set(key, task);
    return send(200, task);
  };
  server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * The globals of React Native that the library may use, as they are there: signals have no reason, forms cannot be read,
 * responses have no stream, and there is no `DOMException`, `URL`, `ReadableStream`, `window`, `document` or `navigator`.
 */
const phone = `
  class AbortSignal {
    aborted = false;
    listeners = new Set();
    addEventListener(_, listener) { this.listeners.add(listener); }
    removeEventListener(_, listener) { this.listeners.delete(listener); }
  }
  class AbortController {
    signal = new AbortSignal();
    abort() {
      if (this.signal.aborted) return;
      this.signal.aborted = true;
      for (const listener of this.signal.listeners) listener({ target: this.signal });
    }
  }
  class FormData { parts = []; append(name, value) { this.parts.push([name, value]); } }
  class Blob {}
  class Headers {
    #fields = new Map();
    constructor(given = []) {
      const pairs = Symbol.iterator in given ? given : Object.entries(given);
      for (const [name, value] of pairs) this.#fields.set(name.toLowerCase(), value);
    }
    get(name) { return this.#fields.get(name) ?? null; }
    [Symbol.iterator]() { return this.#fields[Symbol.iterator](); }
  }
  class Response {
    constructor({ text, headers, ...rest }) {
      Object.assign(this, rest, { headers: new Headers(headers), text: async () => text });
    }
    clone() { return this; }
  }
  const fetch = (url, { signal, body, ...init }) =>
    new Promise((resolve, reject) => {
      const abort = () => reject(Object.assign(new Error('Aborted'), { name: 'AbortError' }));
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort);
      const text = body instanceof FormData ? 'a form' : body;
      send(url, { ...init, body: text }).then((reply) => resolve(new Response(reply)), reject);
    });
  Object.assign(globalThis, { AbortController, FormData, Blob, Headers, fetch });
`;

describe('a host that is neither browser nor Node', () => {
  it('runs requests, optimistic updates, aborts, time-outs, polling and managers', async () => {
    const program = fileURLToPath(new URL('program.ts', import.meta.url));
    const { code } = await bundle(`export * from ${JSON.stringify(program)};`, 'iife');
    const send = async (url: string, init: RequestInit): Promise<unknown> => {
      const response = await fetch(url, init);
      const { ok, status, statusText } = response;
      const headers = [...response.headers];
      return { url, ok, status, statusText, headers, text: await response.text() };
    };
    const reports: unknown[] = [];
    const console = { error: (...args: unknown[]) => reports.push(args), warn: () => {} };
    const context = createContext(
      { send, console, setTimeout, clearTimeout, queueMicrotask },
      { microtaskMode: undefined },
    );
    runInContext(phone, context);
    const running: unknown = runInContext(
      `${code}; bundled.run(${JSON.stringify(origin)})`,
      context,
    );
    // Objects of the other realm have other prototypes.
    const seen: unknown = JSON.parse(JSON.stringify(await running));
    expect(seen).toEqual({
      list: ['task 1', 'task 2'],
      optimistic: 'renamed',
      after: ['renamed', 'created'],
      notified: true,
      form: 'from a form',
      failure: 404,
      timeout: 'TimeoutError',
      abort: 'AbortError',
      reset: 'AbortError',
      polled: true,
    });
    expect(reports).toEqual([]);
  });
});
