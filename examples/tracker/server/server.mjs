// @ts-check
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.mjs';
import { openDatabase } from './database.mjs';

/** Ignored by git. */
export const DATABASE_FILE = fileURLToPath(new URL('../.cache/tracker.sqlite', import.meta.url));

const HOST = '127.0.0.1';

/**
 * Starts one process that serves the page and its data.
 * @param {object} options
 * @param {number} options.port 0 for any free one
 * @param {string} [options.databaseFile] made and filled when it is missing
 * @param {number} [options.issueCount] of a new database
 * @param {string} [options.pageFolder] holds the built page; without it only the data is served
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} rejects when the port is taken
 */
export async function startServer({ port, databaseFile = DATABASE_FILE, issueCount, pageFolder }) {
  /** @type {import('./database.mjs').Database | undefined} */
  let database;
  /** @type {ReturnType<typeof createApp> | undefined} */
  let app;
  const server = createAdaptorServer({
    fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
  });
  // Listen first: a taken port is found out before a database is made.
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(undefined));
  });
  const close = async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    database?.close();
  };
  try {
    database = openDatabase(databaseFile, issueCount);
    app = createApp(database, pageFolder);
  } catch (error) {
    await close();
    throw error;
  }
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  return { url: `http://${HOST}:${actualPort}`, close };
}
