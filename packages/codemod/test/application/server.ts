/** The server of the application: sessions that expire, orders, and failures with a message. Notes each request as it came. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/app.js"></script>';

/** Noise: differences between two runs of a browser. */
const BOUNDARY = /(boundary=|--)-+\w+/g;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** Serves the page with a script; `requests` are those to the API, in order, with every header. */
export function serve(script: string): { readonly server: Server; readonly requests: string[] } {
  const requests: string[] = [];
  const orders = new Map([['1', { id: '1', item: 'lamp', amount: 2 }]]);
  let expired = 0;

  const reply = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { method = '', url = '' } = request;
    const say = (status: number, value?: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(value === undefined ? undefined : JSON.stringify(value));
    };
    if (url === '/api/session') {
      const { password } = JSON.parse(body) as { password: string };
      if (password === 'right') say(200, { token: 't1', renewal: 'r1' });
      else say(403, { message: 'Name or password is wrong.' });
      return;
    }
    if (url === '/api/session/renew') {
      say(200, { token: 't2' });
      return;
    }
    // The first token is good for three requests.
    if (request.headers.authorization === 'Bearer t1' && (expired += 1) > 3) {
      say(401, { message: 'The session has expired.' });
      return;
    }
    if (method === 'GET') {
      const search = new URL(url, 'http://localhost').searchParams.get('search') ?? '';
      if (search === 'x') say(500, { message: 'The orders are being counted.' });
      else
        say(
          200,
          [...orders.values()].filter(({ item }) => item.includes(search)),
        );
    } else if (method === 'POST') {
      const { item, amount } = JSON.parse(body) as { item: string; amount: number };
      if (!item) {
        say(422, { message: 'Invalid.', fields: { item: 'Say what to order.' } });
        return;
      }
      const id = String(orders.size + 1);
      orders.set(id, { id, item, amount });
      say(201, orders.get(id));
    } else if (method === 'DELETE') {
      orders.delete(url.slice(url.lastIndexOf('/') + 1));
      say(204);
    } else {
      say(200, {});
    }
  };

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { method = '', url = '' } = request;
    if (!url.startsWith('/api/')) {
      response.setHeader('content-type', url === '/app.js' ? 'text/javascript' : 'text/html');
      response.end(url === '/app.js' ? script : PAGE);
      return;
    }
    void bodyOf(request).then((body) => {
      const { host = '' } = request.headers;
      // The port is another one in each run.
      const headers = Object.entries(request.headers).map(
        ([name, value]) => `${name}: ${String(value).replace(host, 'the host')}`,
      );
      requests.push(
        [`${method} ${url}`, ...headers, '', body].join('\n').replaceAll(BOUNDARY, '$1boundary'),
      );
      reply(request, response, body);
    });
  });
  return { server, requests };
}
