import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../server/server.mjs';

/**
 * A server of one test's own: a free port, a fresh database in a folder that `close` removes. It holds fewer issues than the
 * demo, so that it starts in a fraction of a second.
 */
export async function startTracker(pageFolder?: string, issueCount = 5000) {
  const folder = await mkdtemp(join(tmpdir(), 'tracker-'));
  const server = await startServer({
    port: 0,
    databaseFile: join(folder, 'test.sqlite'),
    issueCount,
    pageFolder,
  });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
    /** Calls the REST interface without the page. A `body` is sent as JSON; the `body` of the result is parsed JSON, or null. */
    call: async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(`${server.url}/api${path}`, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
  };
}

export type Tracker = Awaited<ReturnType<typeof startTracker>>;
