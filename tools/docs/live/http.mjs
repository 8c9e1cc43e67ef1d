// @ts-check
/**
 * `node:http` as the servers of examples use it, inside a page: `fetch` calls the handler that listens on the port of the URL. Nothing
 * leaves the page.
 */

/**
 * @typedef {AsyncIterable<string> & { method: string, url: string, headers: Record<string, string> }} Incoming
 * @typedef {{ setHeader(name: string, value: string): Outgoing, writeHead(status: number, headers?: Record<string, string>): Outgoing, end(body?: string): void }} Outgoing
 * @typedef {(request: Incoming, response: Outgoing) => unknown} Handler
 */

/** Milliseconds until a server responds: long enough to see the page before. */
const LATENCY = 400;

/** Statuses of responses that have no body. */
const EMPTY = [204, 205, 304];

/** The servers of one example, and the `fetch` that reaches them. @param {(line: string) => void} log */
export function createNetwork(log) {
  /** @type {Map<string, Handler>} */
  const servers = new Map();
  /** @param {Handler} handler */
  const createServer = (handler) => ({
    /** @param {number} port @param {() => void} [ready] */
    listen(port, ready) {
      servers.set(String(port), handler);
      ready?.();
    },
  });
  /** @param {RequestInfo | URL} input @param {RequestInit} [init] */
  const fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, signal } = request;
    const { port, pathname, search } = new URL(request.url);
    const handler = servers.get(port);
    if (!handler) throw new TypeError('Failed to fetch');
    const body = await request.text();
    await new Promise((resolve) => setTimeout(resolve, LATENCY));
    signal.throwIfAborted();
    const url = pathname + search;
    const headers = Object.fromEntries(request.headers);
    const incoming = {
      method,
      url,
      headers,
      async *[Symbol.asyncIterator]() {
        yield body;
      },
    };
    const response = await respond(handler, incoming);
    log(`${method} ${url} → ${response.status}`);
    return response;
  };
  return { createServer, fetch };
}

/** @param {Handler} handler @param {Incoming} incoming @returns {Promise<Response>} */
function respond(handler, incoming) {
  const headers = new Headers();
  let status = 200;
  return new Promise((resolve, reject) => {
    /** @type {Outgoing} */
    const outgoing = {
      setHeader(name, value) {
        headers.set(name, value);
        return outgoing;
      },
      writeHead(code, more = {}) {
        status = code;
        for (const [name, value] of Object.entries(more)) headers.set(name, value);
        return outgoing;
      },
      end: (body = '') =>
        resolve(new Response(EMPTY.includes(status) ? null : body, { status, headers })),
    };
    Promise.resolve(handler(incoming, outgoing)).catch(reject);
  });
}
