// @ts-check
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createData } from './data.mjs';

const HOST = '127.0.0.1';

/**
 * One server for the page, its script and its data.
 * @param {object} options
 * @param {number} options.port 0 for any free one
 * @param {string} options.folder holds what `buildSite` made
 * @param {(path: string) => Promise<void>} options.wait delays a response of the API
 * @param {(request: import('node:http').IncomingMessage) => void} [options.onApiRequest]
 */
export async function startServer({ port, folder, wait, onApiRequest }) {
  const data = createData();
  /** @type {{ renderPage: (response: import('node:http').ServerResponse) => void, setOrigin: (origin: string) => void }} */
  const site = await import(pathToFileURL(join(folder, 'server.mjs')).href);
  const client = await readFile(join(folder, 'client.js'));

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname.startsWith('/api/')) {
      onApiRequest?.(request);
      serveData(request, response, pathname).catch((error) => {
        console.error(error);
        response.writeHead(500).end();
      });
    } else if (pathname === '/client.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(client);
    } else if (pathname === '/') {
      site.renderPage(response);
    } else {
      response.writeHead(404).end();
    }
  });

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {string} path
   */
  async function serveData(request, response, path) {
    await wait(path);
    const [, , name = '', id] = path.split('/');
    const records = name in data ? data[/** @type {keyof typeof data} */ (name)] : undefined;
    const record = records?.find((candidate) => candidate.id === id);
    const found = id === undefined ? records : record;
    if (record && request.method === 'PATCH') {
      let body = '';
      for await (const chunk of request) body += chunk;
      Object.assign(record, JSON.parse(body));
    }
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'not found' }));
  }

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(undefined));
  });
  const address = server.address();
  const url = `http://${HOST}:${typeof address === 'object' && address ? address.port : port}`;
  site.setOrigin(url);
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
