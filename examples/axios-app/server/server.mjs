// @ts-check
import { createServer } from 'node:http';
import { openingStock } from './data.mjs';
import { readBody, Refusal, send } from './http.mjs';
import { routes } from './routes.mjs';

/** @param {string} pattern @param {string} path */
function match(pattern, path) {
  const names = pattern.split('/');
  const values = path.split('/');
  if (names.length !== values.length) return undefined;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = decodeURIComponent(value);
    else if (name !== value) return undefined;
  }
  return params;
}

/**
 * Opens a library of its own on a free port.
 *
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function openLibrary() {
  const table = Object.entries(routes(openingStock()));
  const server = createServer((request, response) => {
    const replyOf = async () => {
      const url = new URL(request.url ?? '/', 'http://library');
      for (const [key, route] of table) {
        const [method, pattern = ''] = key.split(' ');
        const params = method === request.method ? match(pattern, url.pathname) : undefined;
        if (!params) continue;
        const { raw, body } = await readBody(request);
        return route({ params, query: url.searchParams, headers: request.headers, raw, body });
      }
      throw new Refusal(404, 'No such page');
    };
    replyOf().then(
      (reply) => send(response, reply),
      (error) =>
        send(response, {
          status: error instanceof Refusal ? error.status : 500,
          value: { error: error instanceof Error ? error.message : String(error) },
        }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
