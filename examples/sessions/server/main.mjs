// @ts-check
/** `npm start -w sessions`: builds the page and serves it. Tokens expire every half minute. */
import { buildPage } from './build.mjs';
import { startServer } from './server.mjs';

const { url, expireTokens } = await startServer({
  port: Number(process.env['PORT'] || 4420),
  folder: await buildPage(),
});
setInterval(expireTokens, 30_000);
console.log(`${url}  (ada: engine, bob: builder)`);
