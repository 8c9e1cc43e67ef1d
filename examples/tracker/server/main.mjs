// @ts-check
/** `npm run demo`: builds the page, fills the database on the first start, serves both at one URL. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.mjs';
import { startServer } from './server.mjs';

const pageFolder = fileURLToPath(new URL('../dist', import.meta.url));
const port = Number(process.env['PORT'] || 4400);

try {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`PORT must be a number from 0 to 65535, not "${process.env['PORT']}"`);
  }
  mkdirSync(pageFolder, { recursive: true });
  // The port comes first: a second start must not build under the feet of the one that runs.
  const server = await startServer({ port, pageFolder });
  await buildPage(pageFolder);
  console.log(server.url);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => void server.close().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

/** @param {unknown} error */
function explain(error) {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${port} is taken. Choose another one: PORT=${port + 1} npm run demo`;
  }
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
    return `Port ${port} needs rights that this user does not have. Choose another one: PORT=4400 npm run demo`;
  }
  return error instanceof Error ? error.message : String(error);
}
