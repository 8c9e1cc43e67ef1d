import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { renderToPipeableStream, renderToReadableStream } from 'react-dom/server';
import { Controller } from 'restitch';
import { DataProvider } from 'restitch/react';
import { stateTransform, stateTransformStream } from 'restitch/ssr';
import { App } from './App.js';

export type Render = (response: ServerResponse, nonce?: string) => void;

const page = (controller: Controller) => (
  <DataProvider controller={controller}>
    <App />
  </DataProvider>
);

export const withPipeableStream: Render = (response, nonce) => {
  const controller = new Controller();
  const html = stateTransform(controller, { nonce });
  const { pipe, abort } = renderToPipeableStream(page(controller), {
    nonce,
    bootstrapModules: ['/client.js'],
    onShellReady() {
      html.pipe(response);
      pipe(html);
    },
    onError: (error) => console.error(error),
  });
  response.on('close', () => {
    abort();
    controller.dispose();
  });
};

/** React 18 has this one in its builds for other hosts than Node only. */
export const hasReadableStream: boolean = typeof renderToReadableStream === 'function';

export const withReadableStream: Render = (response, nonce) => {
  const controller = new Controller();
  void renderToReadableStream(page(controller), {
    nonce,
    bootstrapModules: ['/client.js'],
    onError: (error) => console.error(error),
  }).then((html) => {
    const stream = html.pipeThrough(stateTransformStream(controller, { nonce }));
    // The cast: Node types its own web streams apart from the platform's.
    Readable.fromWeb(stream as NodeReadableStream).pipe(response);
  });
};
