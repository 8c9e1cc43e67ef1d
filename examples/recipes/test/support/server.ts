import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as the server saw it. */
export interface Seen {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response: 200 and an empty body by default. A plain value is sent as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A real server on a free port, for one test. */
export interface TestServer {
  readonly origin: string;
  readonly seen: readonly Seen[];
  /** The bodies seen, parsed as JSON. */
  bodies(): unknown[];
}

/** Starts a server that responds to each request with the result of `reply`, and is closed with the test. */
export async function startServer(
  reply: (request: Seen) => Reply | Promise<Reply>,
): Promise<TestServer> {
  const seen: Seen[] = [];
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await readText(incoming) };
    seen.push(request);
    send(response, await reply(request));
  };
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    // A request that is aborted half-way gets no response.
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // A server on a port, so the address is not a string.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    bodies: () => seen.map(({ body }) => JSON.parse(body) as unknown),
  };
}

function send(response: ServerResponse, { status = 200, headers, body }: Reply): void {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, { ...(!isRaw && { 'content-type': 'application/json' }), ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The error that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a failure, but it resolved to ${JSON.stringify(value)}`);
}
