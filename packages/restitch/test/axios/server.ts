/** A server that writes down its requests, and responds by the path. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived, byte for byte but for the port. */
export interface Recorded {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Recorder {
  readonly origin: string;
  /** The requests since it was last called. */
  take(): readonly Recorded[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

function reply(request: IncomingMessage, body: string, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const json = (status: number, value: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  const status = Number(/\/status\/(\d+)/.exec(pathname)?.[1] ?? 0);
  if (pathname.endsWith('/never')) return;
  if (pathname.endsWith('/broken')) return void request.socket.destroy();
  if (pathname.endsWith('/list') && request.method === 'GET') return json(200, []);
  if (pathname.endsWith('/empty')) return void response.writeHead(204).end();
  if (pathname.endsWith('/echo')) return json(200, { url: request.url });
  if (pathname.endsWith('/text')) return void response.end('a text');
  if (pathname.endsWith('/envelope')) return json(200, { data: { id: '7' }, status: 'ok' });
  if (pathname.endsWith('/secret') && request.headers.authorization !== 'Bearer new')
    return json(401, { reason: 'expired' });
  if (status) return json(status, { reason: `status ${status}` }, { 'retry-after': '0' });
  json(200, { id: '1', name: 'Ada', got: body.length, date: '2024-01-02' }, { 'x-total': '7' });
}

export async function startRecorder(): Promise<Recorder> {
  let seen: Recorded[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void bodyOf(request).then((body) => {
      const { method, url, rawHeaders } = request;
      seen.push({ method, url, headers: rawHeaders, body });
      reply(request, body, response);
    }, ignore);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A connection that the client gave up. */
function ignore(): void {}
