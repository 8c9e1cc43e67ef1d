// @ts-check
/** `npm start -w ssr-node`: builds the page and serves it; the API is slow, so that one sees how the page arrives. */
import { setTimeout } from 'node:timers/promises';
import { buildSite } from './build.mjs';
import { startServer } from './server.mjs';

/** Milliseconds. */
const DELAYS = { '/api/books': 500, '/api/reviews': 1_500 };

const { url } = await startServer({
  port: Number(process.env['PORT'] || 4410),
  folder: await buildSite(),
  wait: (path) =>
    setTimeout(path in DELAYS ? DELAYS[/** @type {keyof typeof DELAYS} */ (path)] : 0),
});
console.log(url);
