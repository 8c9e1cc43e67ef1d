import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumArgs, findChromium } from '../../../scripts/chromium.mjs';
import type { CsrfEndpoint } from '../src/csrfToken.js';
import type { UploadEndpoint } from '../src/uploadProgress.js';
import { startServer } from './support/server.js';

/** What the script that `bundle` makes puts on the page. */
declare const recipes: {
  CsrfEndpoint: typeof CsrfEndpoint;
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

  /** A page whose answer set these cookies, and the server that sent it. */
  async function openPage(...cookies: string[]) {
    const server = await startServer(({ method, url }) =>
      method === 'GET' && url === '/'
        ? {
            headers: { 'content-type': 'text/html' },
            body: '<!doctype html><link rel=icon href=data:>',
          }
        : { body: { ok: true } },
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
      contents: `export * from './csrfToken.ts'; export * from './uploadProgress.ts';`,
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
