/** A real HTTP server that remembers its requests. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { replyTo } from './replies.js';
import type { Recorded } from './recording.js';

/** A running server. */
export interface RecordingServer {
  /** As in `http://127.0.0.1:4000`. */
  readonly origin: string;
  /** The requests since the last call. */
  take(): readonly Recorded[];
  close(): Promise<void>;
}

/** Milliseconds after which the server closes the connection of a request that is to get no response. */
const TOO_LONG = 3000;

async function record(request: IncomingMessage): Promise<Recorded> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    headers[name] = (value ?? []).join(', ');
  }
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers,
    body: Buffer.concat(chunks),
  };
}

/** Starts a server on a free port. */
export async function startServer(): Promise<RecordingServer> {
  let seen: Recorded[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    record(request).then(
      (recorded) => {
        seen.push(recorded);
        const reply = replyTo(recorded);
        if (!reply) {
          // Only a client that forgot its timeout waits so long; it must not stall the tests.
          setTimeout(() => response.destroy(), TOO_LONG).unref();
          return;
        }
        if (reply.type) response.setHeader('content-type', reply.type);
        response.writeHead(reply.status);
        response.end(request.method === 'HEAD' ? undefined : reply.body);
      },
      // The client hung up in the middle of its request.
      () => response.destroy(),
    );
  });
  // Connections wait for the next program, even if the conversion in between takes long.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
