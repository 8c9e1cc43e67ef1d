import type { Controller } from '../index.js';
import { Batches } from './Batches.js';
import type { StateScriptOptions } from './serializeState.js';

/**
 * The web stream to pipe React's HTML through (`renderToReadableStream`): it adds the data that the HTML was rendered from,
 * in scripts before the HTML that uses them.
 *
 * @remarks React's stream does not tell where a batch ends, but writes each without a pause: a batch is over when nothing more
 * comes in the same turn of the event loop.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react';
 * import { renderToReadableStream } from 'react-dom/server';
 * import { Controller } from 'restitch';
 * import { DataProvider } from 'restitch/react';
 * import { stateTransformStream } from 'restitch/ssr';
 *
 * export async function render(app: ReactNode, nonce: string): Promise<Response> {
 *   const controller = new Controller();
 *   const html = await renderToReadableStream(
 *     <DataProvider controller={controller}>{app}</DataProvider>,
 *     { nonce, bootstrapModules: ['/client.js'] },
 *   );
 *   const page = html.pipeThrough(stateTransformStream(controller, { nonce }));
 *   return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
 * }
 * ```
 */
export function stateTransformStream(
  controller: Controller,
  options: StateScriptOptions = {},
): TransformStream<Uint8Array, Uint8Array> {
  const batches = new Batches(controller, options);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (out: TransformStreamDefaultController<Uint8Array>): void => {
    clearTimeout(timer);
    for (const part of batches.take()) {
      out.enqueue(part);
    }
  };
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out) {
      batches.add(part);
      clearTimeout(timer);
      timer = setTimeout(() => {
        // Errors: nobody reads any more, so what is left goes nowhere.
        if (batches.mayBeWhole && out.desiredSize !== null) {
          try {
            send(out);
          } catch (error) {
            // State that cannot leave. Where the reader left in this very moment, there is nobody to tell.
            out.error(error);
          }
        }
      });
    },
    flush: send,
  });
}
