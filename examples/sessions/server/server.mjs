// @ts-check
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createApi } from './api.mjs';

const HOST = '127.0.0.1';

/** A bare percent sign, as some servers put into their cookies: it is not percent-encoded. */
const CSRF_TOKEN = '100%-random';

/**
 * A request as the server saw it, in order of arrival.
 * @typedef {object} Seen
 * @property {string} method
 * @property {string} path
 * @property {string | undefined} owner Whose token it carried, if one.
 * @property {string | undefined} madeFor Who was signed in where it was made.
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} bytes
 * @property {number} status Status of its response; 0 before that.
 */

/**
 * One server for the page, its script and its data.
 * @param {object} options
 * @param {number} options.port 0 for any free one
 * @param {string} options.folder holds `client.js`
 * @param {(seen: Seen) => Promise<number | void>} [options.interfere] Delays a request, or gives a status to fail it with.
 */
export async function startServer({ port, folder, interfere }) {
  const api = createApi();
  /** @type {Seen[]} */
  const requests = [];
  const files = new Map([
    ['/', { type: 'text/html', bytes: await readFile(new URL('../index.html', import.meta.url)) }],
    ['/client.js', { type: 'text/javascript', bytes: await readFile(join(folder, 'client.js')) }],
  ]);

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {string} path
   */
  async function serveData(request, response, path) {
    const { headers, method = 'GET' } = request;
    /** @type {Buffer[]} */
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    /** @type {Seen} */
    const seen = {
      method,
      path,
      headers,
      bytes,
      owner: api.auth.ownerOf(headers.authorization),
      madeFor: /** @type {string | undefined} */ (headers['x-made-for']),
      status: 0,
    };
    requests.push(seen);
    const forced = await interfere?.(seen);
    const reply = forced
      ? { status: forced, body: { message: 'Not now' } }
      : api.reply({ method, path, headers, bytes, cookies: cookiesOf(headers) });
    seen.status = reply.status;
    const isRaw = reply.body === undefined || Buffer.isBuffer(reply.body);
    response.writeHead(reply.status, {
      'content-type': isRaw ? 'application/octet-stream' : 'application/json',
      ...reply.headers,
    });
    response.end(isRaw ? reply.body : JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = files.get(pathname);
    if (file) {
      response.writeHead(200, {
        'content-type': file.type,
        'set-cookie': `csrftoken=${CSRF_TOKEN}; Path=/`,
      });
      response.end(file.bytes);
    } else if (pathname.startsWith('/api/')) {
      // A page that was left, or a session that ended, waits for nothing.
      serveData(request, response, pathname.slice('/api'.length)).catch(() => response.destroy());
    } else {
      response.writeHead(404).end();
    }
  });

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(undefined));
  });
  const address = server.address();
  return {
    url: `http://${HOST}:${typeof address === 'object' && address ? address.port : port}`,
    requests,
    expireTokens: api.auth.expireTokens,
    endSignIns: api.auth.endSignIns,
    notes: api.notes,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param {import('node:http').IncomingHttpHeaders} headers @returns {Map<string, string>} */
function cookiesOf({ cookie = '' }) {
  return new Map(
    cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  );
}
