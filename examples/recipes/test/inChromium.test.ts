import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumArgs, findChromium } from '../../../scripts/chromium.mjs';
import type { CsrfEndpoint } from '../src/csrfToken.js';
import type { Session } from '../src/refreshedBearerToken.js';
import type { UploadEndpoint } from '../src/uploadProgress.js';
import type { AuthorizedUploadEndpoint } from './support/authorizedUpload.js';
import { type Reply, type Seen, startServer } from './support/server.js';

/** The global of the script that `bundle` makes. */
declare const recipes: {
  AuthorizedUploadEndpoint: typeof AuthorizedUploadEndpoint;
  CsrfEndpoint: typeof CsrfEndpoint;
  Session: typeof Session;
  UploadEndpoint: typeof UploadEndpoint;
};

const found = await findChromium();
const missing = found.path === undefined ? found.reason : undefined;
if (missing !== undefined) console.warn(`Cookies are not tested in a browser: ${missing}`);

describe.skipIf(missing !== undefined)('on a page of the server itself', () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
    script = await bundle();
  }, 60_000);
  afterAll(() => browser?.close());

  /** A page whose response set these cookies, and the server that sent it. */
  const openPage = (...cookies: string[]) => openPageOf(() => ({ body: { ok: true } }), cookies);

  /** A page of a server that responds to everything else with `reply`. */
  async function openPageOf(reply: (request: Seen) => Reply, cookies: readonly string[] = []) {
    const server = await startServer((request) =>
      request.method === 'GET' && request.url === '/'
        ? {
            headers: { 'content-type': 'text/html' },
            body: '<!doctype html><link rel=icon href=data:>',
          }
        : reply(request),
    );
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    await context.addCookies(cookies.map((cookie) => toCookie(cookie, server.origin)));
    const page: Page = await context.newPage();
    await page.goto(server.origin);
    await page.addScriptTag({ content: script });
    return { page, requests: () => server.seen.slice(1) };
  }

  it('the token in the cookie is sent with everything but GET', async () => {
    const { page, requests } = await openPage('csrftoken=abc%3D1', 'csrftoken2=wrong');
    await page.evaluate(async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        await new recipes.CsrfEndpoint({ path: '/items', method })();
      }
    });
    expect(requests().map(({ method, headers }) => [method, headers['x-csrftoken']])).toEqual([
      ['GET', undefined],
      ['POST', 'abc=1'],
      ['PUT', 'abc=1'],
      ['PATCH', 'abc=1'],
      ['DELETE', 'abc=1'],
    ]);
  });

  it('the token is read at each call, and the header is left out while there is none', async () => {
    const { page, requests } = await openPage();
    await page.evaluate(async () => {
      const post = new recipes.CsrfEndpoint({ path: '/items', method: 'POST' });
      await post({ n: 1 });
      document.cookie = 'csrftoken=one';
      await post({ n: 2 });
      document.cookie = 'csrftoken=two';
      await post({ n: 3 });
    });
    expect(requests().map(({ headers, body }) => [headers['x-csrftoken'], body])).toEqual([
      [undefined, '{"n":1}'],
      ['one', '{"n":2}'],
      ['two', '{"n":3}'],
    ]);
  });

  it('cookie and header may have other names', async () => {
    const { page, requests } = await openPage('XSRF-TOKEN=xyz');
    await page.evaluate(() =>
      new recipes.CsrfEndpoint({
        path: '/items',
        method: 'DELETE',
        csrfCookie: 'XSRF-TOKEN',
        csrfHeader: 'x-xsrf-token',
      })(),
    );
    expect(requests()[0]?.headers['x-xsrf-token']).toBe('xyz');
  });

  it('the token goes to no other origin, whatever names it', async () => {
    const { page, requests } = await openPage('csrftoken=abc');
    const allowed = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
    };
    const other = await startServer(() => ({ status: 200, headers: allowed }));
    await page.evaluate(async (origin) => {
      const { CsrfEndpoint } = recipes;
      const path = `${origin.replaceAll(':', '\\:')}/items`;
      await new CsrfEndpoint({ urlPrefix: origin, path: '/items', method: 'POST' })();
      await new CsrfEndpoint({ path, method: 'DELETE' })();
      await new CsrfEndpoint({ url: () => `${origin}/items`, method: 'PUT' })();
      await new CsrfEndpoint({ path: '/items', method: 'POST' })();
      await new CsrfEndpoint({
        urlPrefix: origin,
        path: '/items',
        method: 'PATCH',
        mayKnow: (known: string) => known === origin,
      })();
    }, other.origin);
    const methodAndToken = ({ method, headers }: Seen) => [method, headers['x-csrftoken']];
    expect(other.seen.filter(({ method }) => method !== 'OPTIONS').map(methodAndToken)).toEqual([
      ['POST', undefined],
      ['DELETE', undefined],
      ['PUT', undefined],
      ['PATCH', 'abc'],
    ]);
    expect(requests().map(methodAndToken)).toEqual([['POST', 'abc']]);
  });

  it('a token that is not percent-encoded is sent as it is', async () => {
    const { page, requests } = await openPage();
    await page.evaluate(async () => {
      const post = new recipes.CsrfEndpoint({ path: '/items', method: 'POST' });
      for (const token of ['100%', '%zz', 'a%20b%']) {
        document.cookie = `csrftoken=${token}`;
        await post();
      }
    });
    expect(requests().map(({ headers }) => headers['x-csrftoken'])).toEqual([
      '100%',
      '%zz',
      'a%20b%',
    ]);
  });

  it('an upload renews its token after a 401, is sent again with progress, and goes out with every token once', async () => {
    const { page, requests } = await openPageOf(({ headers, url }) => {
      if (url === '/refresh') return { body: { token: 't2' } };
      return headers.authorization === 'Bearer t2'
        ? { status: 201, body: { stored: true } }
        : { status: 401, body: { error: 'expired' } };
    });
    const outcome = await page.evaluate(async () => {
      const session = new recipes.Session(async (signal) => {
        const response = await fetch('/refresh', { method: 'POST', signal });
        return (await response.json()).token;
      });
      session.start('t1');
      const progress: number[] = [];
      const upload = new recipes.AuthorizedUploadEndpoint({
        path: '/files/:id',
        method: 'POST',
        body: {} as Blob,
        session,
        onProgress: (part: number) => void progress.push(part),
      });
      const file = new Blob(['x'.repeat(300_000)]);
      const results = await Promise.all([1, 2, 3].map((id) => upload({ id }, file)));
      session.end();
      const after: string = await upload({ id: 4 }, file).catch((error: Error) => error.name);
      return { results, last: progress.at(-1), hasProgress: progress.length > 0, after };
    });
    expect(outcome).toEqual({
      results: Array(3).fill({ stored: true }),
      last: 1,
      hasProgress: true,
      after: 'AbortError',
    });
    const uploads = requests().filter(({ url }) => url.startsWith('/files'));
    for (const token of ['t1', 't2']) {
      const sent = uploads.filter(({ headers }) => headers.authorization === `Bearer ${token}`);
      expect(sent).toHaveLength(3);
    }
    expect(new Set(uploads.map(({ body }) => body.length))).toEqual(new Set([300_000]));
    expect(requests().filter(({ url }) => url === '/refresh')).toHaveLength(1);
  });

  it('an upload sends its headers', async () => {
    const { page, requests } = await openPage();
    await page.evaluate(async () => {
      const upload = new recipes.UploadEndpoint({
        path: '/files',
        method: 'POST',
        body: {} as FormData | { name: string },
        getHeaders: (headers: Record<string, string>) => ({ ...headers, 'x-trace': '5' }),
      });
      await upload(new FormData());
      await upload({ name: 'a' });
    });
    const [form, json] = requests();
    expect(form?.headers).toMatchObject({ 'x-trace': '5' });
    expect(form?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(json?.headers).toMatchObject({ 'x-trace': '5', 'content-type': 'application/json' });
    expect(json?.body).toBe('{"name":"a"}');
  });
});

function toCookie(cookie: string, url: string) {
  const [name = '', value = ''] = cookie.split('=');
  return { name, value, url };
}

/** The classes as one script that defines `recipes`. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './csrfToken.ts'; export * from './uploadProgress.ts';
        export * from './refreshedBearerToken.ts'; export * from '../test/support/authorizedUpload.ts';`,
      resolveDir: new URL('../src', import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'recipes',
    conditions: ['restitch-source'],
  });
  return outputFiles[0]?.text ?? '';
}
