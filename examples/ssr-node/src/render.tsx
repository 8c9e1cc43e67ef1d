import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { renderToPipeableStream } from 'react-dom/server';
import { Controller } from 'restitch';
import { DataProvider } from 'restitch/react';
import { stateTransform } from 'restitch/ssr';
import { api } from './api.js';
import { App } from './App.js';

/** Sets the origin of the API for rendering. */
export function setOrigin(origin: string): void {
  api.origin = origin;
}

/** Sends the page: the shell at once, then each boundary with its data as soon as it is ready. */
export function renderPage(response: ServerResponse): void {
  // One for each request: no visitor may see the data of another.
  const controller = new Controller();
  const nonce = randomBytes(16).toString('base64');
  const html = stateTransform(controller, { nonce });
  let status = 200;
  const { pipe, abort } = renderToPipeableStream(
    <DataProvider controller={controller}>
      <App />
    </DataProvider>,
    {
      nonce,
      bootstrapModules: ['/client.js'],
      onShellReady() {
        response.writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'self' data:; script-src 'nonce-${nonce}'`,
        });
        html.pipe(response);
        pipe(html);
      },
      onShellError() {
        response.writeHead(500).end('Something went wrong.');
      },
      onError(error) {
        status = 500;
        console.error(error);
      },
    },
  );
  response.on('close', () => {
    // Also runs when the visitor left in the middle: rendering and requests stop.
    abort();
    controller.dispose();
  });
}
