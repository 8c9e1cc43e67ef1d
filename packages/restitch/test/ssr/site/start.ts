import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { site } from './api.js';
import type { Render } from './render.js';

/** The script of the page, as a bundler makes it. */
export const bundleClient = (): Promise<string> => bundle('client.tsx');

/** A file of this folder, as a bundler makes a script of it. */
export async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

export interface SiteOptions {
  readonly render: Render;
  readonly client?: string;
  /** The responses of the API, by path. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** Paths that wait for `release`. */
  readonly held?: readonly string[];
  readonly nonce?: string;
}

/** A server with an API and a page; the page's own requests for data are counted apart. */
export async function startSite({ render, client = '', responses, held = [], nonce }: SiteOptions) {
  const gates = new Map(held.map((path) => [path, gate()]));
  const fromServer: string[] = [];
  const fromBrowser: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/client.js') {
      response.setHeader('content-type', 'text/javascript');
      void (gates.get(pathname)?.promise ?? Promise.resolve()).then(() => response.end(client));
    } else if (pathname.startsWith('/api/')) {
      // Only a browser says which page it asks from.
      (request.headers.referer ? fromBrowser : fromServer).push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      const body = JSON.stringify(responses[pathname] ?? null);
      void (gates.get(pathname)?.promise ?? Promise.resolve()).then(() => response.end(body));
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (nonce) {
        // React 18 gives the page's own file no nonce; what stands in the page needs one.
        const policy = `default-src 'self' data:; script-src 'self' 'nonce-${nonce}'`;
        response.setHeader('content-security-policy', policy);
      }
      render(response, nonce);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `listen` on a port, not on a pipe, so the address is not a string.
  const { port } = server.address() as AddressInfo;
  site.origin = `http://127.0.0.1:${port}`;
  return {
    url: site.origin,
    fromServer,
    fromBrowser,
    release: (path: string) => gates.get(path)?.resolve(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A promise that is resolved from outside. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, resolve: () => open() };
}
