import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** One request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The response of a test's server: a value as JSON, or the bytes that the function writes itself. */
export type Responder = (request: Seen, response: ServerResponse) => unknown;

/** A real server on a free port. */
export interface TestServer {
  readonly origin: string;
  readonly seen: Seen[];
  /** Replaces the responses to the following requests. */
  respond(how: Responder): void;
  /** Sends one raw body. */
  raw(status: number, type: string | undefined, body: string | Uint8Array): void;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Starts a server that echoes requests as JSON until a test sets another response. */
export async function startServer(): Promise<TestServer> {
  const seen: Seen[] = [];
  let how: Responder = (request) => request;
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: await readBody(incoming),
    };
    seen.push(request);
    const value = how(request, response);
    if (value === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(value));
  };
  // Without a limit: a test that computes for seconds would find its idle connection closed.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    // A request that is aborted half-way has no client to respond to.
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    respond(next) {
      how = next;
    },
    raw(status, type, body) {
      how = (_, response) => {
        response.writeHead(status, type === undefined ? {} : { 'content-type': type });
        response.end(body);
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a server for the tests of a file, and closes it after them. */
export async function serverOfFile(): Promise<TestServer> {
  const server = await startServer();
  afterAll(() => server.close());
  return server;
}
